// Mends an MSCCL XML file: adds dependencies and flags that order races, and flags that are waited for but never set.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/limits/limits.h"
#include "programs/msccl/load.h"
#include "programs/order_graph.h"

namespace quadrille::programs {

// One more dependency, or one more flag: `from` happens before `to`.
struct MscclChange {
  std::string text;  // "gpu 0: block 1 step 0 hasdep=1, block 0 step 1 depid=1 deps=0"
  Location from = {};
  std::optional<Location> to = {};     // nothing: only a flag was missing
  std::vector<Location> waiting = {};  // the operations that then wait for `from`
};

struct MendedMsccl {
  MscclFile file;
  std::vector<MscclChange> changes;
};

// The file with changes after which it holds, or holds under a condition, in all these calls; it is judged anew, and
// without any one of the changes it would not hold. Nothing if it needs no changes, or if none were found: something
// else is wrong, or the effort would be too large. Cost: at most 60 reports, and fewer for large files.
std::optional<MendedMsccl> mend_msccl(const MscclFile& file, const std::vector<MscclCall>& calls, const Limits& limits);

// The edges that the changes add to those of the original file.
std::vector<OrderEdge> added_edges(const std::vector<MscclChange>& changes, const OrderGraph& order);

}  // namespace quadrille::programs
