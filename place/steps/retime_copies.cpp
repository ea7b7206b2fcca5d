// Sends are placed one after another, in the order of their departure. Each takes the first step in which every hop of
// its route finds a free lane and free ports, after the copy that it takes has come (copies_held.h). For example, `send
// 0 -> 1`, `then send 1 -> 2`, `send 0 -> 2` on a star: the first send is on its route in the steps 1 and 2, so the
// second leaves in step 3; the third, written for step 2, leaves in step 2 and is at 2 before it.
//
// There may be very many sends. So a send on its default route is placed by its start alone; its hops are worked out
// whenever somebody looks at them. And the calendar forgets the steps in which no processor will send any more: none
// leaves before its last departure.
//
// Cost: hops, and the steps tried for each send (calendar.h). Memory: some 100 bytes for each flight, and 16 for each
// hop that is stored.
#include "place/steps/retime_copies.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "place/calendar/list_schedule.h"
#include "place/flights/flight_walk.h"
#include "place/steps/copies_held.h"
#include "place/steps/needed_passages.h"
#include "place/steps/transfer_routes.h"

namespace quadrille {
namespace {

class Copies final : public Events {
 public:
  Copies(Flights flights, const Fabric& written_for, const Collective& collective, const Fabric& target)
      : flights_(std::move(flights)),
        hops_(flights_, written_for),
        written_for_(written_for),
        collective_(collective),
        target_(target),
        passages_(needed_passages(flights_, written_for, collective)),
        routes_(written_for, target, collective),
        loads_(target),
        held_(target.processors(), flights_.list.size()),
        last_of_(target.processors()) {
    for (std::uint32_t f = 0; f < flights_.list.size(); ++f) {
      held_.note_send(flights_.list[f].chunk);
      last_of_[source_of(f).value] = f;
    }
  }

  RetimedFlights run(const Limits& limits) {
    place_events(*this, target_, {}, limits);
    const char* const as = spread(limits) ? "whole sends, spread over equal routes" : "whole sends";
    // Greedy placing can come out longer than what is written; then what is written is better, if it keeps the rules.
    if (written_for_ == target_ && extent_of(flights_, target_).last_step < extent_.last_step &&
        copies_come_in_time(flights_, target_, collective_) && fit_as_written(flights_, target_, limits))
      return {std::move(flights_), as_it_is_written};
    for (std::uint32_t f = 0; f < flights_.list.size(); ++f) {
      Flight& flight = flights_.list[f];
      flight.start = placed_[f].start;
      flight.first_hop = placed_[f].first_hop;
      flight.hops = placed_[f].hops;
    }
    flights_.hops = std::move(placed_hops_);
    return {std::move(flights_), as, 0, extent_};
  }

  void begin() override {
    held_.clear();
    placed_.clear();
    placed_.reserve(flights_.list.size());
    placed_hops_.clear();
    extent_ = {};
    loads_.clear();
  }
  std::uint32_t size() const override { return static_cast<std::uint32_t>(flights_.list.size()); }

  StartBounds bounds(std::uint32_t f) override { return held_.bounds(flights_.list[f].chunk, source_of(f)); }

  std::uint32_t find(std::uint32_t f, std::uint32_t first, const Calendar& calendar) override {
    const RoutedSend sent = send(f);
    route_ = routes_.of(sent);
    const auto chosen = routes_.choose(sent, calendar, first, route_, spreads_ ? &loads_ : nullptr);
    chosen_ = chosen_ || chosen;
    taken.clear();
    calendar.add_route(route_.hops, taken);
    return chosen ? *chosen : calendar.first_free(taken, first);
  }

  void place(std::uint32_t f, std::uint32_t start) override {
    held_.leave(source_of(f), start);
    placed_.push_back({placed_hops_.size(), 0, start});
    for (const TimedChannel& hop : route_.hops) {
      const std::uint32_t step = start + hop.offset;
      extent_.last_step = std::max(extent_.last_step, step);
      const NodeId to = target_.channel(hop.channel).to;
      if (target_.is_processor(to)) held_.arrive(flights_.list[f].chunk, to, step);
      if (!route_.by_default) placed_hops_.push_back({hop.channel, step});
      if (spreads_) loads_.add(std::span(&hop.channel, 1), 1);
    }
    extent_.hops += route_.hops.size();
    if (flights_.list[f].target != flights_.list[f].source && !route_.hops.empty())
      extent_.waits += route_.hops.back().offset + 1 - route_.hops.size();
    placed_.back().hops = static_cast<std::uint32_t>(placed_hops_.size() - placed_.back().first_hop);
  }

