#include "verifier/search/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "verifier/search/backwards.h"
#include "verifier/search/combining.h"
#include "verifier/search/copying.h"

namespace quadrille::searching {

std::unique_ptr<Problem> make_problem(const Fabric& fabric, const Collective& collective, const SearchGoal& goal,
                                      const SearchOptions& options) {
  auto copying = backwards_of(fabric, collective);
  if (collective.combining() && !copying) return std::make_unique<CombiningProblem>(fabric, collective);
  auto moves =
      moves_within(fabric, copying ? *copying : collective, goal.keep_to_paths, options.memory, options.cancelled);
  if (!moves) return nullptr;
  if (copying) {
    return backwards_problem(fabric, collective, std::move(*copying), goal, std::move(*moves), options.cancelled);
  }
  return std::make_unique<CopyingProblem>(fabric, collective, goal, std::move(*moves), options.cancelled);
}

// What counting says of a copying collective holds for what it is backwards, too, though not with its prices.
std::vector<Bound> bounds_of(const Fabric& fabric, const Collective& collective) {
  std::vector<Bound> all = lower_bounds(fabric, collective);
  const auto copying = backwards_of(fabric, collective);
  if (!copying) return all;
  const Bound best = lower_bounds(fabric, *copying).front();
  if (best.impossible || best.steps <= all.front().steps) return all;
  const std::string reason = fmt::format("backwards in time this is {}: {}", copying->notation(), best.reason);
  all.insert(all.begin(), Bound{best.name, best.steps, reason});
  return all;
}

}  // namespace quadrille::searching
