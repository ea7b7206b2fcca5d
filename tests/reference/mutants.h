// Every table that differs from a given one in a single row.
#pragma once

#include <functional>
#include <string>

#include "model/send_table.h"

namespace quadrille::reference {

struct Mutant {
  SendTable table;
  std::string
      kind;  // "drop", "duplicate", "earlier", "later", "lane", "no such lane", "from", "to", "elsewhere", "chunk"
  std::string what;  // "row 17 (step 3, 0->1.0, lane 0, 0->2): later"
};

// Calls `visit` with each mutant, row by row; stops when it returns false. Per row: dropped; there twice; a step
// earlier (not before 1) and later; on the next lane and on one beyond the capacity; from each other node into the same
// one; from the same node into each other one; on two other channels; with two other packets. Cost: a copy of the table
// each.
void for_each_mutant(const SendTable& table, const std::function<bool(const Mutant&)>& visit);

// The same table with these rows.
SendTable with_rows(const SendTable& table, std::vector<StoredRows::StepRow> rows);

}  // namespace quadrille::reference
