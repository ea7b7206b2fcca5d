// The formula beside a proof: DIMACS CNF of just the clauses that the solver got, with a meaning for each variable.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "model/fabric_notation.h"
#include "tests/verifier/collected_clauses.h"
#include "verifier/search/make_problem.h"
#include "verifier/search/problem/problem.h"

namespace quadrille {
namespace {

using tests::Clauses;
using tests::Collected;

struct Read {
  int variables = 0;
  std::size_t stated = 0;  // clauses, by the header
  Clauses clauses;
  std::vector<int> named;  // [variable]: how often
};

Read read(const std::string& text) {
  Read it;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word;
    if (line.starts_with("p cnf ")) {
      words >> word >> word >> it.variables >> it.stated;
      continue;
    }
    if (line.starts_with("c ")) {
      int first = 0;
      if (!(words >> word >> first)) continue;
      int last = first;
      words >> word;
      if (word == "to") words >> last;
      it.named.resize(std::max(it.named.size(), static_cast<std::size_t>(last) + 1));
      for (int v = first; v <= last; ++v) ++it.named[static_cast<std::size_t>(v)];
      continue;
    }
    std::vector<int> clause;
    for (int literal = 0; words >> literal && literal != 0;) clause.push_back(literal);
    it.clauses.push_back(clause);
  }
  return it;
}

TEST_CASE("a formula in DIMACS form has the solver's clauses, and names each variable once") {
  for (const std::string shape : {"line:3", "fat_tree:levels=2,queue=1", "star:3,duplex=half", "torus:3x3,ports=single",
                                  "complete:3,capacity=2", "fat_tree:levels=2,queue=none"}) {
    for (const std::string name :
         {"allgather", "total_exchange", "gather", "reduce", "allreduce:parts=2", "reduce_scatter", "prefix"}) {
      for (const unsigned ways : {0U, 1U, 2U, 3U}) {
        CAPTURE(shape);
        CAPTURE(name);
        CAPTURE(ways);
        const Fabric fabric = parse_fabric({"", shape}, 0).value();
        const Collective collective = parse_collective({"", name}, 0, fabric.processors()).value();
        SearchGoal goal;
        goal.inject_once = (ways & 1U) != 0;
        goal.keep_to_paths = (ways & 2U) != 0;
        if (ways == 0 && !fabric.rules().queue.limit) goal.phases = 2;
        if (cannot_search(fabric, collective, goal)) continue;
        Watch watch({});
        const auto problem = searching::make_problem(fabric, collective, goal, watch);
        REQUIRE(problem);
        const searching::Group all = searching::trivial_group(fabric);
        Collected collected;
        const int variables = problem->formula(4, all, searching::PathChoice::all, watch)->write(collected);
        const Read it =
            read(dimacs_text(*problem->formula(4, all, searching::PathChoice::all, watch), "a title of words"));
        CHECK(it.variables == variables);
        CHECK(it.stated == it.clauses.size());
        CHECK(it.clauses == collected.clauses);
        REQUIRE(it.named.size() == static_cast<std::size_t>(variables) + 1);
        for (std::size_t v = 1; v < it.named.size(); ++v) REQUIRE(it.named[v] == 1);
      }
    }
  }
}

}  // namespace
}  // namespace quadrille
