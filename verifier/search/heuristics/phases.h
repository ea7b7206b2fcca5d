// Counts the phases of a schedule in steps (model/MODEL.md, Phases).
#pragma once

#include <cstdint>

#include "model/send_table.h"

namespace quadrille::searching {

// The fewest phases into which the table's steps can be divided so that every row leaves with what its node held when
// the row's phase began; 0 for a table without rows. A row is assumed to carry everything that has been joined with
// its packet, so for a partial reduction the result may be one phase too many, but never one too few. Requires a
// table in steps without faults. Cost: a look at each row.
std::uint32_t phases_of(const SendTable& table);

}  // namespace quadrille::searching
