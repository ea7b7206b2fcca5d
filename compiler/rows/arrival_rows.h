// A table's rows, with what becomes of arrivals.
#pragma once

#include "model/send_table.h"

namespace quadrille {

// The same table, whose rows say of each arrival whether it is stored, combined or kept, as model/MODEL.md has it
// (Words); of what brings nothing, or is a fault, they say nothing. What a row says already stays. A copying
// collective's table stays as it is. Costs time and memory when the rows are read: as reduction_replay.h does.
SendTable with_arrivals(SendTable table);

}  // namespace quadrille
