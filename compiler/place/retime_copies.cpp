// Transfers (transfers.h) are placed one after another, in the order of their departure. Each takes the first step in
// which every hop of its route finds a free lane and free ports, not before what it needs is there. For example,
// `send 0 -> 1`, `then send 1 -> 2`, `send 0 -> 2` on a star: the first is on its way in the steps 1 and 2, so the
// second leaves in step 3; the third, written for step 2, leaves in step 2 and is at 2 before it.
//
// There may be very many hops. So where a route keeps its number of hops (it does, on a fabric with the schedule's
// channels), they are overwritten where they are; what it takes to undo that is noted for those only that do more than
// leave in another step. And of the calendar those steps are forgotten that no processor will send in any more: none
// leaves before its last departure.
//
// Cost: hops, and the steps tried for each transfer (calendar.h); memory, 8 bytes for each hop and some 150 for each
// flight.
#include "compiler/place/retime_copies.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "compiler/place/list_schedule.h"
#include "compiler/place/placement.h"
#include "compiler/place/transfer_routes.h"
#include "compiler/place/transfers.h"

namespace quadrille {
namespace {

class Copies final : public Events {
 public:
  Copies(Flights flights, const Fabric& written_for, const Collective& collective, const Fabric& target)
      : flights_(std::move(flights)),
        collective_(collective),
        target_(target),
        same_fabric_(written_for == target),
        transfers_(transfers_of(flights_, written_for, collective, nullptr)),
        routes_(flights_, transfers_, written_for, target, collective),
        in_place_(routes_.keep_their_length()),
        last_of_(target.processors()) {
    for (std::uint32_t t = 0; t < transfers_.list.size(); ++t) last_of_[transfers_.list[t].source.value] = t;
  }

  RetimedFlights run(const Limits& limits) {
    const char* as = "whole sends";
    const std::uint32_t written = same_fabric_ ? flights_.last_step() : 0;
    place_events(*this, target_, {}, limits);
    // Greedy placing can come out longer than what is written; then what is written is better, if it keeps the rules.
    if (same_fabric_ && written < flights_.last_step()) {
      undo();
      if (fit_as_written(flights_, target_, limits)) {
        as = as_it_is_written;
      } else {
        place_events(*this, target_, {}, limits);
      }
    }
    if (!in_place_) take_appended();
    return {std::move(flights_), as};
  }

  void begin() override { placement_.emplace(transfers_, target_, collective_); }
  std::uint32_t size() const override { return static_cast<std::uint32_t>(transfers_.list.size()); }

  StartBounds bounds(std::uint32_t t) override {
    StartBounds bounds;
    placement_->bound_departure(t, bounds);
    return bounds;
  }

  std::uint32_t find(std::uint32_t t, std::uint32_t first, const Calendar& calendar) override {
    route_ = routes_.of(t);
    const auto chosen = routes_.choose(t, calendar, first, route_);
    taken.clear();
    calendar.add_route(route_.hops, taken);
    return chosen ? *chosen : calendar.first_free(taken, first);
  }

  void place(std::uint32_t t, std::uint32_t start) override {
    placement_->depart(t, start);
    placement_->pass(t, start, route_.hops);
    in_place_ ? overwrite(t, route_.hops, start) : append(route_.hops, start);
  }

  std::uint32_t none_before(std::uint32_t t) const override {
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    for (NodeId p(0); p.value < target_.processors(); ++p.value) {
      if (last_of_[p.value] >= t) first = std::min(first, placement_->last_departure(p));
    }
    return static_cast<std::uint32_t>(first);
  }

 private:
  // Of a flight that takes another route than is written, or waits elsewhere on it.
  struct Before {
    std::uint32_t flight = 0;
    std::vector<Hop> hops;
  };

  void overwrite(std::uint32_t t, std::span<const TimedChannel> route, std::uint32_t start) {
    const std::span<Hop> hops = flights_.of(flights_.list[t]);
    const std::uint32_t departure = hops.front().step;
    const auto moved = [&](const Hop& before, const TimedChannel& now) {
      return before.channel == now.channel && before.step - departure == now.offset;
    };
    if (same_fabric_ && !std::equal(hops.begin(), hops.end(), route.begin(), moved))
      before_.push_back({t, std::vector<Hop>(hops.begin(), hops.end())});
    for (std::size_t h = 0; h < hops.size(); ++h) hops[h] = {route[h].channel, start + route[h].offset};
  }

  // All hops become what is written again.
  void undo() {
    for (std::uint32_t t = 0; t < transfers_.list.size(); ++t) {
      const std::span<Hop> hops = flights_.of(flights_.list[t]);
      const std::uint32_t later = transfers_.list[t].departure - hops.front().step;  // modulo 2^32
      for (Hop& hop : hops) hop.step += later;
    }
    for (const Before& it : before_)
      std::copy(it.hops.begin(), it.hops.end(), flights_.of(flights_.list[it.flight]).begin());
    before_.clear();
  }

  void append(std::span<const TimedChannel> route, std::uint32_t start) {
    for (const TimedChannel& hop : route) appended_.push_back({hop.channel, start + hop.offset});
    ends_.push_back(appended_.size());
  }

  void take_appended() {
    flights_.hops = std::move(appended_);
    std::uint64_t first = 0;
    for (std::size_t f = 0; f < ends_.size(); first = ends_[f++]) {
      flights_.list[f].first_hop = first;
      flights_.list[f].hops = static_cast<std::uint32_t>(ends_[f] - first);
    }
  }

  Flights flights_;  // as written, or placed already
  const Collective& collective_;
  const Fabric& target_;
  bool same_fabric_;
  Transfers transfers_;
  TransferRoutes routes_;
  bool in_place_;
  std::optional<Placement> placement_;
  TransferRoutes::Route route_;         // of the transfer that is placed next
  std::vector<std::uint32_t> last_of_;  // by processor: the last transfer that leaves it
  std::vector<Before> before_;          // on the same fabric
  std::vector<Hop> appended_;           // where routes are others: all hops that are placed
  std::vector<std::uint64_t> ends_;     // likewise: by flight, where its own end
};

}  // namespace

RetimedFlights retimed_copies(Flights flights, const Fabric& written_for, const Collective& collective,
                              const Fabric& target, const Limits& limits) {
  return Copies(std::move(flights), written_for, collective, target).run(limits);
}

}  // namespace quadrille
