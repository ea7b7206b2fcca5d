// Makes send tables from the hops that a solver, or a greedy heuristic, chooses.
#pragma once

#include <string>
#include <vector>

#include "model/send_table.h"

namespace quadrille::searching {

using StepRow = StoredRows::StepRow;

// The rows without those that serve no demand. A row is kept if it is the first arrival that meets a demand, or if it
// is the latest arrival of its chunk at a node before a kept row leaves that node. Requires a copying collective.
std::vector<StepRow> useful_rows(const Fabric& fabric, const Collective& collective, std::vector<StepRow> rows);

// The table of these rows. In each step and channel, packets take lanes in their order, from lane 0 on.
SendTable table_of(const Fabric& fabric, const Collective& collective, std::string name, std::vector<StepRow> rows);

}  // namespace quadrille::searching
