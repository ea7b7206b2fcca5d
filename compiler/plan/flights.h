// Flights: sends with the exact step of every hop. Most sends are never expanded so (their rows are made as they are
// read, plan.h); those under a discipline, reversed, waiting or retimed are.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/collective.h"
#include "model/fabric.h"
#include "model/ids.h"
#include "model/limits/limits.h"
#include "model/route.h"

namespace quadrille {

// Which send of which region a row belongs to: region in the upper 32 bits, number of the send within it in the lower.
using SendSerial = std::uint64_t;

struct Hop {
  ChannelId channel;
  std::uint32_t step = 0;  // the block's clock: 1 is its first step
};

// One send: from `source`, over hops in an order such that each starts where the source or an earlier hop's end is.
struct Flight {
  SendSerial serial = 0;
  ChunkId chunk;
  NodeId source;
  NodeId target;                // of a unicast; the source itself for a multicast
  std::uint64_t first_hop = 0;  // into Flights::hops
  std::uint32_t hops = 0;       // 0: they are not stored: the default route, a hop in each step from `start` on
  std::uint32_t start = 0;      // the first step, if hops are not stored
  bool named_path = false;      // the schedule names it (`along`); otherwise it is a default route
  std::uint32_t message = 0;    // in rounds: which one of its send; those of one message are one after another
};

struct Flights {
  std::vector<Flight> list;
  std::vector<Hop> hops;

  // Of a flight whose hops are stored; FlightHops gives those of any.
  std::span<Hop> of(const Flight& flight) { return std::span(hops).subspan(flight.first_hop, flight.hops); }
  std::span<const Hop> of(const Flight& flight) const { return std::span(hops).subspan(flight.first_hop, flight.hops); }
  // The first step of a flight.
  std::uint32_t departure(const Flight& flight) const {
    return flight.hops == 0 ? flight.start : hops[flight.first_hop].step;
  }
  // The last step of the hops that are stored.
  std::uint32_t last_step() const;
  void shift(std::uint32_t steps);     // every hop is that many steps later
  void append(const Flights& others);  // with their hops
};

// The hops of each flight, stored or not.
class FlightHops {
 public:
  // Both must outlive it. `fabric`: whose channels the flights use.
  FlightHops(const Flights& flights, const Fabric& fabric) : flights_(flights), fabric_(fabric) {}

  // Valid until the next call.
  std::span<const Hop> of(const Flight& flight);

 private:
  const Flights& flights_;
  const Fabric& fabric_;
  std::optional<Router> router_;  // once it is needed
  std::vector<ChannelId> route_;
  std::vector<Hop> hops_;
};

struct FlightsExtent {
  std::uint32_t last_step = 0;
  std::uint64_t hops = 0;
  std::uint64_t waits = 0;  // steps that packets wait at nodes that they pass; those to several processors count none
};
FlightsExtent extent_of(const Flights& flights, const Fabric& fabric);

// The flights moved through first-come-first-served queues, one for each channel: each starts no sooner than its own
// first hop's step, each channel carries as many packets a step as its capacity (and the fabric's port and duplex
// rules) allow. Those who wait go in order of: farthest first only: length of their whole route, longest first; the
// step in which they arrived; the channel by which they came (those from the parent last, the processor's own before
// all); the order of the sends.
enum class QueueOrder : std::uint8_t { fifo, farthest_first };
// Throws EvaluationError at a limit.
Flights queued(const Flights& flights, const Fabric& fabric, QueueOrder order, const Limits& limits = {});

}  // namespace quadrille
