// Idea: where shifts commute, a trip may make its hops in any order and still end where it should. So trips and orbits
// of channels are the two sides of a bipartite graph, each hop is an edge, and a colouring of the edges is a schedule:
// no trip makes two hops in a step, no orbit has two. König: as many colours are enough as the largest degree.
//
//   torus of 4x4, total exchange: 15 trips of at most 4 hops, 8 hops in each of 4 directions: 8 steps
//
// Elsewhere hops keep their order, and a list schedule gives them steps: the trip with the longest way left goes first.
// Then it is improved by turns: all hops as late as they can, the last first, and all as early as they can, the first
// first, which never makes it longer.
//
// Cost: colouring: hops x (trips + orbits) at worst. Lists: tries x hops x (log trips + waiting). (D. König, Über
// Graphen und ihre Anwendung, Math. Ann. 77, 1916; K. Y. Li, R. J. Willis, An Iterative Scheduling Technique for
// Resource-Constrained Project Scheduling, EJOR 56, 1992.)
#include <algorithm>
#include <limits>
#include <numeric>
#include <queue>
#include <random>
#include <utility>

#include "verifier/search/heuristics/trips.h"

namespace quadrille::searching {
namespace {

constexpr std::uint32_t no_vertex = std::numeric_limits<std::uint32_t>::max();

// --- colouring
// --------------------------------------------------------------------------------------------------------

// Edges between trips and lanes, coloured one by one; a path of two colours is turned around where both ends of an edge
// have no colour in common.
class Colouring {
 public:
  Colouring(std::uint32_t trips, std::uint32_t lanes, std::uint32_t colours)
      : colours_(colours),
        at_(std::size_t{trips} + lanes, std::vector<std::uint32_t>(colours, no_vertex)),
        trips_(trips) {}

  void add(std::uint32_t trip, std::uint32_t lane) {
    const std::uint32_t other = trips_ + lane;
    std::uint32_t colour = 0;
    while (colour < colours_ && (at_[trip][colour] != no_vertex || at_[other][colour] != no_vertex)) ++colour;
    if (colour == colours_) {
      colour = free_at(trip);
      turn(other, colour, free_at(other));
    }
    at_[trip][colour] = other;
    at_[other][colour] = trip;
  }

  // The lane of a trip's edge of this colour; nothing if it has none.
  std::optional<std::uint32_t> lane(std::uint32_t trip, std::uint32_t colour) const {
    const std::uint32_t other = at_[trip][colour];
    return other == no_vertex ? std::nullopt : std::optional(other - trips_);
  }

 private:
  std::uint32_t free_at(std::uint32_t vertex) const {
    return static_cast<std::uint32_t>(std::ranges::find(at_[vertex], no_vertex) - at_[vertex].begin());
  }

  // Exchanges the colours along the path from the vertex, which has an edge of colour `a` and none of colour `b`.
  void turn(std::uint32_t vertex, std::uint32_t a, std::uint32_t b) {
    std::vector<std::uint32_t> path{vertex};
    for (std::uint32_t colour = a; at_[path.back()][colour] != no_vertex; colour = colour == a ? b : a) {
      path.push_back(at_[path.back()][colour]);
    }
    for (const std::uint32_t v : path) std::swap(at_[v][a], at_[v][b]);
  }

