// Distances in a fabric, in hops.
#pragma once

#include <cstdint>
#include <vector>

#include "model/fabric.h"

namespace quadrille::certificate {

inline constexpr std::uint32_t far = 0xffffffff;  // no way; more hops than there are steps

enum class SearchDirection : std::uint8_t { from, to };

// Hops from (or to) the nearest of `ends`, to (or from) each node, over the channels for which `uses` says so.
std::vector<std::uint32_t> distances(const Fabric& fabric, const std::vector<NodeId>& ends,
                                     const std::vector<bool>& uses, SearchDirection direction);

}  // namespace quadrille::certificate
