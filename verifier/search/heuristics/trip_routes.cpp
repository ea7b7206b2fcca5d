// Idea: a resource costs more the fuller it is, exponentially in its share of the largest load. Each trip in turn gives
// up its route and takes the cheapest one; the exponent grows from pass to pass. First only shortest routes count, and
// then, if these load some resource too much, all.
//
//   a ring of 8 where shifts by one are planned together: 0->4 may go either way, and each way carries 6 hops already;
//   it takes one, which then carries 10. With shifts by two, 0->4 takes one way and 1->5 the other, and each channel
//   carries 8
//
// Cost: passes x trips x channels x log; the passes are fewer where there are many trips. (N. Young, Randomized
// Rounding without Solving the Linear Program, SODA 1995; J. Aspnes et al., On-Line Routing of Virtual Circuits, J. ACM
// 44(3), 1997.)
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <queue>
#include <random>
#include <set>

#include "model/distances.h"
#include "verifier/search/heuristics/trips.h"

namespace quadrille::searching {
namespace {

constexpr double passes_work = 3e8;  // passes x trips x channels: some seconds
constexpr double most_passes = 24;
constexpr double first_exponent = 8;
constexpr double last_exponent = 64;
constexpr double most_excess = 4;  // beyond that a price is so high that it need not be higher
constexpr std::uint64_t most_distances = std::uint64_t{1} << 26;  // targets x nodes

class BalancedRoutes {
 public:
  BalancedRoutes(const Fabric& fabric, const ShiftGroup& shifts, const SharedRoom& room,
                 std::vector<PlannedTrip>& trips, Watch& watch)
      : fabric_(fabric),
        shifts_(shifts),
        room_(room),
        trips_(trips),
        watch_(watch),
        load_(room.resources()),
        price_(room.resources()),
        cost_(fabric.nodes()),
        reached_by_(fabric.nodes()) {}

  std::uint64_t run(std::uint64_t enough) {
    largest_ = std::max(1.0, double(enough));
    if (!find_distances() || !route_all(true)) return 0;
    keep_best();
    const double work = static_cast<double>(trips_.size()) * fabric_.channels();
    const auto passes = static_cast<int>(std::clamp(passes_work / work, 2.0, most_passes));
    for (const bool shortest : {true, false}) {
      for (int pass = 0; pass < passes && best_ > enough; ++pass) {
        const double share = passes > 1 ? double(pass) / (passes - 1) : 1;
        exponent_ = first_exponent * std::pow(last_exponent / first_exponent, share);
        route_all(shortest);
        keep_best();
      }
    }
    for (std::size_t i = 0; i < trips_.size(); ++i) trips_[i].route = best_routes_[i];
    return best_;
  }

 private:
  // Hops from every node to the end of each trip; false if some trip has no route.
  bool find_distances() {
    std::set<NodeId> targets;
    for (const PlannedTrip& trip : trips_) targets.insert(trip.to);
    if (targets.size() > most_distances / fabric_.nodes()) return false;
    for (const NodeId target : targets) {
      watch_.require_open();
      hops_to_[target] = distances(fabric_, target, Direction::to);
    }
    return std::ranges::all_of(
        trips_, [&](const PlannedTrip& trip) { return hops_to_[trip.to][trip.from.value] != unreachable; });
  }

  // Every trip gives up its route, if it has one, and takes the cheapest; false if one finds none.
  bool route_all(bool shortest) {
    std::vector<std::size_t> order(trips_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), random_);
    for (std::uint32_t r = 0; r < room_.resources(); ++r) set_price(r);
    for (const std::size_t i : order) {
      watch_.require_open();
      count(trips_[i].route, false);
      trips_[i].route = cheapest(trips_[i], shortest);
      count(trips_[i].route, true);
      if (trips_[i].route.empty() && trips_[i].from != trips_[i].to) return false;
    }
    return true;
  }

  void count(const std::vector<ChannelId>& route, bool add) {
    for (const ChannelId channel : route) {
      for (const SharedRoom::ResourceUse& use : room_.uses(shifts_.place_of(channel).orbit)) {
        load_[use.resource] = add ? load_[use.resource] + use.amount : load_[use.resource] - use.amount;
        set_price(use.resource);
      }
    }
  }

  void set_price(std::uint32_t r) {
    if (room_.room(r) == 0) {
      price_[r] = std::numeric_limits<double>::infinity();
      return;
    }
    const double share = (double(load_[r]) + 1) / room_.room(r) / largest_;
    price_[r] = std::exp(exponent_ * std::min(share - 1, most_excess));
  }

  double price(ChannelId channel) const {
    double sum = std::exp(-exponent_ / 2);  // a hop costs as much as a resource that is half full
    for (const SharedRoom::ResourceUse& use : room_.uses(shifts_.place_of(channel).orbit))
      sum += use.amount * price_[use.resource];
    return sum;
  }

