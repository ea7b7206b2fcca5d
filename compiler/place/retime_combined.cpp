// Retiming where packets combine: list scheduling, as where they are copied (retime_copies.h), but a transfer must also
// leave before what it did not carry arrives. Three attempts, each on an
// empty fabric; the first after which everything holds what it should is taken (partial_reductions.h says so):
//   1. As above; where a transfer comes too late for one that is placed already, that one is put off by as many steps,
//      and all are placed again, until all is well or it has been tried often enough.
//   2. Departures and arrivals are placed apart, in the order in which they are written. What arrives then comes after
//      all departures that must be before it: packets wait on the way, at the first node where they may. Where a route
//      has no such node and its packet comes too early, it makes a detour to one, and all are placed again.
//   3. As the first, with contributions that join earlier than they did. (Of two processors alone on a half-duplex
//   link,
//      one must get the other's contribution before it sends its own; nothing is wrong if both end with both.)
// Where switches reduce, no two packets with one target and part are ever in a switch at once (meetings.h), in none of
// the attempts: so they carry what they would if switches copied.
// If none is, they are made once more with packets that go from origin to target without the relays that are written.
//
// Cost: rows, and the steps tried for each (calendar.h), for each time that all are placed; at most a hundred times,
// fewer for many rows.
#include "compiler/place/retime_combined.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "compiler/evaluate/instance.h"
#include "compiler/place/first_start.h"
#include "compiler/place/meetings.h"
#include "compiler/place/placement.h"
#include "compiler/place/retime_outcome.h"
#include "compiler/place/transfer_routes.h"
#include "compiler/place/transfers.h"
#include "compiler/plan/held/partial_reductions.h"

namespace quadrille {
namespace {

class CombinedRetimer {
 public:
  CombinedRetimer(const Flights& flights, const Fabric& written_for, const Collective& collective, const Fabric& target,
                  const Limits& limits, WordsOfSends* words)
      : written_(flights),
        written_for_(written_for),
        collective_(collective),
        target_(target),
        limits_(limits),
        words_(words),
        pulse_(limits, 256),
        reductions_(partial_reductions(flights, written_for, collective, limits, words)),
        transfers_(transfers_of(flights, written_for, collective, &reductions_)),
        routes_(flights, transfers_, written_for, target, collective),
        starts_(flights.list.size()) {}

  // Nothing if no attempt comes to the same.
  std::optional<Flights> run() {
    if (!as_combined()) return std::nullopt;
    // Greedy placing can come out longer than what is written; then what is written is better, if it keeps the rules.
    if (written_for_ == target_ && written_.last_step() < result_.last_step() && fits(written_, target_))
      return written_;
    return std::move(result_);
  }

 private:
  // By other routes packets may meet on the way that did not: then all keep to default ones.
  bool as_combined() {
    if (place_exactly() && same_outcome()) return true;
    choose_ = false;
    return (chosen_ && place_exactly() && same_outcome()) || (place_with_stops() && same_outcome()) ||
           (place_all(false), same_outcome());
  }

  void begin() {
    placement_.emplace(transfers_, target_, collective_);
    meetings_.emplace(target_, collective_);
    result_.list = written_.list;
    result_.hops.clear();
  }

  void look_at_limits() {
    if (pulse_.reached()) fail_at_limit(pulse_.reason(), "retiming the schedule");
  }

  // --- first attempt: every transfer in one piece --------------------------------------------------------------------

  bool place_exactly() {
    not_before_.assign(written_.list.size(), 1);
    for (std::uint64_t passes = most_passes(); passes > 0; --passes) {
      if (place_all(true)) return true;
    }
    return false;
  }

  std::uint64_t most_passes() const {
    constexpr std::uint64_t rows_in_all = 20'000'000;  // some seconds
    return std::clamp<std::uint64_t>(rows_in_all / (written_.hops.size() + 1), 4, 100);
  }

