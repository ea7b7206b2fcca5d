// List scheduling of rows, in an order in which each comes after all that it must wait for (joined_order.h): the next
// one takes the first step in which there is room. Those that can only move together are placed together. As there is
// nothing that a row must come before but what is placed later, there always is such a step.
//
// For example, 1 and 2 send to 0 around a switch, in steps 1 and 3 over channels of their own, and one row leaves the
// switch in step 5: both are placed in step 1, and the row that leaves in step 2. Whether all carry what they carried
// is then worked out from nothing (joined_rows.h). Cost: rows · log(rows), the steps tried, and the sets, twice.
#include "compiler/place/retime_joined.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "compiler/evaluate/instance.h"
#include "compiler/place/calendar.h"
#include "compiler/place/first_start.h"
#include "compiler/place/joined_order.h"
#include "compiler/place/joined_rows.h"
#include "compiler/place/retime_outcome.h"
#include "compiler/place/taken_together.h"
#include "compiler/plan/held/partial_reductions.h"
#include "model/described.h"

namespace quadrille {
namespace {

class JoinedRetimer {
 public:
  JoinedRetimer(const Flights& flights, const Fabric& written_for, const Collective& collective, const Fabric& target,
                const Limits& limits, WordsOfSends* words)
      : written_(flights),
        collective_(collective),
        target_(target),
        limits_(limits),
        words_(words),
        pulse_(limits, 256),
        rows_(joined_rows(flights, written_for, collective, limits, words)),
        calendar_(target),
        taken_(target) {}

  Flights run() {
    if (rows_.faults > 0) return as_written("what they carry breaks the rules of joining there");
    place_all();
    Flights result = written_;
    for (std::size_t h = 0; h < result.hops.size(); ++h) result.hops[h].step = steps_[rows_.of_hops[h]];
    const bool same = carries_the_same(result);
    if (!same) return as_written("no order of their rows was found in which each carries what it carries");
    if (result.last_step() > written_.last_step() && fits_as_written()) return written_;
    return result;
  }

 private:
  const Flights& as_written(const char* why_not_anew) const {
    if (!fits_as_written()) refuse(why_not_anew);
    return written_;
  }

  [[noreturn]] void refuse(const char* why) const {
    fail({}, fmt::format("packets that join in switches cannot be retimed on {}: {}", described(target_), why),
         Code::unsupported);
  }

  void place_all() {
    const EventOrder order = order_of(rows_, written_, target_, collective_);
    const auto clusters = order.clusters();
    shared_ = std::ranges::any_of(clusters, [&](const auto& cluster) { return taken_.shares(route_of(cluster)); });
    for (const EventOrder::Cluster& cluster : clusters) place(order, cluster);
  }

  // The cluster's rows, as one route.
  std::vector<TimedChannel> route_of(const EventOrder::Cluster& cluster) const {
    std::vector<TimedChannel> route;
    for (const std::uint32_t event : cluster.events) {
      if (event < rows_.rows.size())
        route.push_back({rows_.rows[event].channel, rows_.rows[event].step - cluster.step});
    }
    std::ranges::stable_sort(route, {}, &TimedChannel::offset);
    return route;
  }

  void place(const EventOrder& order, const EventOrder::Cluster& cluster) {
    if (pulse_.reached()) fail_at_limit(pulse_.reason(), "retiming the schedule");
    StartBounds bounds;
    for (const std::uint32_t event : cluster.events) {
      const std::uint32_t offset = order.step(event) - cluster.step;
      order.for_all_before(event, [&](std::uint32_t from, std::uint32_t steps) {
        if (from < steps_.size() && steps_[from] != unplaced)
          bounds.not_before(std::int64_t{steps_[from]} + steps - offset);
      });
    }
    const std::vector<TimedChannel> route = route_of(cluster);
    const std::uint32_t start = first_with_room(route, bounds);
    calendar_.book(route, start);
    if (shared_) taken_.take(route, start);
    for (const std::uint32_t event : cluster.events) {
      if (event >= steps_.size()) steps_.resize(event + 1, unplaced);
      steps_[event] = start + (order.step(event) - cluster.step);
    }
  }

  // Each hop's room alone is not enough where several take of the same.
  std::uint32_t first_with_room(std::span<const TimedChannel> route, StartBounds bounds) {
    if (route.empty()) return bounds.first_step();
    if (shared_ && !taken_.fits_alone(route)) {
      refuse("rows that must be in one step have no room there");
    }
    while (true) {
      const std::uint32_t start = first_start(route, bounds, calendar_);
      if (!shared_ || taken_.room(route, start)) return start;
      if (pulse_.reached()) fail_at_limit(pulse_.reason(), "retiming the schedule");
      bounds.not_before(std::int64_t{start} + 1);
    }
  }

  bool fits_as_written() const {
    Calendar calendar(target_);
    return std::ranges::all_of(rows_.rows, [&](const JoinedRow& row) {
      if (!calendar.free(row.channel, row.step)) return false;
      calendar.book(row.channel, row.step);
      return true;
    });
  }

  bool carries_the_same(const Flights& flights) const {
    const JoinedRows now = joined_rows(flights, target_, collective_, limits_, words_);
    if (now.faults > 0 || now.rows.size() != rows_.rows.size()) return false;
    for (std::size_t h = 0; h < flights.hops.size(); ++h) {
      if (*now.rows[now.of_hops[h]].carried != *rows_.rows[rows_.of_hops[h]].carried) return false;
    }
    const auto same = [&](const auto& entry) { return held_in(now, entry.first) == held_in(rows_, entry.first); };
    return std::ranges::all_of(now.held, same) && std::ranges::all_of(rows_.held, same);
  }

  static constexpr std::uint32_t unplaced = 0;

  const Flights& written_;
  const Collective& collective_;
  const Fabric& target_;
  const Limits& limits_;
  WordsOfSends* words_;
  Pulse pulse_;
  JoinedRows rows_;  // as written
  Calendar calendar_;
  TakenTogether taken_;
  bool shared_ = false;               // some rows that are placed together take of the same
  std::vector<std::uint32_t> steps_;  // by event
};

}  // namespace

Flights retimed_joined(const Flights& flights, const Fabric& written_for, const Collective& collective,
                       const Fabric& target, const Limits& limits, WordsOfSends* words) {
  return JoinedRetimer(flights, written_for, collective, target, limits, words).run();
}

bool need_not_join(const Flights& flights, const Fabric& fabric, const Collective& collective, const Limits& limits,
                   WordsOfSends* words) {
  const JoinedRows joined = joined_rows(flights, fabric, collective, limits, words);
  const PartialReductions apart = partial_reductions(flights, fabric, collective, limits, words);
  if (apart.ended != Reason::none) fail_at_limit(apart.ended, "retiming the schedule");
  const auto same = [&](const auto& entry) {
    const auto found = apart.held.find(entry.first);
    if (found != apart.held.end()) return held_in(joined, entry.first) == found->second;
    return held_in(joined, entry.first) == held_in({}, entry.first);
  };
  return joined.faults == 0 && apart.faults == 0 && std::ranges::all_of(joined.held, same) &&
         std::ranges::all_of(apart.held, same);
}

}  // namespace quadrille
