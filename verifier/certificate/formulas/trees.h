// Complete trees, as the judge reads them: from nodes and channels alone.
#pragma once

#include <cstdint>
#include <optional>

#include "model/fabric.h"

namespace quadrille::certificate {

// All processors are leaves of one depth, numbered from left to right, every switch has `arity` children, switches are
// numbered level by level above the leaves, and the channels between two levels are alike.
struct Tree {
  std::uint32_t arity = 0;
  std::uint32_t levels = 0;
};

// Nothing if the fabric is none, or its channels do not say their levels (a graph that is given as such). Cost: nodes
// and channels.
std::optional<Tree> tree_of(const Fabric& fabric);

}  // namespace quadrille::certificate
