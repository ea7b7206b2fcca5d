// The bound: for any schedule of p chunks, rounds and hops are at least their bounds, and b, its volume or on shared
// paths its load, is at least p times that of a message which may be cut as finely as one likes. (The bounds on volume
// are quotients k·p / c, rounded up; for a large P this is less than k·P / c + 1. They are about rows, and lanes for
// them: before they are rounded up, they hold for the load, too.)
//
// In half duplex a row adds to the load by the capacity of its own channel, but to the volume by that of its link.
// Where these differ, the bound is that of a fabric with the larger one both ways, on which no load is more.
#include "driver/search/least_time.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "driver/inputs/message_time.h"
#include "driver/inputs/notations.h"
#include "driver/search/fit.h"
#include "model/topologies/graph.h"
#include "verifier/bounds.h"

namespace quadrille::driver {
namespace {

Result<Collective> in_parts(const Collective& collective, std::uint32_t parts) {
  CollectiveDescription description = collective.description();
  description.parts = parts;
  return Collective::make(std::move(description), collective.processors());
}

// The fabric, in half duplex with the larger of its capacities both ways on each link.
Fabric widest_both_ways(const Fabric& fabric) {
  Graph graph;
  bool wider = false;
  for (const Channel& channel : fabric.all_channels()) {
    Channel& both = graph.channels.emplace_back(channel);
    both.level = 0;
    const auto back = fabric.reverse(ChannelId(static_cast<std::uint32_t>(graph.channels.size() - 1)));
    if (back) both.capacity = std::max(both.capacity, fabric.channel(*back).capacity);
    wider |= both.capacity != channel.capacity;
  }
  if (fabric.rules().duplex == Duplex::full || !wider) return fabric;
  graph.processors = fabric.processors();
  for (std::uint32_t node = fabric.processors(); node < fabric.nodes(); ++node) {
    graph.switch_names.push_back(fabric.name(NodeId(node)));
  }
  return Fabric::make(std::move(graph), fabric.rules()).value();
}

// The bound with so many parts that it is off by less than `rounding`, or with as many as have names.
double least_chunks_per_message(const Fabric& fabric, const Collective& collective, const Limits& limits) {
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

// A message is one chunk, if it may be.
Collective whole(const Collective& collective) {
  return collective.listed() ? collective : in_parts(collective, 1).value();
}

}  // namespace

double least_load(const Fabric& fabric, const Collective& collective, const Bound& volume, const Limits& limits) {
  const bool wide = std::ranges::any_of(fabric.all_channels(), [](const Channel& it) { return it.capacity > 1; });
  if (!wide) return static_cast<double>(volume.steps.value_or(0));
  const Fabric both_ways = widest_both_ways(fabric);
  const Bound least = both_ways == fabric ? volume : volume_bounds(both_ways, collective, limits).front();
  // It is rounded up.
  return std::max(static_cast<double>(least.steps.value_or(0)) - 1, 0.0);
}

std::uint64_t least_rounds(const Fabric& fabric, const Collective& collective, const Limits& limits) {
  return round_bounds(fabric, whole(collective), limits).front().steps.value_or(0);
}

LeastTime least_time(const Fabric& fabric, const Collective& collective, const Costs& costs, const Limits& limits) {
  const std::uint64_t rounds = least_rounds(fabric, collective, limits);
  const Costs least = least_costs(costs, fabric);
  const Fabric wide = fabric.rules().shares_paths() ? widest_both_ways(fabric) : fabric;
  return {least.time(rounds, least_hops(fabric, whole(collective), limits), 0, 0),
          least_chunks_per_message(wide, collective, limits) * least.byte};
}

}  // namespace quadrille::driver
