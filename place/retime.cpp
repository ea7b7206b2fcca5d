// This file decides how flights are placed: as whole sends, or with stops (placer.h); copies in queues if they queue
// where they are written, and that is shorter (retime_queued.h); packets that join in switches row by row
// (retime_joined.h).
//
// If no order of the written sends keeps what each carries, they are placed once more without the relays that are
// written: a packet then goes from its origin to its target as one send. For example, 0 -> 2 and then 2 -> 1 with one
// packet deliver the same as 0 -> 1 by way of 2.
#include "place/retime.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "model/described.h"
#include "model/text/evaluation_error.h"
#include "place/flights/flights.h"
#include "place/flights/forwarding.h"
#include "place/steps/meetings.h"
#include "place/steps/placer.h"
#include "place/steps/relays.h"
#include "place/steps/retime_joined.h"
#include "place/steps/retime_queued.h"
#include "place/steps/transfer_routes.h"

namespace quadrille {
namespace {

// For each flight and each hop that is stored. Where packets combine, that is a hop's row, its step, and what it
// brings.
void refuse_too_many(const Flights& flights, const Collective& collective, const Limits& limits) {
  const std::uint64_t of_flight = collective.combining() ? 200 : 120;
  const std::uint64_t of_hop = collective.combining() ? 60 : 24;
  if (flights.list.size() * of_flight + flights.hops.size() * of_hop > limits.memory)
    times_too_large(limits.memory, {});
}

// Of a send to several, the hop that is crossed first comes first: its step is the send's departure. (In queues a later
// hop may be served before it.)
void put_first_hops_first(Flights& flights) {
  bool any = false;
  for (const Flight& flight : flights.list) {
    const std::span<Hop> hops = flights.of(flight);
    if (hops.size() < 2 || flight.target != flight.source) continue;
    if (std::ranges::min_element(hops, {}, &Hop::step)->step == hops.front().step) continue;
    std::ranges::stable_sort(hops, {}, &Hop::step);
    any = true;
  }
  if (any) std::ranges::stable_sort(flights.list, {}, [&](const Flight& flight) { return flights.departure(flight); });
}

// Retimes packets that do not join in switches, or that deliver the same if they do not.
std::optional<RetimedFlights> retimed_apart(const Flights& flights, const Fabric& written_for,
                                            const Collective& collective, const Fabric& target, const Limits& limits,
                                            ReductionsOfSends* words) {
  if (auto result = placed_anew(flights, written_for, collective, target, limits, words)) return result;
  // Of relays each send says of partial reductions what only it knows.
  const Flights merged = words == nullptr ? without_relays(flights, collective) : Flights{};
  if (words != nullptr || merged.list.size() == flights.list.size()) return std::nullopt;
  auto result = placed_anew(merged, written_for, collective, target, limits, words);
  if (result) result->as += ", relays merged";
  return result;
}

// Retimes copies as whole sends. On another fabric those that queue where they are written queue, if that is shorter.
RetimedFlights retimed_to_copy(Flights flights, const Fabric& written_for, const Collective& collective,
                               const Fabric& target, const Limits& limits) {
  const bool queue = !(written_for == target) && may_queue(flights, written_for, collective);
  RetimedFlights whole = placed_anew(std::move(flights), written_for, collective, target, limits, nullptr).value();
  std::optional<RetimedFlights> queued;
  if (queue) queued = retimed_queued(whole, target, limits);
  return queued ? *std::move(queued) : std::move(whole);
}

// The steps and the waits of what is placed; fewer are better.
std::pair<std::uint32_t, std::uint64_t> cost(const RetimedFlights& placed, const Fabric& fabric) {
  const FlightsExtent extent = placed.extent ? *placed.extent : extent_of(placed.flights, fabric);
  return {extent.last_step, extent.waits};
}

bool reduces(const Fabric& fabric) { return fabric.switches_reduce() && fabric.has_switches(); }

}  // namespace

RetimedFlights retimed(Flights flights, const Fabric& written_for, const Collective& collective, const Fabric& target,
                       const Limits& limits, ReductionsOfSends* words) {
  put_first_hops_first(flights);
  const bool join = packets_join(flights, written_for, collective);
  const auto to_several = [](const Flight& flight) { return flight.target == flight.source; };
  if (forwards(target) && std::any_of(flights.list.begin(), flights.list.end(), to_several)) {
    const auto ordered = [&](WayOrder order) {
      return retimed(forwarded(flights, written_for, order), written_for, collective, target, limits, words);
    };
    RetimedFlights result = ordered(WayOrder::of_the_send);
    RetimedFlights farthest_first = ordered(WayOrder::farthest_first);
    const bool shorter = cost(farthest_first, target).first < cost(result, target).first;
    return shorter ? std::move(farthest_first) : std::move(result);
  }
  refuse_too_many(flights, collective, limits);
  if (!collective.combining()) return retimed_to_copy(std::move(flights), written_for, collective, target, limits);
  const bool same = same_channels(written_for, target);
  if (join && same && reduces(target)) return retimed_joined(flights, written_for, collective, target, limits, words);
  std::optional<RetimedFlights> result;
  const bool may_part = !join || need_not_join(flights, written_for, collective, limits, words);
  if (may_part) result = retimed_apart(flights, written_for, collective, target, limits, words);
  if (!same && reduces(target)) {
    auto joined = joined_elsewhere(flights, written_for, collective, target, limits, words);
    if (joined && (!result || cost(*joined, target) < cost(*result, target))) result = std::move(joined);
  }
  if (result) return *std::move(result);
  fail({},
       fmt::format("this cannot be retimed for {}: {} {}", described(target),
                   may_part ? "no order of its sends was found in which each carries what it carries on"
                            : "what packets bring that join in switches is another thing there than on",
                   described(written_for)),
       Code::unsupported);
}

}  // namespace quadrille
