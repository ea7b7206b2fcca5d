// Sends are placed in the order of their departure. For example, `send 0 -> 1`, `then send 1 -> 2`, `send 0 -> 2` on a
// star: the first send is on its route in the steps 1 and 2, so the second leaves in step 3; the third, written for
// step 2, leaves in step 2 and is at 2 before it.
//
// There is a list of tries, each on an empty fabric. Of the tries after which every processor holds the same as before
// the one with the fewest steps wins, then the one with the fewest waits. For many hops the first such try is taken, or
// the one after it that spreads routes. Copies take the first two: nothing must precede a copy that is placed already.
//   1. Each send takes the shortest route that is free first, and keeps to its last start (list_schedule.h).
//   2. The same, by the route of least load of those free first (least_route.h). As good as the first, it wins if its
//      greatest load is lower.
//   3. The same on default routes: on other routes packets may meet that did not meet before.
//   4. Departures and arrivals are placed apart, in the order in which they are written. An arrival is placed after all
//      departures that must precede it, so packets wait on their routes, at the first node where they may.
//   5. The same by routes of least load: all packets for one processor come by one switch on default routes, so that of
//      72 GPUs behind 18 switches each gets one packet a step where it has 18 lanes.
//   6. The sends that came too late in the end, and those for which they did, make a detour to such a node.
//   7. If all else fails: as the third, but contributions may join earlier than they did. (Of two processors alone on
//      a half-duplex link, one gets the other's contribution before it sends its own; the result is right if both end
//      with both.)
// Where switches reduce, no try lets two packets with one target and part be in a switch at once (meetings.h): so each
// carries what it would carry if switches copied.
//
// There may be very many copies. So a send on its default route is placed by its start alone; its hops are worked out
// whenever somebody looks at them. And the calendar forgets the steps in which no processor will send any more.
//
// Cost: for each time that all are placed, the hops and the steps tried for each send (calendar.h); what combines is
// placed at most a hundred times, fewer for many rows. Memory: some 100 bytes for each flight, and 16 for each hop that
// is stored.
#include "place/steps/placer.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/text/evaluation_error.h"
#include "place/needs/needs.h"
#include "place/steps/meetings.h"
#include "place/steps/transfer_routes.h"
#include "place/steps/tries.h"

namespace quadrille {
namespace {

constexpr std::uint64_t rows_in_all = 20'000'000;
constexpr std::uint64_t most_tried_again = 2000;  // hops: with more, no try follows one that succeeded,
constexpr std::uint64_t most_spread = 200'000;    // but the one that spreads routes, up to so many,
constexpr std::uint64_t most_copies = 2'000'000;  // or, of copies, so many

constexpr std::array all_tries{Try{.as = "whole sends", .chooses = true},
                               Try{.as = "whole sends, spread over equal routes", .chooses = true, .spreads = true},
                               Try{.as = "whole sends"},
                               Try{.as = "sends with stops", .stops = true},
                               Try{.as = "sends with stops, spread over equal routes", .spreads = true, .stops = true},
                               Try{.as = "sends with stops and detours", .stops = true, .detours = true},
                               Try{.as = "sends whose contributions join earlier", .exactly = false}};

class Placer final : public Tries {
 public:
  Placer(Flights flights, const Fabric& written_for, const Collective& collective, const Fabric& target,
         const Limits& limits, ReductionsOfSends* words)
      : written_(std::move(flights)),
        written_for_(written_for),
        collective_(collective),
        target_(target),
        limits_(limits),
        pulse_(limits, 256),
        needs_(needs_of(written_, written_for, target, collective, limits, words)),
        routes_(written_for, target, collective),
        loads_(target),
        detour_(written_.list.size()) {}

  std::optional<RetimedFlights> run() {
    const std::string_view as = best_of(std::span(all_tries).first(collective_.combining() ? all_tries.size() : 2));
    if (as.empty()) return std::nullopt;
    if (as == as_it_is_written) return RetimedFlights{std::move(written_), std::string(as)};
    const FlightsExtent extent = kept_.extent;
    return RetimedFlights{flights_of(std::move(written_.list), std::move(kept_)), std::string(as), kept_.detours,
                          extent};
  }

