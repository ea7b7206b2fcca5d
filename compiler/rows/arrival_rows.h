// with_arrivals adds to a table's rows what becomes of their arrivals.
#pragma once

#include "model/send_table.h"

namespace quadrille {

// Returns the same table, whose rows say of each arrival whether it is stored, combined or kept (model/MODEL.md,
// Words). They say nothing of arrivals that bring nothing or are faults. A row keeps what it says already, and a
// copying collective's table stays as it is. Reading the rows costs the time and memory of reduction_replay.h.
SendTable with_arrivals(SendTable table);

}  // namespace quadrille
