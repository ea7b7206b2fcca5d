// Heuristics that give a search its first schedules. The checker must judge each of these.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "model/limits/watch.h"
#include "verifier/search/problem/moves.h"
#include "verifier/search/problem/problem.h"
#include "verifier/search/problem/rows.h"

namespace quadrille::searching {

// Chains, for any fabric with any rules: a partial reduction grows from one processor to the next by number, and each
// packet is sent as soon as there is room on its whole path. A value comes from both ends of 0 … n-1 to the processor
// that wants it (allreduce: to the middle one, and back from there); a prefix goes up. Ordered collectives are served,
// too. No rows if some pair has no path, or if there would be millions of rows. Throws Ended when the watch, if there
// is one, has reached its limits.
std::vector<StepRow> chain_schedule(const Fabric& fabric, const Collective& collective, Watch* watch = nullptr);

// List scheduling: in each step, every channel carries the waiting packets that need it most. No rows if the heuristic
// finds no schedule. It ignores queue rules, single ports and injecting once, so the
// checker must judge the schedule. `variant` chooses among tie-breaking rules.
//
// In each step and channel, packets for one processor go in the order of the longest distance left; chunks for many
// processors go in the order of the fewest holders. Cost: steps x channels x chunks. Throws Ended when the watch, if
// there is one, has reached its limits.
std::vector<StepRow> greedy_schedule(const Fabric& fabric, const std::vector<Moves>& moves, std::uint32_t variant,
                                     Watch* watch = nullptr);

// The processor that a joining tree takes next: the one that it can reach first, or the one that it can reach last.
enum class Next : std::uint8_t { nearest, farthest };

// Trees of flights in which the contributions to a value come together at a processor: a schedule of a reduce,
// reduce_scatter, allreduce or barrier. No rows for other collectives, for ordered
// operations, for more than 4096 processors, where switches join packets that meet in them, where some pair has no
// path (or none of the same capacity back), or where it would be too much work: more than 2^24 flights to look at.
// Queue rules are ignored, so the checker must judge the schedule. Throws Ended when the watch, if there is one, has
// reached its limits.
std::vector<StepRow> joining_trees(const Fabric& fabric, const Collective& collective, Next next, Watch* watch);

// Matchings: schedules of a broadcast or an all-gather where every processor sends and receives one packet a step at
// most. Hands over schedules, each shorter than the one before, until `take` returns false, or one has no more steps
// than the lower bound, or `most_work` is done: channels x (chunks + 100) for each step, or thousands of tries have
// brought nothing. The same question gets the same schedules. None on fabrics with switches, several ports or rounds,
// for collectives that do not want every chunk everywhere, and where one schedule alone is too much work. Throws Ended
// when the watch has reached its limits.
void matched_schedules(const Fabric& fabric, const std::vector<Moves>& moves, std::uint64_t lower_bound, Watch& watch,
                       const std::function<bool(std::vector<StepRow>)>& take,
                       std::uint64_t most_work = std::uint64_t{1} << 28);  // about a second

// Spreading: a greedy schedule of a collective with an idempotent operation, for which no contribution comes too
// often. In each step neighbours send one another what they hold; the sends that bring the most new contributions go
// first. No rows for other operations, on fabrics with switches, or where it would be too much work: more than 2^22
// words of 64 contributions. The checker must say whether everything has arrived in the end. Throws Ended when the
// watch, if there is one, has reached its limits.
std::vector<StepRow> spreading_schedule(const Fabric& fabric, const Collective& collective, Watch* watch);

// Planned as a whole (planned.cpp): balanced routes for packets that one processor each wants, spanning trees for
// chunks that all want, and trees of flights for sums that one processor each wants.
//
// Hands over schedules of the collective on the fabric, with the method, until `consider` returns false. With shifts of
// the fabric the plan is one for few processors. `enough`: as many steps as no schedule can be below. None in rounds,
// where queues have limits, for sums in a given order or that several want, and where it would be too much work:
// thousands of processors without shifts. The checker must judge the schedules. Throws Ended when the watch has reached
// its limits.
void planned_schedules(const Fabric& fabric, const Collective& collective, std::uint64_t enough, Watch& watch,
                       const SearchProblem::Consider& consider);

}  // namespace quadrille::searching
