// open_at reads the rows of a table that begin or end at some processors, and leaves out all others where it can.
#pragma once

#include <memory>

#include "model/ids.h"
#include "model/send_table.h"

namespace quadrille {

// The processors first … last.
struct ProcessorsAt {
  NodeId first;
  NodeId last;
  bool contains(NodeId node) const { return first <= node && node <= last; }
};

// Whether open_at can leave out rows: whether these are the rows of a compiled schedule in steps.
bool leaves_out_rows(const RowSource& rows);

// Opens a new cursor over at least those rows that begin or end at one of these processors, in their order. For a
// compiled schedule in steps, the cursor gives no other rows and stores none.
std::unique_ptr<RowCursor> open_at(const RowSource& rows, const ProcessorsAt& processors);

}  // namespace quadrille
