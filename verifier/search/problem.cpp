#include "verifier/search/problem.h"

#include "verifier/search/copying.h"

namespace quadrille::searching {

std::unique_ptr<Problem> make_problem(const Fabric& fabric, const Collective& collective, const SearchGoal& goal) {
  return std::make_unique<CopyingProblem>(fabric, collective, goal);
}

std::vector<Bound> bounds_of(const Fabric& fabric, const Collective& collective) {
  return lower_bounds(fabric, collective);
}

}  // namespace quadrille::searching
