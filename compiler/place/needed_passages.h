// Which processors that a packet only passes need the copy that it leaves there: placed on another fabric, the packet
// has to go there, too. On a ring, `send 0 -> 2` leaves a copy at 1; if 1 sends it on, or wants it, and gets it from
// nobody else in time, that passage is needed.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/plan/flights.h"
#include "model/collective.h"
#include "model/fabric.h"

namespace quadrille {

struct Passage {
  std::uint32_t flight = 0;
  std::uint32_t hop = 0;  // at whose end the copy is left, from 0
  auto operator<=>(const Passage&) const = default;
};

// Sorted. `flights` are over `fabric`, of a copying collective. Where several passages would do, the first one is
// named.
std::vector<Passage> needed_passages(const Flights& flights, const Fabric& fabric, const Collective& collective);

}  // namespace quadrille
