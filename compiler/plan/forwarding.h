// Sends to several processors where switches forward: one way for each processor, as switches do not branch.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "compiler/plan/flights.h"
#include "model/collective.h"
#include "model/fabric.h"

namespace quadrille {

// Whether there are switches, which forward.
bool forwards(const Fabric& fabric);

// Of a tree of channels, each of which starts at the root or where an earlier one ends: for each one that ends at a
// processor the indices of those that lead there from the processor before, in order. `send 0 -> {1, 2}` on star:3 has
// the tree 0->1.0, 1.0->1, 1.0->2, and the ways 0, 1 and 0, 2.
std::vector<std::vector<std::size_t>> ways_between_processors(const Fabric& fabric, std::span<const ChannelId> tree);

// The flights, with one for each such way in place of those to several processors; in order of departure, if the
// flights are.
Flights forwarded(const Flights& flights, const Fabric& fabric);

}  // namespace quadrille
