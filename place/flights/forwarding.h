// Switches that forward do not branch, so a send to several processors takes one route for each of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/collective.h"
#include "model/fabric.h"
#include "place/flights/flights.h"

namespace quadrille {

// Whether the fabric has switches, and these forward.
bool forwards(const Fabric& fabric);

// Returns, for each channel of the tree that ends at a processor, the indices of the channels that lead there from the
// previous processor, in order. Requires that each channel of the tree starts at the root or where an earlier one ends.
// For example, `send 0 -> {1, 2}` on star:3 has the tree 0->1.0, 1.0->1, 1.0->2, and the routes 0, 1 and 0, 2.
std::vector<std::vector<std::size_t>> ways_between_processors(const Fabric& fabric, std::span<const ChannelId> tree);

// Returns the flights, with each flight to several processors replaced by one flight for each such route. They are in
// order of departure if `flights` are. Those of one send are in its order; or the farthest processors come first, since
// those near the sender lose least by waiting.
enum class WayOrder : std::uint8_t { of_the_send, farthest_first };
Flights forwarded(const Flights& flights, const Fabric& fabric, WayOrder order = WayOrder::of_the_send);

}  // namespace quadrille
