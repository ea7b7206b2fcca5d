// The messages that wait in front of each router, and those under way.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "runtime/router/network.h"
#include "runtime/router/router.h"

namespace quadrille::routing {

// A message under way, as routers hold it. It has its target, so that routers need not look elsewhere. Flights are
// numbered in the order of injection, so the lower number is the older message.
struct WaitingMessage {
  std::uint32_t flight;
  std::uint32_t target;  // a router
  bool operator<(const WaitingMessage& other) const { return flight < other.flight; }
};

// By router, the messages that its processors have for it, in the order in which it takes them: the first of every
// processor, then the second, ….
class InjectionQueues {
 public:
  InjectionQueues(const Network& network, const std::vector<RoutedMessage>& messages) : queues_(network.routers()) {
    std::vector<std::uint32_t> turns(network.terminals.size(), 0);
    std::vector<std::uint32_t> turn_of(messages.size());
    for (std::size_t i = 0; i < messages.size(); ++i) turn_of[i] = turns[messages[i].from]++;
    std::vector<std::uint32_t> order(messages.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
      return std::tie(turn_of[a], messages[a].from) < std::tie(turn_of[b], messages[b].from);
    };
    if (!std::is_sorted(order.begin(), order.end(), before)) std::sort(order.begin(), order.end(), before);
    for (const std::uint32_t message : order) {
      queues_[network.terminals[messages[message].from].in].messages.push_back(message);
    }
  }

  bool empty(std::uint32_t router) const { return queues_[router].next == queues_[router].messages.size(); }
  std::uint32_t front(std::uint32_t router) const { return queues_[router].messages[queues_[router].next]; }
  void pop(std::uint32_t router) { ++queues_[router].next; }

 private:
  struct Queue {
    std::vector<std::uint32_t> messages = {};
    std::size_t next = 0;
  };
  std::vector<Queue> queues_;
};

// Counts how often processors were served in this cycle.
class Served {
 public:
  explicit Served(std::size_t processors) : last_(processors, 0), times_(processors, 0) {}

  bool may(std::uint32_t processor, std::uint32_t cycle, std::uint32_t lanes) const {
    return last_[processor] != cycle || times_[processor] < lanes;
  }
  void serve(std::uint32_t processor, std::uint32_t cycle) {
    times_[processor] = last_[processor] == cycle ? times_[processor] + 1 : 1;
    last_[processor] = cycle;
  }

 private:
  std::vector<std::uint32_t> last_;  // the cycle, 0 before any
  std::vector<std::uint32_t> times_;
};

}  // namespace quadrille::routing
