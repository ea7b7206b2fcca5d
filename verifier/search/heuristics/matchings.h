// Matchings: schedules of a broadcast or an all-gather where every processor sends and receives one packet a step at
// most. What such a step carries is a matching of the processors.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "verifier/search/problem/moves.h"
#include "verifier/search/problem/rows.h"
#include "verifier/search/solver/watch.h"

namespace quadrille::searching {

// Hands over schedules, each shorter than the one before, until `take` returns false, or one has no more steps than the
// lower bound, or `most_work` is done: channels x (chunks + 100) for each step, or thousands of tries have brought
// nothing. The same question gets the same schedules. None on fabrics with switches, several ports or rounds, for
// collectives that do not want every chunk everywhere, and where one schedule alone is too much work. Throws Ended when
// the watch has reached its limits.
void matched_schedules(const Fabric& fabric, const std::vector<Moves>& moves, std::uint64_t lower_bound, Watch& watch,
                       const std::function<bool(std::vector<StepRow>)>& take,
                       std::uint64_t most_work = std::uint64_t{1} << 28);  // about a second

}  // namespace quadrille::searching
