// Needed passages: the processors that a packet only passes, and that need the copy which it leaves there. Placed on
// another fabric, the packet has to go there, too. On a ring, `send 0 -> 2` leaves a copy at 1; the passage is needed
// if 1 sends the copy on, or wants it, and gets it from nobody else in time.
#pragma once

#include <cstdint>
#include <vector>

#include "model/collective.h"
#include "model/fabric.h"
#include "place/flights/flights.h"

namespace quadrille {

struct NeededPassage {
  std::uint32_t flight = 0;
  std::uint32_t hop = 0;  // at whose end the copy is left, from 0
  auto operator<=>(const NeededPassage&) const = default;
};

// Sorted. `flights` are over `fabric`, of a copying collective. Where several passages would do, the first one is
// named.
std::vector<NeededPassage> needed_passages(const Flights& flights, const Fabric& fabric, const Collective& collective);

}  // namespace quadrille
