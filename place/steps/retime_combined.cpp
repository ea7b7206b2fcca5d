// A transfer leaves after the contributions that it carries have arrived, as copies do (retime_copies.h), and before
// the others arrive. There is a list of tries, each on an empty fabric. Of the tries after which every processor holds
// the same as before (partial_reductions.h), the one with the fewest steps wins, then the one with the fewest waits.
// For many hops the first such try is taken, or the one after it that spreads routes:
//   1. Each transfer takes the shortest route that is free first, and keeps to its last start (list_schedule.h).
//   2. The same, by the route of least load of those free first (least_route.h). As good as the first, it wins if its
//      greatest load is lower.
//   3. The same on default routes: on other routes packets may meet that did not meet before.
//   4. Departures and arrivals are placed apart, in the order in which they are written. An arrival is placed after all
//      departures that must precede it, so packets wait on their routes, at the first node where they may.
//   5. The same by routes of least load: all packets for one processor come by one switch on default routes, so that of
//      72 GPUs behind 18 switches each gets one packet a step where it has 18 lanes.
//   6. The transfers that came too late in the end, and those for which they did, make a detour to such a node.
//   7. If all else fails: as the third, but contributions may join earlier than they did. (Of two processors alone on
//      a half-duplex link, one gets the other's contribution before it sends its own; the result is right if both end
//      with both.)
// Where switches reduce, no try lets two packets with one target and part be in a switch at once (meetings.h): so each
// carries what it would carry if switches copied.
//
// Cost: for each time that all are placed, the rows and the steps tried for each (calendar.h); all are placed at most a
// hundred times, fewer for many rows.
#include "place/steps/retime_combined.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "model/text/evaluation_error.h"
#include "place/calendar/list_schedule.h"
#include "place/held/partial_reductions.h"
#include "place/steps/meetings.h"
#include "place/steps/placement.h"
#include "place/steps/retime_outcome.h"
#include "place/steps/transfer_routes.h"
#include "place/steps/transfers.h"

namespace quadrille {
namespace {

constexpr std::uint64_t rows_in_all = 20'000'000;
constexpr std::uint64_t most_tried_again = 2000;  // hops: with more, no try follows one that succeeded,
constexpr std::uint64_t most_spread = 200'000;    // but the one that spreads routes, up to so many

struct Try {
  const char* as = "";
  bool chooses = false;  // routes, where there is a choice
  bool spreads = false;  // chooses routes of least load
  bool stops = false;    // on the way, where packets can
  bool detours = false;  // to where they can
  bool exactly = true;   // all keep to their last starts
};

class Combined final : public Events {
 public:
  Combined(const Flights& flights, const Fabric& written_for, const Collective& collective, const Fabric& target,
           const Limits& limits, ReductionsOfSends* words)
      : written_(flights),
        written_for_(written_for),
        collective_(collective),
        target_(target),
        limits_(limits),
        words_(words),
        pulse_(limits, 256),
        reductions_(partial_reductions(flights, written_for, collective, limits, words)),
        transfers_(transfers_of(flights, written_for, collective, reductions_)),
        routes_(written_for, target, collective),
        loads_(target),
        detour_(flights.list.size()) {}

  // Nothing if no try delivers the same.
  std::optional<RetimedFlights> run() {
    constexpr std::array tries{Try{.as = "whole sends", .chooses = true},
                               Try{.as = "whole sends, spread over equal routes", .chooses = true, .spreads = true},
                               Try{.as = "whole sends"},
                               Try{.as = "sends with stops", .stops = true},
                               Try{.as = "sends with stops, spread over equal routes", .spreads = true, .stops = true},
                               Try{.as = "sends with stops and detours", .stops = true, .detours = true},
                               Try{.as = "sends whose contributions join earlier", .exactly = false}};
    std::optional<RetimedFlights> best;
    bool with_stops = false;  // the best has them
    for (const Try& next : tries) {
      const bool follows = next.spreads && (!next.stops || with_stops);
      const std::uint64_t most = follows ? most_spread : most_tried_again;
      if (best && (written_.hops.size() > most || !next.exactly)) continue;
      if (!comes_to_the_same(next, !best) || (best && !better_than(best->flights))) continue;
      with_stops = next.stops;
      best = {result_, next.as, static_cast<std::uint64_t>(std::ranges::count(detour_, true))};
    }
    // Greedy placing can come out longer than what is written; then what is written is better, if it keeps the rules.
    if (best && written_for_ == target_ && written_.last_step() < best->flights.last_step() &&
        fit_as_written(written_, target_, limits_))
      return RetimedFlights{written_, as_it_is_written};
    return best;
  }

