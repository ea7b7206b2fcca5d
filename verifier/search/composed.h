// compose_in_phases makes schedules of combining collectives in phases (model/MODEL.md, Phases) from copying ones.
#pragma once

#include <cstdint>

#include "verifier/search/problem/problem.h"

namespace quadrille::searching {

// Offers schedules in so many phases at most, while they are of use:
// * in one phase every processor sends its own contribution to all who want it, where each is one hop away;
// * an allreduce is a reduction in the first phases and a broadcast in the others, or a reduce_scatter and then an
//   allgather, with every number of phases for the first part. A reduction is a broadcast time-reversed.
// Each part has the fewest steps that a solver finds with little work. Requires a fabric without switches whose links
// go both ways, and a combining collective. Throws Ended.
void compose_in_phases(const Fabric& fabric, const Collective& collective, std::uint32_t phases, Watch& watch,
                       const SearchProblem::Consider& consider);

}  // namespace quadrille::searching
