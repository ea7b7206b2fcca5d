// The bound: for any schedule of p chunks, rounds and hops are at least their bounds, and b, its volume or on shared
// paths its load, is at least p times that of a message which may be cut as finely as one likes. (The bounds on volume
// are quotients k·p / c, rounded up; for a large P this is less than k·P / c + 1. They are about rows, and lanes for
// them: before they are rounded up, they hold for the load, too.)
//
// Where links differ in bandwidth, capacities are counted in bytes a second: what crosses a cut shares all of them. For
// example, of 56 MiB that must come to a server by 8 cards of 50 GB/s, the last byte comes after 7 MiB / 50 GB/s.
//
// In half duplex a row adds to the load by the capacity of its own channel, but to the volume by that of its link.
// Where these differ, the bound is that of a fabric with the larger one both ways, on which no load is more. So it is
// with bandwidths that differ: on held paths, all messages that a link takes at once may go the faster way.
//
// A broadcast to n - 1 others, where switches make no copies: let the root send C at a time, at most, and the others
// receive no more than C on average. Let round i take the time v_i for what is carried, all of them V. By the end of
// round i the others have at most n - 1 copies of all that the root has sent before, C (v_1 + … + v_{i-1}), and of what
// it sends in round i for the first time those copies only that it sends itself, C v_i. After that they receive
// (n - 1) C (v_{i+1} + … + v_R) at most. So for D bytes (n - 1) D <= (n - 1) C (V - v_i) + C v_i, which is
// D <= C (V - f v_i) with f = (n - 2) / (n - 1). The sum of these for the R rounds is R D <= C V (R - f):
//
//   V >= (D / C) R / (R - f); each of the R rounds takes a start as well, and the best R is near f + sqrt(f D / (C a))
//
//   3 processors, C = 1, 2 rounds: V >= 4/3 D. The root sends 2/3 D, half to each; then these exchange theirs, and it
//   sends them the last third
#include "driver/search/least_time.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "driver/inputs/message_time.h"
#include "driver/inputs/notations.h"
#include "driver/search/fit.h"
#include "model/topologies/graph.h"
#include "runtime/times/channel_times.h"
#include "verifier/bounds.h"