  void begin() override {
    placement_.emplace(transfers_, target_.processors());
    meetings_.emplace(target_, collective_);
    result_.list = written_.list;
    result_.hops.clear();
    for (const std::uint32_t t : late_) detour_[t] = detour_[t] || try_.detours;
    late_.clear();
    loads_.clear();
    list_events();
  }

  std::uint32_t size() const override { return static_cast<std::uint32_t>(events_.size()); }

  StartBounds bounds(std::uint32_t e) override {
    const auto [t, kind] = std::pair(events_[e].transfer, events_[e].kind);
    const auto stop = try_.stops ? routes_.stop_in(send(t), detour_[t], route_, spread_route_of(t)) : std::nullopt;
    if (!try_.stops) route_ = routes_.of(send(t));
    StartBounds bounds;
    if (kind == Kind::crosses) {
      hops_ = route_.hops;
      placement_->bound_departure(t, bounds);
      placement_->bound_arrivals(t, route_.ends, bounds);
    } else if (kind == Kind::departs) {
      hops_ = route_.hops.first(*stop);
      placement_->bound_departure(t, bounds);
    } else {  // from its stop on, as a route of its own
      const std::uint32_t gone = route_.hops[*stop].offset;
      rest_.assign(route_.hops.begin() + *stop, route_.hops.end());
      for (TimedChannel& hop : rest_) hop.offset -= gone;
      hops_ = rest_;
      bounds.not_before(std::int64_t{left_[t]} + route_.hops[*stop - 1].offset + 1);
      placement_->bound_arrivals(t, std::array{rest_.back().offset}, bounds);
    }
    return bounds;
  }

  // The first start at which no packet joins it on its route.
  std::uint32_t find(std::uint32_t e, std::uint32_t first, const Calendar& calendar) override {
    const std::uint32_t t = events_[e].transfer;
    const RouteLoads* loads = try_.spreads ? &loads_ : nullptr;
    for (;; ++first) {
      const auto chosen = try_.chooses ? routes_.choose(send(t), calendar, first, route_, loads) : std::nullopt;
      if (chosen) hops_ = route_.hops;
      chosen_ = chosen_ || chosen;
      taken.clear();
      calendar.add_route(hops_, taken);
      first = chosen ? *chosen : calendar.first_free(taken, first);
      if (!meetings_->meets(written_.list[t].chunk, hops_, first)) return first;
      if (pulse_.reached()) fail_at_limit(pulse_.reason(), "retiming the schedule");
    }
  }

  void place(std::uint32_t e, std::uint32_t start) override {
    const auto [t, kind] = std::pair(events_[e].transfer, events_[e].kind);
    if (kind != Kind::arrives) placement_->depart(t, start);
    if (kind == Kind::departs) {
      left_[t] = start;
      return;
    }
    meetings_->book(written_.list[t].chunk, hops_, start);
    placement_->arrive(t, start, kind == Kind::crosses ? route_.ends : std::array{rest_.back().offset});
    Flight& flight = result_.list[t];
    flight.first_hop = result_.hops.size();
    flight.hops = static_cast<std::uint32_t>(route_.hops.size());
    const std::size_t before = route_.hops.size() - hops_.size();
    for (const TimedChannel& hop : route_.hops.first(before)) {
      result_.hops.push_back({hop.channel, left_[t] + hop.offset});
    }
    for (const TimedChannel& hop : hops_) result_.hops.push_back({hop.channel, start + hop.offset});
    if (!try_.spreads) return;
    for (const TimedChannel& hop : route_.hops) loads_.add(std::span(&hop.channel, 1), 1);
  }

  std::uint32_t owner(std::uint32_t e) const override { return events_[e].transfer; }
  bool leaves(std::uint32_t e) const override { return events_[e].kind != Kind::arrives; }
  void late(std::uint32_t e, std::uint32_t other) override { late_.insert(late_.end(), {events_[e].transfer, other}); }

 private:
  enum class Kind : std::uint8_t { departs, crosses, arrives };  // crosses: departs, and arrives without a stop
  struct Event {
    std::uint32_t step = 0;  // as written
    Kind kind = Kind::departs;
    std::uint32_t phase = 0;  // of its first write
    std::uint32_t rank = 0;   // likewise
    std::uint32_t transfer = 0;
    auto operator<=>(const Event&) const = default;
  };

