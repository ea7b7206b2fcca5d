// Schedules that are planned as a whole: balanced routes for packets that one processor each wants, spanning trees for
// chunks that all want, and trees of flights for sums that one processor each wants.
#pragma once

#include <cstdint>

#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/watch.h"
#include "model/send_table.h"
#include "verifier/search/problem/problem.h"

namespace quadrille::searching {

// Hands over schedules of the collective on the fabric, with the method, until `consider` returns false. With shifts of
// the fabric the plan is one for few processors. `enough`: as many steps as no schedule can be below. None in rounds,
// where queues have limits, for sums in a given order or that several want, and where it would be too much work:
// thousands of processors without shifts. The checker must judge the schedules. Throws Ended when the watch has reached
// its limits.
void planned_schedules(const Fabric& fabric, const Collective& collective, std::uint64_t enough, Watch& watch,
                       const SearchProblem::Consider& consider);

}  // namespace quadrille::searching
