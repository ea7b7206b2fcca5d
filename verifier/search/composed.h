// Schedules of combining collectives in phases (model/MODEL.md, Phases) that are composed of copying schedules.
#pragma once

#include <cstdint>

#include "verifier/search/problem/problem.h"

namespace quadrille::searching {

// Offers schedules in at most `phases` phases, until `consider` says that another is of no use:
// * In one phase, every processor sends its own contribution to all who want it, where each of them is one hop away.
// * An allreduce is a reduction in the first phases and a broadcast in the others, or a reduce_scatter and then an
//   allgather. Every number of phases is tried for the first part. A reduction is a broadcast time-reversed.
//
// Each part has the fewest steps that a solver finds with little work. Requires a fabric without switches whose links
// go both ways, and a combining collective. Throws Ended.
void compose_in_phases(const Fabric& fabric, const Collective& collective, std::uint32_t phases, Watch& watch,
                       const SearchProblem::Consider& consider);

}  // namespace quadrille::searching