  // The cheapest route (Dijkstra's algorithm); empty if there is none.
  std::vector<ChannelId> cheapest(const PlannedTrip& trip, bool shortest) {
    const std::vector<std::uint32_t>& hops = hops_to_.at(trip.to);
    using CostOfNode = std::pair<double, std::uint32_t>;
    std::priority_queue<CostOfNode, std::vector<CostOfNode>, std::greater<>> next;
    std::ranges::fill(cost_, std::numeric_limits<double>::infinity());
    cost_[trip.from.value] = 0;
    next.push({0, trip.from.value});
    while (!next.empty()) {
      const auto [cost, node] = next.top();
      next.pop();
      if (cost > cost_[node]) continue;
      if (node == trip.to.value) break;
      for (const ChannelId id : fabric_.channels_from(NodeId{node})) {
        const std::uint32_t to = fabric_.channel(id).to.value;
        if (hops[to] == unreachable || (shortest && hops[to] + 1 != hops[node])) continue;
        const double sum = cost + price(id);
        if (sum >= cost_[to]) continue;
        cost_[to] = sum;
        reached_by_[to] = id;
        next.push({sum, to});
      }
    }
    std::vector<ChannelId> route;
    if (std::isinf(cost_[trip.to.value])) return route;
    for (NodeId at = trip.to; at != trip.from; at = fabric_.channel(route.back()).from) {
      route.push_back(reached_by_[at.value]);
    }
    std::ranges::reverse(route);
    return route;
  }

  // The most steps that a resource takes for its load.
  double largest_load() const {
    double most = 0;
    for (std::uint32_t r = 0; r < room_.resources(); ++r) {
      if (load_[r] > 0) most = std::max(most, double(load_[r]) / room_.room(r));
    }
    return most;
  }

  void keep_best() {
    largest_ = std::max(largest_load(), 1.0);
    std::uint64_t hops = 0;
    std::uint64_t longest = 0;
    for (const PlannedTrip& trip : trips_) {
      hops += trip.route.size();
      longest = std::max<std::uint64_t>(longest, trip.route.size());
    }
    const std::uint64_t steps = std::max(static_cast<std::uint64_t>(std::ceil(largest_load())), longest);
    if (best_ != 0 && std::pair(steps, hops) >= std::pair(best_, best_hops_)) return;
    best_ = steps;
    best_hops_ = hops;
    best_routes_.clear();
    for (const PlannedTrip& trip : trips_) best_routes_.push_back(trip.route);
  }

  const Fabric& fabric_;
  const ShiftGroup& shifts_;
  const SharedRoom& room_;
  std::vector<PlannedTrip>& trips_;
  Watch& watch_;
  std::mt19937 random_{1};
  std::map<NodeId, std::vector<std::uint32_t>> hops_to_;
  std::vector<std::uint64_t> load_;  // by resource
  std::vector<double> price_;
  double largest_ = 1;
  double exponent_ = first_exponent;
  std::vector<double> cost_;  // by node, of the route that is being looked for
  std::vector<ChannelId> reached_by_;
  std::uint64_t best_ = 0;
  std::uint64_t best_hops_ = 0;
  std::vector<std::vector<ChannelId>> best_routes_;
};

}  // namespace

// A hop of an orbit is one over each of its channels, so a link or a port may be used by it more than once.
SharedRoom::SharedRoom(const Fabric& fabric, const ShiftGroup& shifts) {
  const bool half = fabric.rules().duplex == Duplex::half;
  const bool single = fabric.rules().ports == Ports::single;
  apart_ = !half && !single;
  std::map<std::uint64_t, std::uint32_t> numbers;
  const auto resource = [&](std::uint64_t key, std::uint32_t room) {
    const auto [at, added] = numbers.try_emplace(key, resources());
    if (added) room_.push_back(room);
    return at->second;
  };
  enum : std::uint64_t { of_link, of_sender, of_receiver, kinds };
  uses_.resize(shifts.channel_orbits());
  for (std::uint32_t orbit = 0; orbit < shifts.channel_orbits(); ++orbit) {
    const ChannelId first = shifts.first_channel(orbit);
    const Channel ends = fabric.channel(first);
    const auto add = [&](std::uint32_t number) {
      auto& uses = uses_[orbit];
      const auto known = std::ranges::find(uses, number, &ResourceUse::resource);
      if (known != uses.end()) {
        known->amount += shifts.keep_in_place(orbit);
      } else {
        uses.push_back({number, shifts.keep_in_place(orbit)});
      }
    };
    const auto back = half ? fabric.reverse(first) : std::nullopt;
    if (back) {
      const std::uint32_t other = shifts.place_of(*back).orbit;
      const std::uint32_t capacity = std::min(ends.capacity, fabric.channel(*back).capacity);
      const std::uint32_t link = resource(std::min(orbit, other) * kinds + of_link, capacity);
      add(link);
      if (other == orbit) add(link);  // the orbit has both directions
    } else {
      add(resource(orbit * kinds + of_link, ends.capacity));
    }
    if (!single) continue;
    if (fabric.is_processor(ends.from)) add(resource(shifts.place_of(ends.from).orbit * kinds + of_sender, 1));
    if (fabric.is_processor(ends.to)) {
      add(resource(shifts.place_of(ends.to).orbit * kinds + (half ? of_sender : of_receiver), 1));
    }
  }
  // A hop that would need more than there is has no room at all.
  for (auto& uses : uses_) {
    if (std::ranges::any_of(uses, [&](const ResourceUse& use) { return use.amount > room_[use.resource]; })) {
      uses.push_back({resource(kinds * shifts.channel_orbits(), 0), 1});
    }
  }
}

std::uint64_t choose_routes(const Fabric& fabric, const ShiftGroup& shifts, const SharedRoom& room,
                            std::vector<PlannedTrip>& trips, std::uint64_t enough, Watch& watch) {
  return BalancedRoutes(fabric, shifts, room, trips, watch).run(enough);
}

}  // namespace quadrille::searching
