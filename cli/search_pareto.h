// The frontier between latency and bandwidth: for each number of steps the fewest rounds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/collective.h"
#include "model/fabric.h"
#include "verifier/search.h"

namespace quadrille::cli {

// A schedule of `steps` steps whose rounds are `result.steps` in all: fewer than with fewer steps.
struct ParetoPoint {
  std::uint32_t steps = 0;
  SearchResult result;
  std::string certificate = {};  // the file that was written; empty without one
};

// The points of the frontier, as "Synthesizing Optimal Collective Algorithms" (SCCL) defines it, by steps: from the
// fewest that distances allow to those at which more would save no round. `goal` is what else must be kept to. A point
// at which nothing is found is in the list, too. Ends when the search is cancelled.
std::vector<ParetoPoint> pareto_frontier(const Fabric& fabric, const Collective& collective, const SearchGoal& goal,
                                         const SearchOptions& options);

// What else is to be kept to at one point.
SearchGoal goal_of(const ParetoPoint& point, const SearchGoal& goal);

// `parts`: chunks of a message; rounds are counted for each of them, too.
std::string pareto_text(const Fabric& fabric, const Collective& collective, const std::vector<ParetoPoint>& points);
std::string pareto_json(const Fabric& fabric, const Collective& collective, const std::vector<ParetoPoint>& points);

}  // namespace quadrille::cli
