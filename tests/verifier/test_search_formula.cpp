// The search and the judge write the formula of verifier/FORMULA.md independently, and the same one.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "model/fabric_notation.h"
#include "tests/environment.h"
#include "verifier/certificate/formula.h"
#include "verifier/search/formula.h"

namespace quadrille {
namespace {

using Clauses = std::vector<std::vector<int>>;

struct Collected final : searching::ClauseSink {
  using ClauseSink::clause;
  void clause(std::span<const int> literals) override { clauses.emplace_back(literals.begin(), literals.end()); }
  Clauses clauses;
};

struct Written {
  int variables = 0;
  Clauses clauses;
};

Written by_search(const Certificate& asked) {
  const searching::Question question{asked.fabric,      asked.collective, asked.steps,
                                     asked.inject_once, asked.paths_kept, asked.phases};
  const auto moves = searching::moves_of(asked.fabric, asked.collective, asked.paths_kept);
  const searching::Group group = searching::trivial_group(asked.fabric);
  const searching::Orbits orbits(asked.fabric, asked.collective, moves, group);
  Collected collected;
  const int variables = searching::Formula(question, moves, orbits).write(collected);
  return {variables, std::move(collected.clauses)};
}

Written by_judge(const Certificate& asked) {
  Written written;
  const auto size = certificate::write_formula(asked, [&](std::span<const std::int32_t> literals) {
    written.clauses.emplace_back(literals.begin(), literals.end());
    return true;
  });
  written.variables = static_cast<int>(size.value().variables);
  return written;
}

constexpr std::uint32_t most_steps = tests::sanitized ? 3 : 5;

// For so many steps, in all ways to inject, to keep to paths and to divide into phases.
int compare(const Fabric& fabric, const Collective& collective) {
  int compared = 0;
  for (std::uint32_t steps = 1; steps <= most_steps; ++steps) {
    for (const unsigned ways : {0U, 1U, 2U, 3U}) {
      for (std::uint32_t phases = 0; phases <= (fabric.rules().queue.limit ? 0 : steps); ++phases) {
        Certificate asked{fabric, collective, steps, (ways & 1U) != 0, (ways & 2U) != 0, std::nullopt, {}};
        if (phases > 0) asked.phases = phases;
        CAPTURE(claim_text(asked));
        Written ours = by_search(asked);
        Written theirs = by_judge(asked);
        std::sort(ours.clauses.begin(), ours.clauses.end());
        std::sort(theirs.clauses.begin(), theirs.clauses.end());
        REQUIRE(ours.variables == theirs.variables);
        REQUIRE(ours.clauses == theirs.clauses);
        ++compared;
      }
    }
  }
  return compared;
}

TEST_CASE("the search and the judge write the same formula") {
  int compared = 0;
  for (const std::string shape :
       {"line:3", "ring:4", "star:3", "fat_tree:levels=1", "fat_tree:levels=2",
        "fat_tree:levels=2,capacity=exponential", "fat_tree:levels=3,capacity=1,2,3", "hypercube:3",
        "complete:4,capacity=2", "torus:3x3",
        R"(graph:{"processors":2,"switches":["a","b"],"links":[[0,"a"],["a","b"],["b",1],[0,"b"]]})",
        R"(graph:{"processors":3,"switches":["a"],"channels":[[0,"a",1],["a",0,2],[1,"a",2],["a",1,1]]})"}) {
    for (const std::string rules : {"", ",duplex=half", ",ports=single", ",duplex=half,ports=single", ",queue=none",
                                    ",queue=1", ",queue=2,duplex=half"}) {
      const Fabric fabric = parse_fabric({"", shape + rules}, 0).value();
      for (const std::string name : {"broadcast:root=1", "scatter:parts=2", "gather", "allgather", "total_exchange",
                                     R"(custom:{"chunks":[{"origin":0,"held_by":[0,1],"wanted_by":[0,2]}]})"}) {
        const auto collective = parse_collective({"", name}, 0, fabric.processors());
        if (collective) compared += compare(fabric, *collective);
      }
    }
  }
  MESSAGE(compared, " questions compared");
  CHECK(compared > 2000);
}

}  // namespace
}  // namespace quadrille