  void begin() override {
    needs_->clear();
    meetings_.emplace(target_, collective_);
    placed_ = {};
    placed_.sends.resize(written_.list.size());
    for (const std::uint32_t s : late_) detour_[s] = detour_[s] || now().detours;
    late_.clear();
    loads_.clear();
    events_.clear();
    if (now().stops) list_events();
  }

  std::uint32_t size() const override {
    return static_cast<std::uint32_t>(now().stops ? events_.size() : written_.list.size());
  }

  StartBounds bounds(std::uint32_t e) override {
    const std::uint32_t s = event(e).send;
    const Kind kind = event(e).kind;
    sent_.emplace(send(s));
    const auto stop = now().stops ? routes_.stop_in(*sent_, detour_[s], route_, spread_route_of(s)) : std::nullopt;
    if (!now().stops) route_ = routes_.of(*sent_);
    StartBounds bounds;
    if (kind == Kind::crosses) {
      hops_ = route_.hops;
      needs_->bound_departure(s, bounds);
      needs_->bound_arrivals(s, route_.ends, bounds);
    } else if (kind == Kind::departs) {
      hops_ = route_.hops.first(*stop);
      needs_->bound_departure(s, bounds);
    } else {  // from its stop on, as a route of its own
      const std::uint32_t gone = route_.hops[*stop].offset;
      rest_.assign(route_.hops.begin() + *stop, route_.hops.end());
      for (TimedChannel& hop : rest_) hop.offset -= gone;
      hops_ = rest_;
      bounds.not_before(std::int64_t{left_[s]} + route_.hops[*stop - 1].offset + 1);
      needs_->bound_arrivals(s, std::array{rest_.back().offset}, bounds);
    }
    return bounds;
  }

  // The first start at which no packet joins it on its route.
  std::uint32_t find(std::uint32_t e, std::uint32_t first, const Calendar& calendar) override {
    const std::uint32_t s = event(e).send;
    const RouteLoads* loads = now().spreads ? &loads_ : nullptr;
    for (;; ++first) {
      const auto chosen = now().chooses ? routes_.choose(*sent_, calendar, first, route_, loads) : std::nullopt;
      if (chosen) hops_ = route_.hops;
      chosen_ = chosen_ || chosen;
      taken.clear();
      calendar.add_route(hops_, taken);
      first = chosen ? *chosen : calendar.first_free(taken, first);
      if (!meetings_->meets(written_.list[s].chunk, hops_, first)) return first;
      if (pulse_.reached()) fail_at_limit(pulse_.reason(), "retiming the schedule");
    }
  }

  void place(std::uint32_t e, std::uint32_t start) override {
    const std::uint32_t s = event(e).send;
    const Kind kind = event(e).kind;
    if (kind != Kind::arrives) needs_->depart(s, start);
    if (kind == Kind::departs) {
      left_[s] = start;
      return;
    }
    meetings_->book(written_.list[s].chunk, hops_, start);
    if (kind == Kind::crosses) {
      needs_->arrive(s, start, hops_, route_.ends);
    } else {
      needs_->arrive(s, start, hops_, std::array{rest_.back().offset});
    }
    note(s, start);
  }

  std::uint32_t owner(std::uint32_t e) const override { return event(e).send; }
  bool leaves(std::uint32_t e) const override { return event(e).kind != Kind::arrives; }
  void late(std::uint32_t e, std::uint32_t other) override { late_.insert(late_.end(), {event(e).send, other}); }
  std::uint32_t none_before(std::uint32_t e) const override { return now().stops ? 1 : needs_->none_before(e); }

