// This argument shows goals impossible in which each packet leaves its processor in one step only.
#pragma once

#include <optional>
#include <string>

#include "verifier/search.h"

namespace quadrille::searching {

// Returns why no number of steps is enough if every packet leaves each processor that it starts at in one step only;
// nothing where that is not known. Requires goal.inject_once and a copying collective. Cost: for each chunk with
// several targets, a search through the fabric for each channel out of its starts; it returns nothing where that would
// be more than 2^26 visits.
std::optional<std::string> why_never_in_one_step(const Fabric& fabric, const Collective& collective,
                                                 const SearchGoal& goal);

}  // namespace quadrille::searching