  // Whether all carry what they carried; if not, those that came too early have been put off.
  bool place_all(bool exactly) {
    begin();
    if (!exactly) not_before_.assign(written_.list.size(), 1);
    bool all_well = true;
    for (std::uint32_t t = 0; t < written_.list.size(); ++t) {
      look_at_limits();
      TransferRoutes::Route route = routes_.of(t);
      StartBounds bounds;
      bounds.not_before(not_before_[t]);
      placement_->bound_departure(t, bounds);
      placement_->bound_arrivals(t, route.ends, bounds);
      const std::uint32_t start = start_apart(t, bounds, route);
      if (exactly && start > bounds.last) {
        put_off(start, bounds);
        all_well = false;
      }
      place(t, route, start);
    }
    return all_well;
  }

  // The first start at which nothing joins it on its way.
  std::uint32_t start_apart(std::uint32_t t, StartBounds& bounds, TransferRoutes::Route& route) {
    while (true) {
      const std::uint32_t start = choose_
                                      ? first_start_by_any(t, bounds, placement_->calendar(), routes_, route, chosen_)
                                      : first_start(route.hops, bounds, placement_->calendar());
      if (!meetings_->meets(written_.list[t].chunk, route.hops, start)) return start;
      look_at_limits();
      bounds.not_before(std::int64_t{start} + 1);
    }
  }

  // In the next pass, what must not come before `start` any more leaves later.
  void put_off(std::uint32_t start, const StartBounds& bounds) {
    std::uint32_t& first = not_before_[bounds.last_from];
    first = std::max(first, starts_[bounds.last_from] + static_cast<std::uint32_t>(start - bounds.last));
  }

  void place(std::uint32_t t, const TransferRoutes::Route& route, std::uint32_t start) {
    starts_[t] = start;
    placement_->calendar().book(route.hops, start);
    meetings_->book(written_.list[t].chunk, route.hops, start);
    placement_->depart(t, start);
    placement_->arrive(t, start, route.ends);
    Flight& flight = result_.list[t];
    flight.first_hop = result_.hops.size();
    flight.hops = static_cast<std::uint32_t>(route.hops.size());
    for (const TimedChannel& hop : route.hops) result_.hops.push_back({hop.channel, start + hop.offset});
  }

  // --- second attempt: departures and arrivals apart -----------------------------------------------------------------

  enum class Kind : std::uint8_t { departs, crosses, arrives };  // crosses: departs, and arrives without a stop
  struct Event {
    std::uint32_t step = 0;  // as written
    Kind kind = Kind::departs;
    std::uint32_t phase = 0;  // of its first write
    std::uint32_t rank = 0;   // likewise
    std::uint32_t transfer = 0;
    auto operator<=>(const Event&) const = default;
  };

  // A transfer that has left, and waits at its stop.
  struct Waiting {
    std::uint32_t start = 0;
    std::uint32_t hops = 0;  // behind it; 0: it does not wait
  };

  std::vector<Event> events() {
    std::vector<Event> events;
    for (std::uint32_t t = 0; t < transfers_.list.size(); ++t) {
      look_at_limits();
      const Transfer& transfer = transfers_.list[t];
      const auto writes = transfers_.writes_of(transfer);
      const CellWrite write = writes.empty() ? CellWrite{} : writes.front();
      TransferRoutes::Route route;
      const bool stops = routes_.stop_in(t, detour_[t], route).has_value();
      events.push_back({transfer.departure, stops ? Kind::departs : Kind::crosses, 0, 0, t});
      if (stops)
        events.push_back({transfers_.ends_of(transfer).back().arrival, Kind::arrives, write.phase, write.rank, t});
    }
    std::sort(events.begin(), events.end());
    return events;
  }

  // Those that cannot stop may still come too early for others: in the first half of the passes they are put off, in
  // the second they also make a detour to a node where they can stop.
  bool place_with_stops() {
    detour_.assign(transfers_.list.size(), false);
    not_before_.assign(transfers_.list.size(), 1);
    const std::uint64_t most = most_passes();
    for (std::uint64_t pass = 0; pass < most; ++pass) {
      begin();
      waiting_.assign(transfers_.list.size(), {});
      late_.clear();
      for (const Event& event : events()) {
        look_at_limits();
        event.kind == Kind::arrives ? arrive(event.transfer) : depart(event.transfer);
      }
      if (late_.empty()) return true;
      for (const std::uint32_t t : late_) detour_[t] = detour_[t] || pass >= most / 2;
      if (pass == most / 2) not_before_.assign(transfers_.list.size(), 1);
    }
    return true;  // perhaps it does not matter
  }