namespace quadrille::driver {
namespace {

Result<Collective> in_parts(const Collective& collective, std::uint32_t parts) {
  CollectiveDescription description = collective.description();
  description.parts = parts;
  return Collective::make(std::move(description), collective.processors());
}

// The fabric as a graph with other capacities.
Fabric with_capacities(const Fabric& fabric, const std::vector<std::uint32_t>& capacities) {
  Graph graph;
  graph.processors = fabric.processors();
  for (std::uint32_t node = fabric.processors(); node < fabric.nodes(); ++node) {
    graph.switch_names.push_back(fabric.name(NodeId(node)));
  }
  for (std::size_t id = 0; id < capacities.size(); ++id) {
    Channel& channel = graph.channels.emplace_back(fabric.channel(ChannelId(static_cast<std::uint32_t>(id))));
    channel.level = 0;
    channel.capacity = capacities[id];
  }
  return Fabric::make(std::move(graph), fabric.rules()).value();
}

std::vector<std::uint32_t> capacities_of(const Fabric& fabric) {
  std::vector<std::uint32_t> capacities;
  for (const Channel& channel : fabric.all_channels()) capacities.push_back(channel.capacity);
  return capacities;
}

// The fabric, in half duplex with the larger of its capacities both ways on each link.
Fabric widest_both_ways(const Fabric& fabric) {
  if (fabric.rules().duplex == Duplex::full) return fabric;
  const std::vector<std::uint32_t> own = capacities_of(fabric);
  std::vector<std::uint32_t> capacities = own;
  for (std::uint32_t id = 0; id < capacities.size(); ++id) {
    if (const auto back = fabric.reverse(ChannelId(id))) capacities[id] = std::max(own[id], own[back->value]);
  }
  return capacities == own ? fabric : with_capacities(fabric, capacities);
}

// How many messages the channel takes at once, at most: in half duplex on held paths, as many as its link.
std::uint32_t most_at_once(const Fabric& fabric, ChannelId id) {
  const bool by_link = fabric.rules().duplex == Duplex::half && !fabric.rules().shares_paths();
  const std::uint32_t own = fabric.channel(id).capacity;
  return by_link ? std::max(own, fabric.channel(fabric.link(id)).capacity) : own;
}

// A fabric whose capacities count bytes: a channel of capacity c carries a byte in `byte` / c seconds.
struct BytesPerSecond {
  Fabric fabric;
  double byte;
};

// Capacities times bandwidths, in a unit that makes them whole, or in one so small that rounding them up matters
// little.
BytesPerSecond by_bandwidth(const Fabric& fabric, const Costs& costs) {
  if (fabric.link_speeds().empty()) return {fabric, costs.byte};
  constexpr double steps = 4096;  // of the fastest lane, where the unit is not a common divisor
  const replaying::ChannelTimes times(fabric, transfer_costs(costs), 1);
  std::vector<double> rates;
  std::uint64_t unit = 0;
  for (std::uint32_t id = 0; id < fabric.channels(); ++id) {
    const double seconds = times.chunk(ChannelId(id));
    if (seconds <= 0) return {fabric, 0};
    rates.push_back(1 / seconds);
    unit = std::gcd(unit, static_cast<std::uint64_t>(std::llround(rates.back())));
  }
  const double fastest = *std::ranges::max_element(rates);
  // What a single port takes is counted in messages, whatever the bandwidth.
  if (fabric.rules().ports == Ports::single) return {fabric, 1 / fastest};
  const double lane = std::max(static_cast<double>(unit), fastest / steps);
  std::vector<std::uint32_t> capacities;
  for (std::uint32_t id = 0; id < rates.size(); ++id) {
    const double capacity = most_at_once(fabric, ChannelId(id)) * rates[id] / lane;
    constexpr double rounding = 1e-9;
    if (capacity > 1e9) return {fabric, 1 / fastest};
    capacities.push_back(static_cast<std::uint32_t>(std::ceil(capacity * (1 - rounding))));
  }
  return {with_capacities(fabric, capacities), (1 - 1e-9) / lane};
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

// What comes over these channels at a time, at most.
double rate_at(const Fabric& fabric, ChannelIds channels) {
  const auto lanes = static_cast<double>(fabric.lanes_of(channels));
  const bool one_message = fabric.rules().ports == Ports::single;
  const bool on_many_lanes = fabric.rules().shares_paths() && fabric.largest_capacity() > 1;
  return one_message && !on_many_lanes ? std::min(lanes, 1.0) : lanes;
}

// `fabric`: with the capacities to count, of which one carries a byte in `byte`. Nothing where the collective is no
// broadcast, or switches may copy.
std::optional<PassingOn> passing_on(const Fabric& fabric, const Collective& collective, double byte) {
  const auto& shape = collective.shape();
  const std::uint32_t n = fabric.processors();
  if (!shape || shape->suppliers != DemandShape::Ends::root || !shape->shared() || n < 3) return std::nullopt;
  if (fabric.has_switches() && !fabric.switches_forward()) return std::nullopt;
  const double sent = rate_at(fabric, fabric.channels_from(NodeId(shape->root)));
  double received = 0;
  for (NodeId p(0); p.value < n; ++p.value) {
    if (p.value != shape->root) received += rate_at(fabric, fabric.channels_to(p));
  }
  const double most = std::max(sent, received / (n - 1));
  if (most <= 0) return std::nullopt;
  return PassingOn{.per_byte = byte / most, .late = (n - 2.0) / (n - 1.0)};
}

// A message is one chunk, if it may be.
Collective whole(const Collective& collective) {
  return collective.listed() ? collective : in_parts(collective, 1).value();
}

}  // namespace

// The time is convex in the number of rounds.
double PassingOn::of(std::uint64_t size) const {
  const double carried = per_byte * static_cast<double>(size);
  const auto first = static_cast<double>(std::max<std::uint64_t>(least_rounds, 1));
  if (per_round <= 0) return fixed + carried;
  const auto with = [&](double rounds) { return rounds * per_round + carried * rounds / (rounds - late); };
  const double best = std::floor(late + std::sqrt(late * carried / per_round));
  return fixed + std::min(with(std::max(best, first)), with(std::max(best + 1, first)));
}

double least_load(const Fabric& fabric, const Collective& collective, const Bound& volume, const Limits& limits) {
  const bool wide = fabric.largest_capacity() > 1;
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
  const BytesPerSecond bytes = by_bandwidth(fabric, costs);
  const bool by_channel = fabric.rules().shares_paths() || !fabric.link_speeds().empty();
  const Fabric wide = by_channel ? widest_both_ways(bytes.fabric) : bytes.fabric;
  const double overheads = static_cast<double>(rounds) * costs.overhead;  // in each round somebody sends
  const std::uint64_t hops = least_hops(fabric, whole(collective), limits);
  LeastTime time{least.time(rounds, hops, 0, 0) + overheads,
                 least_chunks_per_message(wide, collective, limits) * bytes.byte};
  time.in_lock_step = passing_on(wide, collective, bytes.byte);
  if (time.in_lock_step) {
    time.in_lock_step->least_rounds = rounds;
    time.in_lock_step->fixed = least.time(0, hops, 0, 0);
    time.in_lock_step->per_round = costs.start + costs.overhead;
  }
  return time;
}

}  // namespace quadrille::driver
