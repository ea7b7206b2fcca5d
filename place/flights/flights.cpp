// Flights are plain data here: they are moved to another clock, and appended. A flight on its default route need not
// store its hops, which are worked out then: one from 0 to 3 on ring:8 with start 5 has hops in the steps 5, 6 and 7.
// place/steps/queues.h has the disciplines. Cost: hops.
#include "place/flights/flights.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/text/evaluation_error.h"

namespace quadrille {

std::uint32_t Flights::last_step() const {
  std::uint32_t last = 0;
  for (const Hop& hop : hops) last = std::max(last, hop.step);
  return last;
}

void Flights::shift(std::uint32_t steps) {
  for (Hop& hop : hops) hop.step += steps;
}

void Flights::append(const Flights& others) {
  const std::uint64_t base = hops.size();
  hops.insert(hops.end(), others.hops.begin(), others.hops.end());
  for (Flight flight : others.list) {
    flight.first_hop += base;
    list.push_back(flight);
  }
}

std::vector<HopAt> hops_by_step(const Flights& flights) {
  std::vector<HopAt> all;
  all.reserve(flights.hops.size());
  for (std::uint32_t f = 0; f < flights.list.size(); ++f) {
    const Flight& flight = flights.list[f];
    for (std::uint64_t h = flight.first_hop; h < flight.first_hop + flight.hops; ++h)
      all.push_back({flights.hops[h].step, f, h});
  }
  std::ranges::stable_sort(all, {}, &HopAt::step);
  return all;
}

std::span<const Hop> FlightHops::of(const Flight& flight) {
  if (flight.hops > 0) return flights_.of(flight);
  if (!router_) router_.emplace(fabric_);
  route_.clear();
  hops_.clear();
  router_->append_route(flight.source, flight.target, route_);
  for (const ChannelId channel : route_) {
    hops_.push_back({channel, flight.start + static_cast<std::uint32_t>(hops_.size())});
  }
  return hops_;
}

FlightsExtent extent_of(const Flights& flights, const Fabric& fabric) {
  FlightsExtent extent{flights.last_step(), 0, 0};
  FlightHops all(flights, fabric);
  for (const Flight& flight : flights.list) {
    const auto hops = all.of(flight);
    extent.hops += hops.size();
    if (flight.target == flight.source || hops.empty()) continue;
    extent.last_step = std::max(extent.last_step, hops.back().step);
    extent.waits += hops.back().step - hops.front().step + 1 - hops.size();
  }
  return extent;
}

void times_too_large(std::uint64_t memory, Span span) {
  fail(span, fmt::format("the schedule's times need more than {} MiB of memory; that is the limit", memory >> 20),
       Code::limit);
}

void require_listed_channels(const Fabric& fabric) {
  if (fabric.channels() <= max_fabric_size) return;
  fail({},
       fmt::format("{} has {} channels; sends are placed on fabrics of at most {}", fabric.title(), fabric.channels(),
                   max_fabric_size),
       Code::limit);
}

}  // namespace quadrille
