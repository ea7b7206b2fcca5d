// A fabric with some of its links removed, to find the cost of a broken cable.
#pragma once

#include <string>
#include <vector>

#include "model/fabric.h"
#include "model/ids.h"
#include "model/limits/limits.h"
#include "model/text/result.h"

namespace quadrille {

// The same nodes under the same rules, without these links. "0--1" removes the channels between the two nodes, in
// both directions; "leaf[0]->spine[1]" removes one direction; "spine[1]" all links of that switch, which stays as a
// node that nothing passes. The result is a graph, whatever the fabric was, and is named after it: "torus:4x4 without
// 0--1". An unknown node or link is refused, and the nearest one is offered. Without links to remove, the result is the
// fabric itself.
Result<Fabric> without_links(const Fabric& fabric, const std::vector<std::string>& links, const Limits& limits = {});

// The channels that such a text takes away; or what is wrong with it.
Result<std::vector<ChannelId>> channels_of_link(const Fabric& fabric, const std::string& link);

}  // namespace quadrille
