// A fabric with some of its links taken away: what a broken cable costs.
#pragma once

#include <string>
#include <vector>

#include "model/fabric.h"
#include "model/limits/limits.h"
#include "model/text/result.h"

namespace quadrille {

// The same nodes under the same rules, without these links: "0--1" takes away what there is between the two, in both
// directions, "leaf[0]->spine[1]" one direction. It is a graph, whatever the fabric was, and called after it:
// "torus:4x4 without 0--1". An unknown node or link is refused with the nearest there is. No links: the fabric as it
// is.
Result<Fabric> without_links(const Fabric& fabric, const std::vector<std::string>& links, const Limits& limits = {});

}  // namespace quadrille
