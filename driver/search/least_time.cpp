// The bound: for any schedule of p chunks, rounds and hops are at least their bounds, and the volume is at least p
// times that of a message which may be cut as finely as one likes. (The bounds on volume are quotients k·p / c,
// rounded up; for a large P this is less than k·P / c + 1.)
#include "driver/search/least_time.h"

#include <algorithm>
#include <utility>

#include "driver/inputs/message_time.h"
#include "driver/inputs/notations.h"
#include "driver/search/fit.h"
#include "verifier/bounds.h"

namespace quadrille::driver {
namespace {

Result<Collective> in_parts(const Collective& collective, std::uint32_t parts) {
  CollectiveDescription description = collective.description();
  description.parts = parts;
  return Collective::make(std::move(description), collective.processors());
}

// The bound with so many parts that it is off by less than `rounding`, or with as many as have names.
double least_volume_per_message(const Fabric& fabric, const Collective& collective, const Limits& limits) {
  if (collective.listed()) return 0;
  for (std::uint32_t parts = std::uint32_t{1} << 31; parts > 0; parts /= 2) {
    const Result<Collective> fine = in_parts(collective, parts);
    if (!fine) continue;
    const auto volume = volume_bounds(fabric, *fine, limits).front().steps;
    return volume && *volume > 1 ? static_cast<double>(*volume - 1) / parts : 0;
  }
  return 0;
}

// A lower bound on hops: along the longest path that something must go, messages follow one another, in rounds of
// their own.
std::uint64_t least_hops(const Fabric& fabric, const Collective& collective, const Limits& limits) {
  std::uint64_t hops = 0;
  for (const Bound& bound : lower_bounds(timed(fabric, Timing::steps), collective, limits)) {
    if (bound.kind == BoundKind::distance) hops = std::max(hops, bound.steps.value_or(0));
  }
  return hops;
}

}  // namespace

LeastTime least_time(const Fabric& fabric, const Collective& collective, const Costs& costs, const Limits& limits) {
  const Collective whole = collective.listed() ? collective : in_parts(collective, 1).value();
  const std::uint64_t rounds = round_bounds(fabric, whole, limits).front().steps.value_or(0);
  const Costs least = least_costs(costs, fabric);
  return {least.time(rounds, least_hops(fabric, whole, limits), 0, 0),
          least_volume_per_message(fabric, collective, limits) * least.byte};
}

}  // namespace quadrille::driver
