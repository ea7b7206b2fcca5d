// From the hops that a solver, or a greedy choice, makes to a send table.
#pragma once

#include <string>
#include <vector>

#include "model/send_table.h"

namespace quadrille::searching {

using StepRow = StoredRows::StepRow;

// The rows without those that no demand is served by: from each demand's first arrival back, every row is kept whose
// arrival is the latest before a row that is kept. Copying collectives.
std::vector<StepRow> useful_rows(const Fabric& fabric, const Collective& collective, std::vector<StepRow> rows);

// The table of these rows: in each step and channel lanes are taken in the order of packets, from 0.
SendTable table_of(const Fabric& fabric, const Collective& collective, std::string name, std::vector<StepRow> rows);

}  // namespace quadrille::searching
