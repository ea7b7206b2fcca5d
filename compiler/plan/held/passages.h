// Passages: what goes from where to where in a step or round. In steps that is a row; in rounds, a message's rows for
// one of its packets (model/MODEL.md, Rounds).
#pragma once

#include <cstddef>
#include <vector>

#include "model/collective.h"
#include "model/fabric.h"
#include "model/send_table.h"

namespace quadrille {

// Rows are named by their indices.
struct Passage {
  std::size_t departs = 0;           // out of the sender; where ways join, out of the first of them
  std::size_t arrives = 0;           // into the receiver
  std::vector<std::size_t> joining;  // where ways join: all rows, those farther from the receiver first; else none
};

// Messages in the order of their numbers; the rows of those that are not well formed, each a message of its own, come
// last. Requires a combining collective.
std::vector<Passage> passages_of(const StepRows& rows, const Fabric& fabric, const Collective& collective);

}  // namespace quadrille