 private:
  enum class Kind : std::uint8_t { departs, crosses, arrives };  // crosses: departs, and arrives without a stop
  struct Event {
    std::uint32_t step = 0;  // as written
    Kind kind = Kind::crosses;
    std::pair<std::uint32_t, std::uint32_t> phase_and_rank;
    std::uint32_t send = 0;
    auto operator<=>(const Event&) const = default;
  };
  struct PlacedSend {
    std::uint64_t first_hop = 0;  // into Placement::hops
    std::uint32_t hops = 0;       // 0: the default route
    std::uint32_t start = 0;
  };
  struct Placement {
    std::vector<PlacedSend> sends;
    std::vector<Hop> hops;  // of sends that do not take their default routes
    FlightsExtent extent;
    std::uint64_t detours = 0;
  };

  // A whole send unless sends stop.
  Event event(std::uint32_t e) const { return now().stops ? events_[e] : Event{0, Kind::crosses, {}, e}; }

  RoutedSend send(std::uint32_t s) { return needs_->send(s, routes_.default_routes_are_of_target()); }

  bool is_worth_it(const Try& next, const Try* best) const override {
    const bool same_if_no_choice = next.spreads || (next.exactly && !next.chooses && !next.stops);
    if (same_if_no_choice && !chosen_) return false;  // it would be the one before
    if (best == nullptr) return true;
    const bool follows = next.spreads && (!next.stops || best->stops);
    if (!collective_.combining()) return kept_.extent.hops <= most_copies;
    return next.exactly && written_.hops.size() <= (follows ? most_spread : most_tried_again);
  }

  bool comes_to_the_same(bool last_resort) override {
    detour_.assign(written_.list.size(), false);
    choose_spread_routes();
    std::uint64_t passes = passes_of(written_.hops.size(), rows_in_all) / (now().stops ? 2 : 1);
    if (!now().exactly || !collective_.combining()) passes = 0;
    const bool well = place_events(*this, target_, {passes}, limits_);
    placed_.detours = static_cast<std::uint64_t>(std::ranges::count(detour_, true));
    return (well || (now().detours && last_resort)) && same_outcome();
  }

  // Packets that meet in switches that reduce are refused; for all others these switches copy.
  bool same_outcome() const {
    if (!collective_.combining()) return true;
    const Flights result = flights_of(written_.list, placed_);
    return !packets_join(result, target_, collective_) && needs_->come_to_the_same(result, target_);
  }

  // Fewer steps; or as many, and fewer waits; or as many, and spread with a lower greatest load.
  bool better_than_kept() override {
    const auto cost = [](const FlightsExtent& of) { return std::pair(of.last_step, of.waits); };
    const auto here = cost(placed_.extent);
    const auto there = cost(kept_.extent);
    return here < there || (here == there && now().spreads && loads_.sum_of_greatest() < load_of_kept());
  }

  void keep() override { kept_ = std::move(placed_); }

  bool written_is_better(bool kept) override {
    return kept && written_for_ == target_ && extent_of(written_, target_).last_step < kept_.extent.last_step &&
           needs_->hold_as_written() && fit_as_written(written_, target_, limits_);
  }

  // Departure and arrival are placed apart, by one route: so it is chosen before.
  void choose_spread_routes() {
    spread_routes_.clear();
    if (!now().spreads || !now().stops) return;
    loads_.clear();
    spread_routes_.reserve(written_.list.size());
    for (std::uint32_t s = 0; s < written_.list.size(); ++s) {
      if (pulse_.reached()) fail_at_limit(pulse_.reason(), "retiming the schedule");
      spread_routes_.push_back(routes_.least_loaded(send(s), loads_));
      loads_.add(spread_routes_.back(), 1);
    }
  }

  std::span<const ChannelId> spread_route_of(std::uint32_t s) const {
    return spread_routes_.empty() ? std::span<const ChannelId>() : spread_routes_[s];
  }

