// Reductions whose partial reductions join in switches: sensible tables for `switches: reduce`.
#pragma once

#include <cstdint>
#include <vector>

#include "model/send_table.h"
#include "tests/reference/random_tables.h"

namespace quadrille::reference {

// For each value of a combining collective, the contributions of all, or of a few, come together at one processor along
// a tree of shortest ways; where these meet in a switch, one row leaves it. Some rows wait without need. Few rules are
// broken, but for lanes and ports, which later values do not look after.
std::vector<StoredRows::StepRow> joining_rows(Dice& dice, const Fabric& fabric, const Collective& collective);

}  // namespace quadrille::reference
