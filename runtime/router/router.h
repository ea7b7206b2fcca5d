// The packet router of the Connection Machine, on any fabric. Messages find their way on line, one wire at a time,
// and nothing is known of them beforehand. (Stanfill, Communications Architecture in the Connection Machine System,
// §4.2)
//
// Routers are the switches that processors are attached to, and processors that are linked to others. In each cycle
// every router, beginning with the oldest of its messages,
//   routes    each along a useful wire (one that leads nearer to its target) that is free, as its policy chooses;
//   buffers   at most B of those that wait;
//   refers    the youngest of those that are too many, each along a free wire drawn at random;
//   injects   up to K messages of its processors, while there is a buffer or a free useful wire for them;
// then all messages cross their wires at once, and every router
//   delivers  up to K that have arrived, as many to a processor as its channel has lanes.
//
// The paper leaves some questions open. They are settled so that no message is lost, or stays under way for ever:
// * A wire for every excess message. A router has at most B messages waiting and, from the last cycle, one for each
//   lane in. If it has as many lanes out as in, and all but B are routed or referred, each has a lane. An injected
//   message takes none from them, because routers inject last. A message at its target may be referred, too, while
//   others are delivered.
// * An end. The age of a message counts from its injection. The oldest of all finds all wires free, so it comes
//   nearer in every cycle, and is delivered when it arrives. So with policies that take a useful wire whenever all
//   are free, M messages take at most M * max(1, diameter) cycles.
// * One-way links (omega). There, referring might lead to a router without a path back. If wires form no cycle, a
//   message crosses a wire only if the next router will have a buffer for it, and none is referred; otherwise the
//   fabric is refused.
// * A fabric's own rules (ports, duplex, queues) are for schedules. The router keeps to lanes, B and K.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/fabric.h"
#include "model/limits/limits.h"
#include "model/text/result.h"
#include "runtime/router/routing_policy.h"

namespace quadrille {

// A message from a processor to a processor, which may be the same.
struct RoutedMessage {
  std::uint32_t from;
  std::uint32_t to;
  bool operator==(const RoutedMessage&) const = default;
};

struct RouterEvent {
  enum class Kind : std::uint8_t { injected, crossed, referred, delivered } kind;
  std::uint32_t cycle;    // from 1
  std::uint32_t message;  // its index among the given messages
  ChannelId channel;      // the channel that it crosses; without meaning for other events
  bool operator==(const RouterEvent&) const = default;
};

struct RouterOptions {
  std::uint32_t buffers = 8;  // B of a router, at least 1
  std::uint32_t inject = 1;   // K: for each router in a cycle, at least 1; so with deliver
  std::uint32_t deliver = 1;
  std::uint64_t seed = 1;
  std::uint32_t most_cycles = 10'000'000;  // then the run ends, unknown (Reason::limit)
  std::vector<RouterEvent>* trace = nullptr;
  Limits limits = {};
};

// The number of messages that took so many cycles.
using Delays = std::map<std::uint32_t, std::uint64_t>;

// A number of cycles that every run takes at least, and the reason in a sentence.
struct LeastCycles {
  std::uint64_t cycles = 0;
  std::string reason = {};
};

struct RouterRun {
  std::uint32_t routers = 0;
  std::uint64_t wires = 0;     // lanes between them
  bool refers = true;          // false: links go one way, and messages wait for room
  std::uint32_t cycles = 0;    // until the last message is delivered, or the run ends
  std::uint64_t messages = 0;  // of which are delivered:
  std::uint64_t delivered = 0;
  std::uint64_t hops = 0;           // wires crossed, referrals included
  std::uint64_t referrals = 0;      // how many of these were referrals
  std::uint32_t peak_buffered = 0;  // the most messages that waited in one router
  std::uint64_t buffered = 0;       // messages that waited, summed over routers and cycles
  Delays delays = {};               // from the first cycle to that of the delivery, both included
  Delays delays_inside = {};        // the same from the injection
  LeastCycles least = {};
  Reason reason = Reason::none;  // why not all are delivered
};

// Sends the messages, those of a processor in their order. Errors: a processor that does not exist, no path from one
// to another, a fabric that this header refuses, or one that is too large. The same seed gives the same run. Cost:
// some 3 to 15 million wires crossed a second; 40 bytes of memory for each message and, except for hypercubes, 2 for
// each router and target.
Result<RouterRun> route_messages(const Fabric& fabric, const std::vector<RoutedMessage>& messages,
                                 const RoutingPolicy& policy, const RouterOptions& options = {});

}  // namespace quadrille