  std::uint32_t colours_;
  std::vector<std::vector<std::uint32_t>> at_;  // [vertex][colour]: the other end
  std::uint32_t trips_;
};

// Requires shifts that commute, and orbits that never get into each other's way.
std::uint64_t colour_hops(const Fabric& fabric, const ShiftGroup& shifts, const SharedRoom& room,
                          std::vector<PlannedTrip>& trips, Watch& watch) {
  // Each lane of an orbit carries its share of the hops.
  std::vector<std::uint32_t> first_lane(shifts.channel_orbits());
  std::vector<std::uint32_t> orbit_of_lane;
  for (std::uint32_t orbit = 0; orbit < shifts.channel_orbits(); ++orbit) {
    first_lane[orbit] = static_cast<std::uint32_t>(orbit_of_lane.size());
    orbit_of_lane.insert(orbit_of_lane.end(), room.room(room.uses(orbit).front().resource), orbit);
  }
  std::vector<std::uint32_t> hops(shifts.channel_orbits());
  std::size_t steps = 0;
  for (const PlannedTrip& trip : trips) {
    steps = std::max(steps, trip.route.size());
    for (const ChannelId channel : trip.route) ++hops[shifts.place_of(channel).orbit];
  }
  for (std::uint32_t orbit = 0; orbit < shifts.channel_orbits(); ++orbit) {
    const std::uint32_t lanes = room.room(room.uses(orbit).front().resource);
    steps = std::max<std::size_t>(steps, (hops[orbit] + lanes - 1) / lanes);
  }
  Colouring colouring(static_cast<std::uint32_t>(trips.size()), static_cast<std::uint32_t>(orbit_of_lane.size()),
                      static_cast<std::uint32_t>(steps));
  std::ranges::fill(hops, 0);
  for (std::uint32_t i = 0; i < trips.size(); ++i) {
    watch.require_open();
    for (const ChannelId channel : trips[i].route) {
      const std::uint32_t orbit = shifts.place_of(channel).orbit;
      colouring.add(i, first_lane[orbit] + hops[orbit]++ % room.room(room.uses(orbit).front().resource));
    }
  }
  for (std::uint32_t i = 0; i < trips.size(); ++i) {
    PlannedTrip& trip = trips[i];
    NodeId at = trip.from;
    trip.route.clear();
    trip.steps.clear();
    for (std::uint32_t colour = 0; colour < steps; ++colour) {
      const auto lane = colouring.lane(i, colour);
      if (!lane) continue;
      for (const ChannelId channel : fabric.channels_from(at)) {
        if (shifts.place_of(channel).orbit != orbit_of_lane[*lane]) continue;
        trip.route.push_back(channel);
        trip.steps.push_back(colour + 1);
        at = fabric.channel(channel).to;
        break;
      }
    }
  }
  return steps;
}

// --- lists
// ------------------------------------------------------------------------------------------------------------

constexpr double tries_work = 2e8;  // tries x hops x steps
constexpr double most_tries = 64;
constexpr int most_turns = 6;
constexpr double noise = 0.3;  // of a priority, in later tries

class ListSchedule {
 public:
  ListSchedule(const ShiftGroup& shifts, const SharedRoom& room, const std::vector<PlannedTrip>& trips, Watch& watch)
      : room_(room), watch_(watch) {
    for (const PlannedTrip& trip : trips) {
      first_.push_back(static_cast<std::uint32_t>(orbit_.size()));
      for (const ChannelId channel : trip.route) {
        orbit_.push_back(shifts.place_of(channel).orbit);
        trip_.push_back(static_cast<std::uint32_t>(first_.size() - 1));
      }
    }
    first_.push_back(static_cast<std::uint32_t>(orbit_.size()));
    load_.resize(room.resources());
    for (const std::uint32_t orbit : orbit_) {
      for (const SharedRoom::ResourceUse& use : room.uses(orbit)) load_[use.resource] += use.amount;
    }
  }

  // The steps of all hops, trip by trip.
  const std::vector<std::uint32_t>& run(std::uint64_t enough) {
    const double work = double(orbit_.size()) * double(std::max<std::uint64_t>(enough, 1));
    const auto tries = static_cast<int>(std::clamp(tries_work / work, 2.0, most_tries));
    for (int i = 0; i < tries && (best_.empty() || last_of(best_) > enough); ++i) {
      list(i);
      keep();
      for (int turn = 0; turn < most_turns && last_of(best_) > enough; ++turn) {
        const std::uint32_t before = last_of(steps_);
        push(true);
        push(false);
        keep();
        if (last_of(steps_) == before && turn > 1) break;
      }
    }
    return best_;
  }

 private:
  static std::uint32_t last_of(const std::vector<std::uint32_t>& steps) {
    return steps.empty() ? 0 : *std::ranges::max_element(steps);
  }
  bool is_last(std::uint32_t hop) const { return hop + 1 == first_[trip_[hop] + 1]; }
  bool is_first(std::uint32_t hop) const { return hop == first_[trip_[hop]]; }

  void keep() {
    if (best_.empty() || last_of(steps_) < last_of(best_)) best_ = steps_;
  }

  // How urgent each hop is: by the hops that are left, or by the loads of what they use.
  std::vector<double> urgency(int number) {
    std::vector<double> urgent(orbit_.size());
    std::uniform_real_distribution<double> factor(1 - noise, 1 + noise);
    for (auto hop = static_cast<std::uint32_t>(orbit_.size()); hop-- > 0;) {
      double own = 1;
      if (number % 2 == 1) {
        own = 0;
        for (const SharedRoom::ResourceUse& use : room_.uses(orbit_[hop])) {
          own = std::max(own, double(load_[use.resource]) / room_.room(use.resource));
        }
      }
      urgent[hop] = own + (is_last(hop) ? 0 : urgent[hop + 1]);
    }
    if (number < 2) return urgent;
    for (std::uint32_t trip = 0; trip + 1 < first_.size(); ++trip) {
      const double by = factor(random_);
      for (std::uint32_t hop = first_[trip]; hop < first_[trip + 1]; ++hop) urgent[hop] *= by;
    }
    return urgent;
  }

