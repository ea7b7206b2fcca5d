// Mending an MSCCL XML file: dependencies and flags that order what races, and flags that are waited for and never set.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/limits/limits.h"
#include "programs/msccl/load.h"
#include "programs/order_graph.h"

namespace quadrille::programs {

// One dependency more, or one flag more: `from` happens before `to`.
struct MscclChange {
  std::string text;  // "gpu 0: block 1 step 0 hasdep=1, block 0 step 1 depid=1 deps=0"
  Location from = {};
  std::optional<Location> to = {};     // nothing: only a flag was missing
  std::vector<Location> waiting = {};  // what then waits for `from`
};

struct MendedMsccl {
  MscclFile file;
  std::vector<MscclChange> changes;
};

// The file with changes after which it holds, or holds under a condition, in all these calls: judged anew; and without
// any one of the changes it would not. Nothing if it needs none, or none were found: what is wrong is something else,
// or the effort was too large. Cost: some reports, at most 60, and fewer of large files.
std::optional<MendedMsccl> mend_msccl(const MscclFile& file, const std::vector<MscclCall>& calls, const Limits& limits);

// What the changes add to the edges of the file as it was.
std::vector<OrderEdge> added_edges(const std::vector<MscclChange>& changes, const OrderGraph& order);

}  // namespace quadrille::programs
