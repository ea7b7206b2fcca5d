// A FlightWalk reads one flight, hop by hop.
#pragma once

#include <cstdint>
#include <span>

#include "model/fabric.h"
#include "place/flights/flights.h"

namespace quadrille {

// A flight's hops, and the nodes at which they begin and end.
class FlightWalk {
 public:
  // Of a flight whose hops are stored.
  FlightWalk(const Flights& flights, const Fabric& fabric, std::uint32_t f)
      : FlightWalk(flights.list[f], flights.of(flights.list[f]), fabric) {}
  FlightWalk(const Flight& flight, std::span<const Hop> hops, const Fabric& fabric)
      : flight_(flight), hops_(hops), fabric_(fabric) {}

  std::span<const Hop> hops() const { return hops_; }
  bool multicast() const { return flight_.target == flight_.source; }
  NodeId from(std::uint32_t hop) const { return fabric_.channel(hops_[hop].channel).from; }
  NodeId to(std::uint32_t hop) const { return fabric_.channel(hops_[hop].channel).to; }

  // Whether the flight goes no further where this hop ends.
  bool last(std::uint32_t hop) const {
    if (!multicast()) return hop + 1 == hops_.size();
    for (std::uint32_t h = 0; h < hops_.size(); ++h) {
      if (from(h) == to(hop)) return false;
    }
    return true;
  }

 private:
  const Flight& flight_;
  std::span<const Hop> hops_;
  const Fabric& fabric_;
};

}  // namespace quadrille