  std::uint32_t none_before(std::uint32_t f) const override {
    std::uint32_t first = std::numeric_limits<std::uint32_t>::max();
    for (NodeId p(0); p.value < target_.processors(); ++p.value) {
      if (last_of_[p.value] >= f) first = std::min(first, held_.last_departure(p));
    }
    return first;
  }

 private:
  struct PlacedFlight {
    std::uint64_t first_hop = 0;  // into placed_hops_
    std::uint32_t hops = 0;       // 0: the default route
    std::uint32_t start = 0;
  };

  static constexpr std::uint64_t most_spread = 2'000'000;  // hops: with more, routes are not spread

  // What is placed, as flights.
  Flights placed() const {
    Flights result{flights_.list, placed_hops_};
    for (std::uint32_t f = 0; f < placed_.size(); ++f) {
      result.list[f].start = placed_[f].start;
      result.list[f].first_hop = placed_[f].first_hop;
      result.list[f].hops = placed_[f].hops;
    }
    return result;
  }

  // Places them once more, by routes of least load. Keeps that if it takes fewer steps; or as many, no more waits, and
  // has a lower greatest load.
  bool spread(const Limits& limits) {
    if (!chosen_ || extent_.hops > most_spread) return false;
    auto starts = placed_;
    auto hops = placed_hops_;
    const FlightsExtent extent = extent_;
    const double load = greatest_load(placed(), target_);
    spreads_ = true;
    place_events(*this, target_, {}, limits);
    const auto cost = [](const FlightsExtent& of, double greatest) {
      return std::tuple(of.last_step, of.waits, greatest);
    };
    if (cost(extent_, loads_.sum_of_greatest()) < cost(extent, load)) return true;
    placed_ = std::move(starts);
    placed_hops_ = std::move(hops);
    extent_ = extent;
    return false;
  }

  NodeId source_of(std::uint32_t f) const {
    const Flight& flight = flights_.list[f];
    return flight.hops == 0 ? flight.source : written_for_.channel(flights_.of(flight).front().channel).from;
  }

  // Valid until the next call.
  RoutedSend send(std::uint32_t f) {
    const Flight& flight = flights_.list[f];
    auto passage = std::ranges::lower_bound(passages_, NeededPassage{f, 0});
    const bool passed = passage != passages_.end() && passage->flight == f;
    ends_.clear();
    if (flight.hops == 0 && !passed && routes_.default_routes_are_of_target()) {
      ends_.push_back({flight.target});
      return {flight, {}, 0, flight.source, ends_};
    }
    const FlightWalk walk(flight, hops_.of(flight), written_for_);
    for (std::uint32_t h = 0; h < walk.hops().size(); ++h) {
      const bool needed = passage != passages_.end() && *passage == NeededPassage{f, h};
      if (needed) ++passage;
      if (needed || walk.last(h)) ends_.push_back({walk.to(h), h, walk.hops()[h].step});
    }
    return {flight, walk.hops(), 0, source_of(f), ends_};
  }

  Flights flights_;  // as written
  FlightHops hops_;
  const Fabric& written_for_;
  const Collective& collective_;
  const Fabric& target_;
  std::vector<NeededPassage> passages_;
  TransferRoutes routes_;
  RouteLoads loads_;      // of what is placed, where routes are spread
  bool spreads_ = false;  // routes of least load are taken
  bool chosen_ = false;   // whether there was a choice
  CopiesHeld held_;
  std::vector<std::uint32_t> last_of_;  // by processor: the last flight that leaves it
  std::vector<PlacedFlight> placed_;    // by flight
  std::vector<Hop> placed_hops_;        // of flights that do not take their default routes
  FlightsExtent extent_;                // of what is placed
  // Of the send that is placed next.
  std::vector<TransferEnd> ends_;
  TransferRoutes::Route route_;
};

}  // namespace

RetimedFlights retimed_copies(Flights flights, const Fabric& written_for, const Collective& collective,
                              const Fabric& target, const Limits& limits) {
  return Copies(std::move(flights), written_for, collective, target).run(limits);
}

}  // namespace quadrille
