// Lower bounds: what no schedule can beat, and why. The parts are in bounds/.
//
// Cost: one search through the fabric where it looks alike from every processor, else one for each processor; where
// that would take more than about a second, for a few processors only: a bound over fewer processors is still a bound.
#include "verifier/bounds.h"

#include <algorithm>
#include <optional>

#include "verifier/bounds/parts.h"

namespace quadrille {

std::vector<Bound> lower_bounds(const Fabric& fabric, const Collective& collective) {
  const bounds::NeedsOfAll needs = bounds::needs_of(fabric, collective);
  std::vector<Bound> all;
  for (std::optional<Bound> bound : {
           bounds::lag_bound(fabric, collective, needs),
           bounds::holes_bound(fabric, collective),
           bounds::cut_and_distance_bound(fabric, collective),
           bounds::cut_bound(fabric, collective),
           bounds::receptions_bound(fabric, needs),
           bounds::sends_bound(fabric, needs),
           bounds::half_duplex_bound(fabric, collective, needs),
           bounds::traffic_bound(fabric, collective, needs),
           bounds::distance_bound(needs),
       }) {
    if (bound) all.push_back(std::move(*bound));
  }
  std::stable_sort(all.begin(), all.end(), [](const Bound& a, const Bound& b) {
    return a.impossible != b.impossible ? a.impossible : a.steps > b.steps;
  });
  for (Bound& bound : all) bound.paper = bounds::paper_formula(bound.name, fabric, collective);
  if (all.empty()) all.push_back({"distance", 0, "nothing has to move"});
  return all;
}

Bound best_bound(const Fabric& fabric, const Collective& collective, std::uint64_t steps) {
  Bound best = lower_bounds(fabric, collective).front();
  if (best.impossible || best.steps >= steps) return best;
  return flow_bound(fabric, collective, best.steps, few_rows).value_or(std::move(best));
}

}  // namespace quadrille
