// These functions turn the hops of a solver, or of a greedy choice, into a send table.
#pragma once

#include <string>
#include <vector>

#include "model/send_table.h"

namespace quadrille::searching {

using StepRow = StoredRows::StepRow;

// Returns the rows without those that serve no demand. From each demand's first arrival back, it keeps every row whose
// arrival is the latest before a kept row. Requires a copying collective.
std::vector<StepRow> useful_rows(const Fabric& fabric, const Collective& collective, std::vector<StepRow> rows);

// Returns the table of these rows. In each step, packets take the lanes of a channel in their order, from 0.
SendTable table_of(const Fabric& fabric, const Collective& collective, std::string name, std::vector<StepRow> rows);

}  // namespace quadrille::searching
