// The cut of the least rate between two nodes.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "model/fabric.h"

namespace quadrille::driver {

// Those of the channels that all paths along them from `source` to `target` have to cross, one of them each, whose
// rates are the least in all; of several such cuts the nearest to the source. Requires that there is a path, and rates
// above 0.
std::vector<ChannelId> smallest_cut(const Fabric& fabric, std::span<const ChannelId> channels, NodeId source,
                                    NodeId target, const std::function<double(ChannelId)>& rate);

}  // namespace quadrille::driver
