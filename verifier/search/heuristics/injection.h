// Finds collectives that are impossible if each packet leaves its processor in one step only.
#pragma once

#include <optional>
#include <string>

#include "verifier/search.h"

namespace quadrille::searching {

// The reason why no number of steps is enough if every packet leaves each processor that it starts at in one step
// only. Nothing where no reason is known. Requires goal.inject_once and a copying collective. Cost: a search through
// the fabric for each channel out of a start of a chunk for several; it is not done where that would be more than
// 2^26 visits.
std::optional<std::string> why_never_in_one_step(const Fabric& fabric, const Collective& collective,
                                                 const SearchGoal& goal);

}  // namespace quadrille::searching