  RoutedSend send(std::uint32_t t) const {
    const Transfer& transfer = transfers_.list[t];
    const Flight& flight = written_.list[t];
    return {flight, written_.of(flight), transfer.read_hop, transfer.source, transfers_.ends_of(transfer)};
  }

  // `last_resort`: contributions may join earlier where the outcome is the same.
  bool comes_to_the_same(const Try& next, bool last_resort) {
    const bool same_if_no_choice = next.spreads || (next.exactly && !next.chooses && !next.stops);
    if (same_if_no_choice && !chosen_) return false;  // it would be the one before
    try_ = next;
    detour_.assign(written_.list.size(), false);
    choose_spread_routes();
    const std::uint64_t passes = passes_of(written_.hops.size(), rows_in_all) / (next.stops ? 2 : 1);
    const bool well = place_events(*this, target_, {next.exactly ? passes : 0}, limits_);
    return (well || (next.detours && last_resort)) && same_outcome();
  }

  // Departure and arrival are placed apart, by one route: so it is chosen before.
  void choose_spread_routes() {
    spread_routes_.clear();
    if (!try_.spreads || !try_.stops) return;
    loads_.clear();
    spread_routes_.reserve(transfers_.list.size());
    for (std::uint32_t t = 0; t < transfers_.list.size(); ++t) {
      if (pulse_.reached()) fail_at_limit(pulse_.reason(), "retiming the schedule");
      spread_routes_.push_back(routes_.least_loaded(send(t), loads_));
      loads_.add(spread_routes_.back(), 1);
    }
  }

  std::span<const ChannelId> spread_route_of(std::uint32_t t) const {
    return spread_routes_.empty() ? std::span<const ChannelId>() : spread_routes_[t];
  }

  void list_events() {
    events_.clear();
    left_.assign(written_.list.size(), 0);
    for (std::uint32_t t = 0; t < transfers_.list.size(); ++t) {
      if (pulse_.reached()) fail_at_limit(pulse_.reason(), "retiming the schedule");
      const Transfer& transfer = transfers_.list[t];
      const auto writes = transfers_.writes_of(transfer);
      const CellWrite write = writes.empty() ? CellWrite{} : writes.front();
      const bool stops = try_.stops && routes_.stop_in(send(t), detour_[t], route_, spread_route_of(t));
      events_.push_back({transfer.departure, stops ? Kind::departs : Kind::crosses, 0, 0, t});
      if (stops)
        events_.push_back({transfers_.ends_of(transfer).back().arrival, Kind::arrives, write.phase, write.rank, t});
    }
    if (try_.stops) std::ranges::sort(events_);
  }

  // Fewer steps; or as many, and fewer waits; or as many, and spread with a lower greatest load.
  bool better_than(const Flights& best) const {
    if (better(result_, best, target_)) return true;
    return try_.spreads && !better(best, result_, target_) && loads_.sum_of_greatest() < greatest_load(best, target_);
  }

  // Packets that meet in switches that reduce are refused; for all others these switches copy.
  bool same_outcome() const {
    return !packets_join(result_, target_, collective_) &&
           retimed_to_the_same(result_, reductions_, target_, collective_, limits_, words_);
  }

  const Flights& written_;
  const Fabric& written_for_;
  const Collective& collective_;
  const Fabric& target_;
  const Limits& limits_;
  ReductionsOfSends* words_;
  Pulse pulse_;
  PartialReductions reductions_;  // as written
  Transfers transfers_;
  TransferRoutes routes_;
  RouteLoads loads_;  // of what is placed, where routes are spread
  Try try_;
  bool chosen_ = false;  // whether there was a choice
  std::optional<Placement> placement_;
  std::optional<Meetings> meetings_;
  std::vector<Event> events_;
  std::vector<std::uint32_t> left_;  // by transfer: when it left for its stop
  std::vector<bool> detour_;         // likewise
  // Likewise: with stops, where routes are spread; empty: as of() says.
  std::vector<std::vector<ChannelId>> spread_routes_;
  std::vector<std::uint32_t> late_;  // transfers that came too late for others in this pass, and those others
  Flights result_;
  // Of the event that is placed next.
  TransferRoutes::Route route_;
  std::vector<TimedChannel> rest_;
  std::span<const TimedChannel> hops_;  // what it crosses
};

}  // namespace

std::optional<RetimedFlights> retimed_combined(const Flights& flights, const Fabric& written_for,
                                               const Collective& collective, const Fabric& target, const Limits& limits,
                                               ReductionsOfSends* words) {
  return Combined(flights, written_for, collective, target, limits, words).run();
}

}  // namespace quadrille
