// Schedules from dice that deliver, on the fabric that they are written for, what their collective asks for.
#pragma once

#include <string>

#include "model/fabric.h"
#include "tests/reference/random_tables.h"

namespace quadrille::reference {

// A schedule for as many processors as the fabric has (at least 2), written for one that the language can name. Packets
// go by random detours, some by several sends; contributions are joined along random trees, by doubling, or all at
// once. All that it sends comes to where it is wanted, though rarely within the capacities.
std::string random_delivery(Dice& dice, std::uint32_t processors);

}  // namespace quadrille::reference
