// phases_of counts the phases of a schedule in steps (model/MODEL.md, Phases).
#pragma once

#include <cstdint>

#include "model/send_table.h"

namespace quadrille::searching {

// Returns the fewest phases into which the table's steps can be cut so that every row carries only what its node held
// when the row's phase began; 0 for a table without rows. The count assumes that a row carries all that has arrived to
// be joined with it, so for partial reductions it may be too large, but never too small. Requires a table in steps
// without faults. Cost: a look at each row.
std::uint32_t phases_of(const SendTable& table);

}  // namespace quadrille::searching