  void note_late(std::uint32_t t, std::uint32_t start, const StartBounds& bounds) {
    if (start <= bounds.last) return;
    late_.push_back(t);
    late_.push_back(bounds.last_from);
    put_off(start, bounds);
  }

  void depart(std::uint32_t t) {
    TransferRoutes::Route route;
    const auto stop = routes_.stop_in(t, detour_[t], route);
    StartBounds bounds;
    bounds.not_before(not_before_[t]);
    placement_->bound_departure(t, bounds);
    if (!stop) placement_->bound_arrivals(t, route.ends, bounds);
    // With a stop only the way to it is placed now; the rest, when its arrival comes up in the order as written.
    const auto first_part = stop ? route.hops.first(*stop) : route.hops;
    const std::uint32_t start = first_start(first_part, bounds, placement_->calendar());
    note_late(t, start, bounds);
    if (!stop) return place(t, route, start);
    waiting_[t] = {start, *stop};
    placement_->calendar().book(first_part, start);
    placement_->depart(t, start);
  }

  void arrive(std::uint32_t t) {
    const Waiting waiting = waiting_[t];
    if (waiting.hops == 0) return;
    TransferRoutes::Route route;
    routes_.stop_in(t, detour_[t], route);
    // The second part of the route is placed as a route of its own, from offset 0.
    const std::uint32_t gone = route.hops[waiting.hops].offset;
    std::vector<TimedChannel> rest(route.hops.begin() + waiting.hops, route.hops.end());
    for (TimedChannel& hop : rest) hop.offset -= gone;
    const std::vector<std::uint32_t> end = {rest.back().offset};
    StartBounds bounds;
    bounds.not_before(std::int64_t{waiting.start} + route.hops[waiting.hops - 1].offset + 1);
    placement_->bound_arrivals(t, end, bounds);
    const std::uint32_t start = first_start(rest, bounds, placement_->calendar());
    note_late(t, start, bounds);
    starts_[t] = waiting.start;
    placement_->calendar().book(rest, start);
    placement_->arrive(t, start, end);
    Flight& flight = result_.list[t];
    flight.first_hop = result_.hops.size();
    flight.hops = static_cast<std::uint32_t>(route.hops.size());
    for (std::uint32_t h = 0; h < route.hops.size(); ++h) {
      const std::uint32_t step =
          h < waiting.hops ? waiting.start + route.hops[h].offset : start + (route.hops[h].offset - gone);
      result_.hops.push_back({route.hops[h].channel, step});
    }
  }

  // Of flights that do not meet in switches that reduce, as if these copied.
  bool same_outcome() const {
    return !packets_join(result_, target_, collective_) &&
           retimed_to_the_same(result_, reductions_, target_, collective_, limits_, words_);
  }

  const Flights& written_;
  const Fabric& written_for_;
  const Collective& collective_;
  const Fabric& target_;
  const Limits& limits_;
  WordsOfSends* words_;
  Pulse pulse_;
  PartialReductions reductions_;  // as written
  Transfers transfers_;
  TransferRoutes routes_;
  std::optional<Placement> placement_;
  std::optional<Meetings> meetings_;
  bool choose_ = true;   // routes, where there is a choice
  bool chosen_ = false;  // whether there was one
  Flights result_;
  std::vector<std::uint32_t> starts_;      // by transfer
  std::vector<std::uint32_t> not_before_;  // likewise
  std::vector<bool> detour_;               // likewise
  std::vector<Waiting> waiting_;           // likewise
  std::vector<std::uint32_t> late_;        // transfers that came too late for others, and those others
};

}  // namespace

std::optional<Flights> retimed_combined(const Flights& flights, const Fabric& written_for, const Collective& collective,
                                        const Fabric& target, const Limits& limits, WordsOfSends* words) {
  return CombinedRetimer(flights, written_for, collective, target, limits, words).run();
}

}  // namespace quadrille
