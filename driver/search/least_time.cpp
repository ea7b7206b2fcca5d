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
// In lock step R rounds take R starts, and R latencies of a channel at least: without an empty round a schedule is
// faster. Besides, they take the latency of the longest path that something must go. What R rounds carry is no less
// than any number of rounds, and no less than the bound for R (load_by_rounds). The bound on time is the least among
// all R. The first few are tried one by one. In more than these, rounds of a seconds each that carry x R / (R - f) take
// a R + x R / (R - f), which is convex in R, and least near f + sqrt(f x / a).
//
//   all-reduce of 1 MiB among 4 servers of 8 with 8 links of 50 GB/s each, and 5 us a start: 6 / 32 of it goes over
//   each link in four rounds or more, 4 · 5 + 3.9 us; 12 / 32 in three, 15 + 7.9 us; so it takes 22.9 us at least
#include "driver/search/least_time.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
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

// A message is one chunk, if it may be.
Collective whole(const Collective& collective) {
  return collective.listed() ? collective : in_parts(collective, 1).value();
}

// The least of start * R + carried * R / (R - late) over all R >= first. It is convex in R.
double least_over_rounds(std::uint64_t first, double start, double carried, double late) {
  if (start <= 0) return carried;
  const auto with = [&](double rounds) { return rounds * start + carried * rounds / (rounds - late); };
  const double best = std::floor(late + std::sqrt(late * carried / start));
  const auto least = static_cast<double>(first);
  return std::min(with(std::max(best, least)), with(std::max(best + 1, least)));
}

}  // namespace

double TimeByRounds::of(std::uint64_t size) const {
  const double bytes = byte * static_cast<double>(size);
  std::uint64_t rounds = least_rounds;
  double best = std::numeric_limits<double>::infinity();
  for (; rounds <= load.few.size(); ++rounds) {
    const auto r = static_cast<double>(rounds);
    best = std::min(best, start * r + std::max(path, latency * r) + load.in(rounds)*bytes);
  }
  // The least of each bound's own best number of rounds is no more than that of all bounds together.
  double rest = 0;
  for (const LoadByRounds::PassedOn& it : load.passed_on) {
    const double carried = it.load * bytes;
    rest = std::max({rest, path + least_over_rounds(rounds, start, carried, it.late),
                     least_over_rounds(rounds, start + latency, carried, it.late)});
  }
  return std::min(best, rest);
}

double LeastTime::of(std::uint64_t size) const {
  const bool still = in_lock_step.least_rounds == 0;  // nothing moves, or the limits were reached
  return still ? fixed + per_byte * static_cast<double>(size) : in_lock_step.of(size);
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
  const double least_chunks = least_chunks_per_message(wide, collective, limits);
  LeastTime time{least.time(rounds, hops, 0, 0) + overheads, least_chunks * bytes.byte};
  TimeByRounds& by_rounds = time.in_lock_step;
  by_rounds = {rounds, least.time(0, hops, 0, 0), costs.start + costs.overhead, least.hop, bytes.byte};
  by_rounds.load = load_by_rounds(wide, collective, limits);
  by_rounds.load.passed_on.push_back({least_chunks, 0});
  return time;
}

}  // namespace quadrille::driver