  // Step by step: over every orbit the most urgent hops that are ready, as many as there is room for.
  void list(int number) {
    const std::vector<double> urgent = urgency(number);
    using UrgentHop = std::pair<double, std::uint32_t>;
    const auto later = [](const UrgentHop& a, const UrgentHop& b) {
      return a.first != b.first ? a.first < b.first : a.second > b.second;
    };
    std::vector<std::priority_queue<UrgentHop, std::vector<UrgentHop>, decltype(later)>> ready(
        room_orbits(), std::priority_queue<UrgentHop, std::vector<UrgentHop>, decltype(later)>(later));
    std::vector<std::uint32_t> arrived;
    for (std::uint32_t trip = 0; trip + 1 < first_.size(); ++trip) {
      if (first_[trip] < first_[trip + 1]) arrived.push_back(first_[trip]);
    }
    steps_.assign(orbit_.size(), 0);
    std::size_t left = orbit_.size();
    std::vector<std::uint32_t> used(room_.resources());
    std::vector<UrgentHop> orbits;
    for (std::uint32_t step = 1; left > 0; ++step) {
      watch_.require_open();
      for (const std::uint32_t hop : arrived) ready[orbit_[hop]].push({urgent[hop], hop});
      arrived.clear();
      std::ranges::fill(used, 0);
      orbits.clear();
      for (std::uint32_t orbit = 0; orbit < ready.size(); ++orbit) {
        if (!ready[orbit].empty()) orbits.push_back({ready[orbit].top().first, orbit});
      }
      if (!room_.apart()) std::ranges::sort(orbits, std::greater<>());
      for (const auto& [urgency, orbit] : orbits) {
        while (!ready[orbit].empty() && take(orbit, used)) {
          const std::uint32_t hop = ready[orbit].top().second;
          ready[orbit].pop();
          steps_[hop] = step;
          --left;
          if (!is_last(hop)) arrived.push_back(hop + 1);
        }
      }
    }
  }

  std::size_t room_orbits() const { return orbit_.empty() ? 0 : std::size_t{*std::ranges::max_element(orbit_)} + 1; }

  // Takes room for a hop over the orbit, if there is some.
  bool take(std::uint32_t orbit, std::vector<std::uint32_t>& used) const {
    const auto& uses = room_.uses(orbit);
    const bool fits = std::ranges::all_of(uses, [&](const SharedRoom::ResourceUse& use) {
      return used[use.resource] + use.amount <= room_.room(use.resource);
    });
    for (const SharedRoom::ResourceUse& use : uses) used[use.resource] += fits ? use.amount : 0;
    return fits;
  }

  // All hops as late as they can, the last first; or as early, the first first.
  void push(bool late) {
    const std::uint32_t last = last_of(steps_);
    std::vector<std::uint32_t> order(orbit_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(
        order, [&](std::uint32_t a, std::uint32_t b) { return late ? steps_[a] > steps_[b] : steps_[a] < steps_[b]; });
    std::vector<std::vector<std::uint32_t>> used(last + 1, std::vector<std::uint32_t>(room_.resources()));
    for (const std::uint32_t hop : order) {
      watch_.require_open();
      std::uint32_t step =
          late ? (is_last(hop) ? last : steps_[hop + 1] - 1) : (is_first(hop) ? 1 : steps_[hop - 1] + 1);
      while (!take(orbit_[hop], used[step])) step = late ? step - 1 : step + 1;
      steps_[hop] = step;
    }
    if (!late || steps_.empty()) return;
    const std::uint32_t before = *std::ranges::min_element(steps_) - 1;
    for (std::uint32_t& step : steps_) step -= before;
  }

  const SharedRoom& room_;
  Watch& watch_;
  std::mt19937 random_{1};
  std::vector<std::uint32_t> first_;  // by trip: its first hop
  std::vector<std::uint32_t> orbit_;  // by hop
  std::vector<std::uint32_t> trip_;   // by hop
  std::vector<std::uint64_t> load_;   // by resource
  std::vector<std::uint32_t> steps_;  // by hop
  std::vector<std::uint32_t> best_;
};

}  // namespace

std::uint64_t choose_steps(const Fabric& fabric, const ShiftGroup& shifts, const SharedRoom& room,
                           std::vector<PlannedTrip>& trips, std::uint64_t enough, Watch& watch) {
  if (!fabric.has_switches() && room.apart() && shifts.commute())
    return colour_hops(fabric, shifts, room, trips, watch);
  ListSchedule lists(shifts, room, trips, watch);
  const std::vector<std::uint32_t>& steps = lists.run(enough);
  std::uint32_t last = 0;
  auto next = steps.begin();
  for (PlannedTrip& trip : trips) {
    trip.steps.assign(next, next + static_cast<std::ptrdiff_t>(trip.route.size()));
    next += static_cast<std::ptrdiff_t>(trip.route.size());
    if (!trip.steps.empty()) last = std::max(last, trip.steps.back());
  }
  return last;
}

}  // namespace quadrille::searching
