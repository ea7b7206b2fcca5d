// The cycles of the router; runtime/router/router.h describes them.
#pragma once

#include <cstdint>
#include <vector>

#include "model/limits/work.h"
#include "runtime/router/network.h"
#include "runtime/router/queues.h"
#include "runtime/router/router.h"
#include "runtime/router/useful_wires.h"

namespace quadrille::routing {

// Refers to values that must outlive it.
struct Traffic {
  const Network& network;
  const UsefulWires& useful;
  const std::vector<RoutedMessage>& messages;
  const RoutingPolicy& policy;
  const RouterOptions& options;
  Work& work;
};

class Cycles {
 public:
  explicit Cycles(const Traffic& traffic);

  // Runs until all messages are delivered, or until the bound on cycles or the limits are reached.
  RouterRun run();

 private:
  using Kind = RouterEvent::Kind;

  void cycle();
  void turn(std::uint32_t router);
  void clear_wires(std::uint32_t router);
  void route_held(std::uint32_t router);
  void refer_excess(std::uint32_t router);
  void inject(std::uint32_t router);
  bool inject_front(std::uint32_t router);
  void settle(std::uint32_t router);
  void deliver(std::uint32_t router);

  bool is_free(std::uint32_t router, std::uint32_t wire) const;
  bool route(std::uint32_t router, WaitingMessage held);
  bool list_dimensions(std::uint32_t useful);
  bool list_wires(std::uint32_t router, std::uint32_t target);
  void cross(std::uint32_t router, std::uint32_t wire, WaitingMessage held, Kind kind);
  void finish(std::uint32_t flight);
  void note(Kind kind, std::uint32_t message, ChannelId channel = ChannelId(0));

  const Traffic& it_;
  RandomNumbers random_;
  InjectionQueues queues_;
  Served injected_;
  Served delivered_;
  std::vector<InjectedMessage> flights_;
  std::vector<std::vector<WaitingMessage>> held_;      // by router, the oldest first
  std::vector<std::vector<WaitingMessage>> arriving_;  // by router, those that cross a wire to it
  std::vector<std::uint32_t> at_target_;               // by router: number of all these at their target
  RouterRun run_;

  // The state of the router whose turn it is.
  std::vector<std::uint32_t> carried_;  // by wire, messages in this cycle
  std::uint32_t full_ = 0;              // a bit for each of the first 32 wires; hypercubes have no more
  std::uint64_t turns_ = 0;             // until now, of all routers
  std::vector<std::uint64_t> blocked_;  // by target, the last turn in which no useful wire was free
  std::vector<WaitingMessage> waiting_;
  std::vector<UsefulWire> choice_;
  std::vector<std::uint32_t> free_wires_;
};

}  // namespace quadrille::routing
