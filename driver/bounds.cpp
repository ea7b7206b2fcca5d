// The command `bounds`: every lower bound, largest first; in rounds, also the bounds on their volume. The bound by
// flows over time comes before the others if it is larger than the best of them.
#include "driver/bounds.h"

#include "driver/inputs/notations.h"

namespace quadrille::driver {
namespace {

std::vector<Bound> bounds_of_steps(const Fabric& fabric, const Collective& collective, const Limits& limits) {
  std::vector<Bound> bounds = lower_bounds(fabric, collective, limits);
  if (const auto steps = bounds.front().steps) {
    auto flow = flow_bound(fabric, collective, *steps, few_rows, limits);
    if (flow) bounds.insert(bounds.begin(), std::move(*flow));
  }
  return bounds;
}

}  // namespace

Result<BoundsOutcome> run(const BoundsRequest& request, Context& context) {
  allow_unlisted_channels(context);
  Result<CollectiveOnFabric> asked = collective_on(request.on, request.without, request.collective, context);
  if (!asked) return asked.diagnostics();
  auto& [fabric, collective] = *asked;

  const Limits limits = remaining(context);
  tell_stage(context, "looking for lower bounds");
  std::vector<Bound> bounds;
  std::vector<Bound> volume;
  if (fabric.in_rounds()) {
    bounds = round_bounds(fabric, collective, limits);
    volume = volume_bounds(fabric, collective, limits);
  } else {
    bounds = bounds_of_steps(fabric, collective, limits);
  }
  return BoundsOutcome{asked_for(request.on, request.without),
                       std::move(fabric),
                       std::move(collective),
                       std::move(bounds),
                       std::move(volume),
                       limits.ended_early()};
}

}  // namespace quadrille::driver
