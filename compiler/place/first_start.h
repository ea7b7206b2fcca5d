// When a transfer starts that is placed next: in the first step in which its route is free, and it may.
#pragma once

#include <cstdint>
#include <span>

#include "compiler/place/calendar.h"
#include "compiler/place/placement.h"
#include "compiler/place/transfer_routes.h"

namespace quadrille {

// Throws EvaluationError if its last hop comes after the last step that there may be.
std::uint32_t first_start(std::span<const TimedChannel> hops, const StartBounds& bounds, const Calendar& calendar);

// The same by whichever shortest route is free first, where nobody says which: then `chosen` becomes true, and `route`,
// the transfer's own, that one. All are of one length, so the bounds stay.
std::uint32_t first_start_by_any(std::uint32_t transfer, const StartBounds& bounds, const Calendar& calendar,
                                 TransferRoutes& routes, TransferRoutes::Route& route, bool& chosen);

}  // namespace quadrille