  void list_events() {
    left_.assign(written_.list.size(), 0);
    for (std::uint32_t s = 0; s < written_.list.size(); ++s) {
      if (pulse_.reached()) fail_at_limit(pulse_.reason(), "retiming the schedule");
      const RoutedSend it = send(s);
      const bool stops = routes_.stop_in(it, detour_[s], route_, spread_route_of(s)).has_value();
      events_.push_back({it.written[it.read_hop].step, stops ? Kind::departs : Kind::crosses, {}, s});
      if (stops) events_.push_back({it.ends.back().arrival, Kind::arrives, needs_->phase_and_rank(s), s});
    }
    std::ranges::sort(events_);
  }

  // What arrives has crossed the hops before its stop already.
  void note(std::uint32_t s, std::uint32_t start) {
    const std::size_t own = placed_.hops.size();
    const std::size_t before = route_.hops.size() - hops_.size();
    for (const TimedChannel& hop : route_.hops.first(before))
      placed_.hops.push_back({hop.channel, left_[s] + hop.offset});
    for (const TimedChannel& hop : hops_) placed_.hops.push_back({hop.channel, start + hop.offset});
    const auto hops = std::span<const Hop>(placed_.hops).subspan(own);
    FlightsExtent& extent = placed_.extent;
    extent.hops += hops.size();
    for (const Hop& hop : hops) {
      extent.last_step = std::max(extent.last_step, hop.step);
      if (now().spreads) loads_.add(std::span(&hop.channel, 1), 1);
    }
    if (written_.list[s].target != written_.list[s].source && !hops.empty())
      extent.waits += hops.back().step + 1 - hops.front().step - hops.size();
    placed_.sends[s] = {own, route_.by_default ? 0 : static_cast<std::uint32_t>(hops.size()), start};
    if (route_.by_default) placed_.hops.resize(own);
  }

  static Flight at(Flight flight, const PlacedSend& placed) {
    flight.start = placed.start;
    flight.first_hop = placed.first_hop;
    flight.hops = placed.hops;
    return flight;
  }

  static Flights flights_of(std::vector<Flight> list, Placement placed) {
    for (std::size_t s = 0; s < list.size(); ++s) list[s] = at(list[s], placed.sends[s]);
    return {std::move(list), std::move(placed.hops)};
  }

  // The most that a channel carries, by its lanes and bandwidth.
  double load_of_kept() {
    Flights stored{{}, std::move(kept_.hops)};
    RouteLoads loads(target_);
    FlightHops all(stored, target_);
    for (std::size_t s = 0; s < written_.list.size(); ++s) {
      for (const Hop& hop : all.of(at(written_.list[s], kept_.sends[s]))) loads.add(std::span(&hop.channel, 1), 1);
    }
    kept_.hops = std::move(stored.hops);
    return loads.sum_of_greatest();
  }

  Flights written_;
  const Fabric& written_for_;
  const Collective& collective_;
  const Fabric& target_;
  const Limits& limits_;
  Pulse pulse_;
  std::unique_ptr<SendNeeds> needs_;
  TransferRoutes routes_;
  RouteLoads loads_;     // of what is placed, where routes are spread
  bool chosen_ = false;  // whether there was a choice
  std::optional<Meetings> meetings_;
  std::vector<Event> events_;        // where sends stop
  std::vector<std::uint32_t> left_;  // by send: when it left for its stop
  std::vector<bool> detour_;         // likewise
  // Likewise: with stops, where routes are spread; empty: as of() says.
  std::vector<std::vector<ChannelId>> spread_routes_;
  std::vector<std::uint32_t> late_;  // sends that came too late for others in this pass, and those others
  Placement placed_;
  Placement kept_;
  // Of the event that is placed next.
  std::optional<RoutedSend> sent_;
  TransferRoutes::Route route_;
  std::vector<TimedChannel> rest_;
  std::span<const TimedChannel> hops_;  // what it crosses
};

}  // namespace

std::optional<RetimedFlights> placed_anew(Flights flights, const Fabric& written_for, const Collective& collective,
                                          const Fabric& target, const Limits& limits, ReductionsOfSends* words) {
  return Placer(std::move(flights), written_for, collective, target, limits, words).run();
}

}  // namespace quadrille
