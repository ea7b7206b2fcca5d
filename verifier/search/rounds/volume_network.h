// The strands of schedules with limited volume, where lengths count (verifier/ROUNDS_FORMULA.md, Volume).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/collective.h"
#include "verifier/search/rounds/contents.h"
#include "verifier/search/rounds/network.h"

namespace quadrille::searching {

// The network of a fabric. Requires !why_no_volume(…), and origins_by_value(…). Throws Ended with Reason::limit if
// there would be too many strands.
RoundNetwork volume_network(const Fabric& fabric, const Collective& collective, const std::vector<Origin>& origins,
                            Watch& watch);

// The reason why there is no formula of the volume on this fabric; nothing where there is one.
std::optional<std::string> why_no_volume(const Fabric& fabric);

}  // namespace quadrille::searching
