// The search and the judge write the formulas of verifier/FORMULA.md and verifier/COMBINING_FORMULA.md independently,
// and the same ones.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "model/fabric_notation.h"
#include "tests/environment.h"
#include "tests/reference/random_tables.h"
#include "tests/verifier/collected_clauses.h"
#include "verifier/certificate/formulas/formula.h"
#include "verifier/search/formulas/combining_formula.h"
#include "verifier/search/formulas/formula.h"
#include "verifier/search/make_problem.h"

namespace quadrille {
namespace {

using tests::Clauses;
using tests::Collected;

struct Written {
  int variables = 0;
  Clauses clauses;
};

Written by_search(const Certificate& asked) {
  const searching::Question question{asked.fabric,      asked.collective, asked.steps,
                                     asked.inject_once, asked.paths_kept, asked.phases};
  Watch watch({});
  const auto moves = searching::moves_within(asked.fabric, asked.collective, asked.paths_kept, watch);
  const searching::Group group = searching::trivial_group(asked.fabric);
  Collected collected;
  const int variables = searching::ChunkFormula(question, moves, group).write(collected);
  return {variables, std::move(collected.clauses)};
}

Written by_search(searching::ScheduleFormula& formula) {
  Collected collected;
  const int variables = formula.write(collected);
  return {variables, std::move(collected.clauses)};
}

Written by_judge(const Certificate& asked, ProofFile::About about) {
  Written written;
  const auto add = [&](std::span<const std::int32_t> literals) {
    written.clauses.emplace_back(literals.begin(), literals.end());
    return true;
  };
  const Limits limits;
  Work work(limits);
  const auto size = certificate::write_formula(asked, about, add, work);
  written.variables = static_cast<int>(size.value().variables);
  return written;
}

// The order of clauses, and of literals in them, is left open.
void expect_same(Written ours, Written theirs) {
  for (Clauses* clauses : {&ours.clauses, &theirs.clauses}) {
    for (auto& clause : *clauses) std::sort(clause.begin(), clause.end());
    std::sort(clauses->begin(), clauses->end());
  }
  REQUIRE(ours.variables == theirs.variables);
  REQUIRE(ours.clauses == theirs.clauses);
}

const std::uint32_t most_steps = tests::brief ? 3 : 5;

// For so many steps, in all ways to inject, to keep to paths and to divide into phases.
int compare(const Fabric& fabric, const Collective& collective) {
  int compared = 0;
  for (std::uint32_t steps = 1; steps <= most_steps; ++steps) {
    for (const unsigned ways : {0U, 1U, 2U, 3U}) {
      for (std::uint32_t phases = 0; phases <= (fabric.rules().queue.limit ? 0 : steps); ++phases) {
        Certificate asked{fabric, collective, steps, (ways & 1U) != 0, (ways & 2U) != 0, std::nullopt, {}};
        if (phases > 0) asked.phases = phases;
        CAPTURE(claim_text(asked));
        expect_same(by_search(asked), by_judge(asked, ProofFile::About::copies));
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
        R"(graph:{"processors":3,"switches":["a"],"channels":[[0,"a",1],["a",0,2],[1,"a",2],["a",1,1]]})",
        R"(graph:{"processors":3,"channels":[[0,1],[1,2],[2,0]]})",  // from here on links go one way
        R"(graph:{"processors":3,"channels":[[2,1],[1,0,2],[0,1]]})",
        R"(graph:{"processors":3,"switches":["a"],"channels":[[0,"a"],["a",1],[1,"a",2],[1,2]]})"}) {
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

// Combining collectives, for so many steps; what the search asks about, too, if that is the other formula.
void compare_combining(const Fabric& fabric, const Collective& collective, int& combining, int& backwards) {
  const searching::CombiningSetting setting(fabric, collective);
  const searching::Group group = searching::trivial_group(fabric);
  const SearchGoal goal;
  Watch watch({});
  const auto problem = searching::make_problem(fabric, collective, goal, watch);
  for (std::uint32_t steps = 1; steps <= most_steps - 1; ++steps) {
    const Certificate asked{fabric, collective, steps, false, false, std::nullopt, {}};
    CAPTURE(claim_text(asked));
    searching::CombiningFormula formula(setting, steps, group);
    expect_same(by_search(formula), by_judge(asked, ProofFile::About::partial_reductions));
    ++combining;
    if (problem->about() == FormulaKind::partial_reductions) continue;
    for (std::uint32_t phases = 0; phases < steps && !(phases > 0 && fabric.rules().queue.limit); ++phases) {
      CAPTURE(phases);
      Certificate in_phases = asked;
      SearchGoal in_so_many;
      if (phases > 0) in_so_many.phases = in_phases.phases = phases;
      const auto its = searching::make_problem(fabric, collective, in_so_many, watch);
      const auto other = its->formula(steps, group, searching::PathChoice::all, watch);
      expect_same(by_search(*other), by_judge(in_phases, ProofFile::About::time_reversed));
      ++backwards;
    }
  }
}

TEST_CASE("the search and the judge write the same formulas about combining collectives") {
  int combining = 0;
  int backwards = 0;
  for (
      const std::string shape :
      {"line:1", "line:3", "ring:4", "ring:4,capacity=2", "star:3", "star:3,capacity=2", "fat_tree:levels=2",
       "fat_tree:levels=2,capacity=exponential", "hypercube:3", "complete:4,capacity=2", "torus:3x3",
       R"(graph:{"processors":3,"channels":[[0,1,1],[1,0,1]]})",
       R"(graph:{"processors":2,"switches":["a","b"],"links":[[0,"a"],["a","b"],["b",1],[0,"b"]]})",
       R"(graph:{"processors":3,"switches":["a"],"channels":[[0,"a",1],["a",0,2],[1,"a",2],["a",1,1],[2,0,1],[0,2,2]]})",
       R"(graph:{"processors":3,"channels":[[0,1],[1,2],[2,0]]})",  // from here on links go one way
       R"(graph:{"processors":3,"channels":[[2,1],[1,0,2],[0,1]]})",
       R"(graph:{"processors":3,"switches":["a"],"channels":[[0,"a"],["a",1],[1,"a",2],[1,2]]})"}) {
    for (const std::string rules : {"", ",duplex=half", ",ports=single", ",duplex=half,ports=single", ",queue=none",
                                    ",queue=1", ",queue=2,ports=single"}) {
      const Fabric fabric = parse_fabric({"", shape + rules}, 0).value();
      if (fabric.channels() > 12 && tests::brief && !rules.empty()) continue;
      for (const std::string name :
           {"reduce", "reduce:root=0,ordered,parts=2", "reduce:parts=2", "allreduce", "allreduce:parts=2,ordered",
            "prefix", "prefix:parts=3", "reduce_scatter", "reduce_scatter:parts=2", "reduce_scatter:ordered"}) {
        const bool large = fabric.processors() > 4 && name.find("parts") != name.npos;
        if (large && !tests::long_run()) continue;
        compare_combining(fabric, parse_collective({"", name}, 0, fabric.processors()).value(), combining, backwards);
      }
    }
  }
  MESSAGE(combining, " questions about partial reductions compared, ", backwards, " time-reversed");
  CHECK(combining > 1000);
  CHECK(backwards > 100);
}

TEST_CASE("so they do on random fabrics, some of whose links go one way") {
  int compared = 0;
  int combining = 0;
  int backwards = 0;
  int one_way = 0;
  const std::uint64_t first = reference::first_seed();
  for (std::uint64_t seed = first; seed < first + (tests::brief ? 40 : 200); ++seed) {
    CAPTURE(seed);
    reference::Dice dice(seed);
    const Fabric fabric = reference::random_fabric(dice);
    const Collective collective = reference::random_collective(dice, fabric.processors());
    if (fabric.nodes() > 7 || fabric.processors() < 2) continue;
    one_way += fabric.has_one_way_links() ? 1 : 0;
    if (collective.combining()) {
      compare_combining(fabric, collective, combining, backwards);
    } else {
      compared += compare(fabric, collective);
    }
  }
  MESSAGE(compared, " + ", combining, " + ", backwards, " questions compared, from seed ", first, ", ", one_way,
          " fabrics with links that go one way");
  CHECK(compared > (tests::brief ? 100 : 500));
  CHECK(combining > (tests::brief ? 10 : 50));
  CHECK(one_way > 3);
}

}  // namespace
}  // namespace quadrille
