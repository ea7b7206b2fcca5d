// What can never be where each packet leaves its processor in one step only.
#pragma once

#include <optional>
#include <string>

#include "verifier/search.h"

namespace quadrille::searching {

// Why no number of steps is enough if every packet leaves each processor that it starts at in one step only; nothing
// where that is not known. Requires goal.inject_once and a copying collective. Cost: a search through the fabric for
// each channel out of where a chunk for several starts; nothing is said where that would be more than 2^26 visits.
std::optional<std::string> why_never_in_one_step(const Fabric& fabric, const Collective& collective,
                                                 const SearchGoal& goal);

}  // namespace quadrille::searching
