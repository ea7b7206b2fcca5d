// The calendar of retiming, compared with one that counts and tries step after step.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "model/fabric_notation.h"
#include "place/calendar/calendar.h"
#include "place/calendar/free_steps.h"
#include "place/calendar/route_choice.h"
#include "place/flights/flights.h"
#include "place/retime.h"
#include "tests/environment.h"
#include "tests/reference/random_tables.h"
#include "tests/reference/slow_calendar.h"

namespace {

using namespace quadrille;

// A route between two processors with a wait here and there; empty if there is none.
std::vector<TimedChannel> random_route(reference::Dice& dice, const Fabric& fabric, const Router& router) {
  std::vector<ChannelId> channels;
  router.append_route(NodeId(dice.below(fabric.processors())), NodeId(dice.below(fabric.processors())), channels);
  std::vector<TimedChannel> route;
  std::uint32_t offset = 0;
  for (const ChannelId channel : channels) {
    route.push_back({channel, offset});
    offset += dice.one_in(5) ? dice.from_to(2, 90) : 1;
  }
  return route;
}

// Books routes one after another in both, from some step on that grows, and says where they differ.
class Comparison {
 public:
  Comparison(reference::Dice& dice, const Fabric& fabric)
      : dice_(dice), fabric_(fabric), router_(fabric), choice_(fabric, router_), calendar_(fabric), slow_(fabric) {}

  std::string run() {
    for (std::uint32_t turn = 0; turn < 150; ++turn) {
      if (dice_.one_in(10)) {
        horizon_ += dice_.below(150);
        if (dice_.one_in(2)) calendar_.forget_before(horizon_);
      }
      const std::uint32_t first = horizon_ + dice_.below(dice_.one_in(4) ? 300 : 3);
      if (dice_.one_in(3) ? chosen_differ(first) : routes_differ(first)) return "turn " + std::to_string(turn);
    }
    for (ChannelId id(0); id.value < fabric_.channels(); ++id.value) {
      for (std::uint32_t step = horizon_; step < horizon_ + 200; ++step) {
        if (calendar_.free(id, step) != slow_.free(id, step)) return "step " + std::to_string(step);
      }
    }
    return {};
  }

 private:
  bool routes_differ(std::uint32_t first) {
    const std::vector<TimedChannel> route = random_route(dice_, fabric_, router_);
    const std::uint32_t start = calendar_.first_free(uses_of(route), first);
    if (start != slow_.first_free(route, first)) return true;
    book(route, start);
    return false;
  }

  bool chosen_differ(std::uint32_t first) {
    const NodeId source(dice_.below(fabric_.processors()));
    const NodeId target(dice_.below(fabric_.processors()));
    if (source == target || !router_.distance(source, target)) return false;
    std::vector<ChannelId> chosen;
    std::vector<ChannelId> expected;
    const std::uint32_t start = choice_.first_free(calendar_, source, target, {}, {}, first, chosen);
    if (start != slow_.first_free(router_, source, target, first, expected) || chosen != expected) return true;
    std::vector<TimedChannel> route;
    for (std::uint32_t h = 0; h < chosen.size(); ++h) route.push_back({chosen[h], h});
    book(route, start);
    return false;
  }

  std::vector<Use> uses_of(const std::vector<TimedChannel>& route) const {
    std::vector<Use> uses;
    calendar_.add_route(route, uses);
    return uses;
  }

  void book(const std::vector<TimedChannel>& route, std::uint32_t start) {
    calendar_.book(uses_of(route), start);
    for (const TimedChannel& hop : route) slow_.book(hop.channel, start + hop.offset);
  }

  reference::Dice& dice_;
  const Fabric& fabric_;
  Router router_;
  RouteChoice choice_;
  Calendar calendar_;
  reference::SlowCalendar slow_;
  std::uint32_t horizon_ = 1;
};

}  // namespace

TEST_CASE("a calendar finds the step that trying one after another finds, and the same route") {
  const std::uint64_t first = reference::first_seed();
  const std::uint64_t count = tests::brief ? 100 : 1000;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    reference::Dice dice(seed);
    const Fabric fabric = reference::random_fabric(dice);
    const std::string differs = Comparison(dice, fabric).run();
    CHECK_MESSAGE(differs.empty(), "QUADRILLE_SEED=" << seed << " " << fabric.notation() << ": " << differs);
  }
}

TEST_CASE("there is room for several where as many find room one by one") {
  const std::uint64_t first = reference::first_seed();
  for (std::uint64_t seed = first; seed < first + 100; ++seed) {
    CAPTURE(seed);
    reference::Dice dice(seed);
    const std::uint32_t capacity = dice.from_to(1, 20);
    FreeSteps steps(capacity);
    std::vector<std::uint32_t> left(100, capacity);
    for (std::uint32_t turn = 0; turn < 200; ++turn) {
      const std::uint32_t step = dice.below(100);
      steps.take(step);
      left[step] -= std::min(left[step], 1U);
    }
    for (std::uint32_t amount = 1; amount < 25; ++amount) {
      for (std::uint32_t step = 0; step < 100; ++step) {
        CHECK(((steps.from(step, amount) & 1U) == 1) == (left[step] >= amount));
      }
    }
  }
}

TEST_CASE("a step has as many rooms as its capacity, and then none") {
  for (const std::uint32_t capacity : {1U, 2U, 3U, 7U, 8U, 1000U, 4294967295U}) {
    FreeSteps steps(capacity);
    for (std::uint32_t taken = 0; taken < std::min(capacity, 2000U); ++taken) {
      CHECK((steps.from(100) & 1U) == 1);
      steps.take(100);
    }
    CHECK((steps.from(100) & 1U) == (capacity > 2000 ? 1 : 0));
    steps.take(3);  // before all others
    CHECK((steps.from(2) & 7U) == (capacity > 1 ? 7 : 5));
    steps.take(100);  // when it is full, it stays so
    CHECK((steps.from(100) & 1U) == (capacity > 2000 ? 1 : 0));
    steps.forget_before(200);
    CHECK(steps.from(200) == ~std::uint64_t{0});
    steps.take(70'000);
    CHECK((steps.from(69'999) & 7U) == (capacity > 1 ? 7 : 5));
  }
}

// All of the left half's packets cross the root, one in each step.
TEST_CASE("many sends over one channel are placed one behind another") {
  const Fabric fabric = parse_fabric({"test", "fat_tree:levels=8,capacity=constant"}, 0).value();
  const auto collective = parse_collective({"test", "total_exchange"}, 0, fabric.processors()).value();
  const Router router(fabric);
  Flights flights;
  const std::uint32_t half = fabric.processors() / 2;
  for (std::uint32_t shift = 0; shift < half; ++shift) {
    for (std::uint32_t k = 0; k < half; ++k) {
      Flight flight;
      flight.source = NodeId(k);
      flight.target = NodeId(half + (k + shift) % half);
      flight.chunk = collective.chunk({k, flight.target.value, 0}).value();
      std::vector<ChannelId> channels;
      router.append_route(flight.source, flight.target, channels);
      flight.first_hop = flights.hops.size();
      flight.hops = static_cast<std::uint32_t>(channels.size());
      for (std::uint32_t h = 0; h < channels.size(); ++h) flights.hops.push_back({channels[h], 1 + h});
      flights.list.push_back(flight);
    }
  }
  const Flights placed = retimed(flights, fabric, collective, fabric).flights;
  CHECK(placed.last_step() == half * half + 2 * 8 - 1);
}
