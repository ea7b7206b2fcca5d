// The cycles of the router; runtime/router/router.h describes them.
#pragma once

#include <cstdint>
#include <vector>

#include "model/limits/work.h"
#include "runtime/router/held_messages.h"
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
  bool delivers(WaitingMessage held);

  // The oldest message of a line that was not looked at in this turn.
  struct NextMessage {
    std::uint32_t flight;
    std::uint16_t line;
    bool operator<(const NextMessage& other) const { return flight > other.flight; }  // so that the oldest is on top
  };
  // How many messages of a line a turn has looked at, and kept.
  struct Looked {
    std::size_t seen = 0;
    std::size_t kept = 0;
  };

  bool is_blocked(std::uint16_t line) const { return line < blocked_.size() && blocked_[line] == turns_; }
  bool is_free(std::uint32_t router, std::uint32_t wire) const;
  void route_next(std::uint32_t router, std::uint16_t line);
  bool route(std::uint32_t router, std::uint16_t line, WaitingMessage held);
  bool list_dimensions(std::uint32_t useful);
  bool list_wires(std::uint32_t router, std::uint16_t line);
  void cross(std::uint32_t router, std::uint32_t wire, WaitingMessage held, Kind kind);
  void finish(std::uint32_t flight);
  void note(Kind kind, std::uint32_t message, ChannelId channel = ChannelId(0));

  const Traffic& it_;
  RandomNumbers random_;
  InjectionQueues queues_;
  Served injected_;
  Served delivered_;
  std::vector<InjectedMessage> flights_;
  HeldMessages held_;
  std::vector<std::vector<WaitingMessage>> arriving_;  // by router, those that cross a wire to it
  std::vector<std::uint32_t> at_target_;               // by router: number of all these at their target
  RouterRun run_;

  // The state of the router whose turn it is.
  std::vector<std::uint32_t> carried_;  // by wire, messages in this cycle
  std::uint32_t full_ = 0;              // a bit for each of the first 32 wires; hypercubes have no more
  std::size_t open_ = 0;                // number of wires with a lane left
  std::uint64_t turns_ = 0;             // until now, of all routers
  std::vector<std::uint64_t> blocked_;  // by line, the last turn in which none of its wires was free
  std::vector<NextMessage> next_;       // a heap
  std::vector<Looked> looked_;          // by line
  std::vector<UsefulWire> choice_;
  std::vector<std::uint32_t> free_wires_;
};

}  // namespace quadrille::routing
