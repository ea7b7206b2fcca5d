// Flights are sends with the exact step of every hop. Sends under a discipline, reversed, waiting or retimed become
// flights. Most other sends are never expanded; their rows are made as they are read (compiler/plan/plan.h).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/collective.h"
#include "model/fabric.h"
#include "model/ids.h"
#include "model/route.h"
#include "model/text/source.h"

namespace quadrille {

// The send that a row belongs to: the region in the upper 32 bits, the send's number within it in the lower.
using SendSerial = std::uint64_t;

struct Hop {
  ChannelId channel;
  std::uint32_t step = 0;  // the block's clock: 1 is its first step
};

// One send from `source`. Its hops are ordered so that each starts at the source or where an earlier hop ends.
struct Flight {
  SendSerial serial = 0;
  ChunkId chunk;
  NodeId source;
  NodeId target;                // of a unicast; the source itself for a multicast
  std::uint64_t first_hop = 0;  // into Flights::hops
  std::uint32_t hops = 0;       // 0: they are not stored: the default route, a hop in each step from `start` on
  std::uint32_t start = 0;      // the first step, if hops are not stored
  bool named_path = false;      // the schedule names it (`along`); otherwise it is a default route
  std::uint32_t message = 0;    // in rounds: the message's number in its send; flights of one message are neighbours
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

// A hop that is stored, in Flights::hops.
struct HopAt {
  std::uint32_t step = 0;
  std::uint32_t flight = 0;  // in Flights::list
  std::uint64_t hop = 0;
};
// The hops that are stored, by step; those of one step in the order of the flights.
std::vector<HopAt> hops_by_step(const Flights& flights);

// FlightHops gives the hops of each flight, stored or not.
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
// The extent of flights over `fabric`, hops that are not stored included.
FlightsExtent extent_of(const Flights& flights, const Fabric& fabric);

// Throws the EvaluationError that the times of hops would need more than `memory` bytes.
[[noreturn]] void times_too_large(std::uint64_t memory, Span span);

// Throws the EvaluationError that tables by channel would be too large, if the fabric has more than max_fabric_size
// channels: what places sends has such tables.
void require_listed_channels(const Fabric& fabric);

}  // namespace quadrille
