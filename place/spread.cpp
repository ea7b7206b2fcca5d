// For example, around two switches a and b, `send 0 -> 2` and `send 1 -> 4` both go by a, since 2 and 4 are even;
// spread, the first takes a and the second b. Cost: for each send, the channels on its shortest routes; and what it
// takes to see that all is delivered as before.
#include "place/spread.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "model/limits/work.h"
#include "model/route.h"
#include "model/text/evaluation_error.h"
#include "place/calendar/least_route.h"
#include "place/calendar/list_schedule.h"
#include "place/needs/needed_passages.h"
#include "place/needs/needs.h"
#include "place/steps/meetings.h"

namespace quadrille {
namespace {

constexpr double overfull = 1e15;  // more than any price: a channel whose lanes are all taken

bool has_choice(const Router& router, NodeId source, NodeId target, std::size_t hops) {
  return source != target && router.leaves_choice(source, target) && router.distance(source, target) == hops;
}

class FlightSpreader {
 public:
  FlightSpreader(const Flights& flights, const Fabric& fabric, const Collective& collective, const Limits& limits)
      : flights_(flights),
        fabric_(fabric),
        collective_(collective),
        router_(fabric),
        least_routes_(fabric, router_),
        pulse_(limits, 256),
        in_all_(fabric),
        by_step_(fabric) {
    if (!collective.combining()) passages_ = needed_passages(flights, fabric, collective);
  }

  // Nothing if no route is another one, or no load is less.
  std::optional<Flights> run() {
    Flights result = flights_;
    std::vector<std::uint32_t> free;
    RouteLoads before(fabric_);
    for (std::uint32_t f = 0; f < flights_.list.size(); ++f) {
      const auto hops = flights_.of(flights_.list[f]);
      for (const Hop& hop : hops) before.add(std::span(&hop.channel, 1), 1);
      if (!may_change(f)) {
        count(hops);
      } else {
        free.push_back(f);
      }
    }
    for (const std::uint32_t f : free) {
      if (pulse_.reached()) fail_at_limit(pulse_.reason(), "spreading routes");
      const std::span<Hop> hops = result.of(result.list[f]);
      change(flights_.list[f], hops);
      count(hops);
    }
    if (in_all_.sum_of_greatest() >= before.sum_of_greatest()) return std::nullopt;
    return result;
  }

 private:
  bool may_change(std::uint32_t f) const {
    const Flight& flight = flights_.list[f];
    const auto hops = flights_.of(flight);
    if (flight.named_path || hops.empty() || hops.back().step - hops.front().step + 1 != hops.size()) return false;
    const auto passage = std::ranges::lower_bound(passages_, NeededPassage{f, 0});
    if (passage != passages_.end() && passage->flight == f) return false;
    return fabric_.channel(hops.front().channel).from == flight.source &&
           fabric_.channel(hops.back().channel).to == flight.target &&
           has_choice(router_, flight.source, flight.target, hops.size());
  }

  void change(const Flight& flight, std::span<Hop> hops) {
    std::vector<NodeId> closed;
    if (collective_.combining()) {
      const ChunkName name = collective_.name(flight.chunk);
      closed = {NodeId(name.origin), NodeId(name.target.value_or(name.origin))};
    }
    const auto price = [&](ChannelId channel, std::uint32_t hop) {
      return in_all_.price(channel, 1) + (by_step_.exceeds_lanes(channel, 1, hops[hop].step) ? overfull : 0);
    };
    route_.clear();
    if (!least_routes_.append(flight.source, flight.target, closed, price, route_)) return;
    for (std::size_t h = 0; h < hops.size(); ++h) hops[h].channel = route_[h];
  }

  void count(std::span<const Hop> hops) {
    for (const Hop& hop : hops) {
      in_all_.add(std::span(&hop.channel, 1), 1);
      by_step_.add(std::span(&hop.channel, 1), 1, hop.step);
    }
  }

  const Flights& flights_;
  const Fabric& fabric_;
  const Collective& collective_;
  Router router_;
  LeastRoutes least_routes_;
  Pulse pulse_;
  std::vector<NeededPassage> passages_;
  RouteLoads in_all_;
  RouteLoads by_step_;
  std::vector<ChannelId> route_;
};

}  // namespace

std::optional<Flights> spread(const Flights& flights, const Fabric& fabric, const Collective& collective,
                              const Limits& limits, ReductionsOfSends* words) {
  if (packets_join(flights, fabric, collective)) return std::nullopt;
  auto result = FlightSpreader(flights, fabric, collective, limits).run();
  if (!result || packets_join(*result, fabric, collective)) return std::nullopt;
  if (!fit_as_written(*result, fabric, limits)) return std::nullopt;
  const auto needs = needs_of(flights, fabric, fabric, collective, limits, words);
  if (!needs->come_to_the_same(*result, fabric)) return std::nullopt;
  return result;
}

}  // namespace quadrille
