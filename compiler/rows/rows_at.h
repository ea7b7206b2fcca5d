// The rows of a table that begin or end at some processors, without those of all others where that can be had.
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

// Whether that can be had: whether these are the rows of a compiled schedule in steps.
bool leaves_out_rows(const RowSource& rows);

// A new cursor over `rows`: over those at least that begin or end at one of these, in their order. Where they are those
// of a compiled schedule in steps it gives no others, and keeps none.
std::unique_ptr<RowCursor> open_at(const RowSource& rows, const ProcessorsAt& processors);

}  // namespace quadrille
