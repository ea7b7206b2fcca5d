// A combining collective is a copying one with time reversed. Suppose that a fabric has no switches, or that its
// switches reduce, and that every link has the same capacity both ways. Then a reduction is a time-reversed
// broadcast, and a reduce_scatter is a time-reversed allgather, if the operation is commutative (it may be
// idempotent, too).
//
// From a broadcast to a reduction: keep of the broadcast only the first row into each processor. For each chunk,
// these rows form a tree from the root down, in increasing steps. Time-reversed, every processor sends its partial
// reduction once, to the processor from which it had the chunk. It does so after all processors that had the chunk
// from it have sent theirs, so each contribution reaches the root once.
//
// From a reduction to a broadcast: every contribution has come to the root by rows of packets of its value, in
// increasing steps. Time-reversed, and with the chunk in place of the packets, these rows are a path from the root to
// the processor. Together they are a broadcast; several rows of a value over one channel in one step become one. So a
// reduction of T steps exists exactly where a broadcast of T steps does. With several values or roots the same holds
// for each, and every channel carries, time-reversed, no more than before.
//
// Switches that reduce copy in the one schedule and join in the other. Suppose that a chunk came to a switch in step
// a and left it last in step d. Time-reversed, the packets wait at that switch from step T + 1 - d, when the first
// one arrives, until they leave in step T + 1 - a. (Other switches do not allow this: they copy, but do not combine.)
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "verifier/search/problem/moves.h"
#include "verifier/search/problem/problem.h"

namespace quadrille::searching {

// The copying collective whose time reversal is this combining one on this fabric; nothing if there is none.
std::optional<Collective> time_reversed_of(const Fabric& fabric, const Collective& collective);

// The time reversal of a schedule of a broadcast or allgather. It is a schedule of the combining collective that is
// the copying one's time reversal, or of one with the same values. Requires that the links of its rows go both ways.
std::vector<StepRow> time_reversed_rows(const Fabric& fabric, const Collective& combining, const Collective& copying,
                                        const std::vector<StepRow>& rows);

// The copying schedule, delayed by `later` steps, as rows of a combining collective. It copies what was combined
// before. (Switches that copy cannot tell who is meant; the checker refuses such a schedule.)
std::vector<StepRow> rows_of_results(const Fabric& fabric, const Collective& combining, const Collective& copying,
                                     const std::vector<StepRow>& rows, std::uint32_t later);

// A schedule of an allreduce: first the copying schedule `before` time-reversed, and then `after` forwards, which may
// be the same. Requires a broadcast or allgather of as many parts in all, a fabric without switches, and links that all
// go both ways.
std::vector<StepRow> reduce_then_broadcast(const Fabric& fabric, const Collective& allreduce, const Collective& copying,
                                           const std::vector<StepRow>& before, const std::vector<StepRow>& after);

// Schedules of combining collectives in phases (model/MODEL.md, Phases) that are composed of copying schedules
// (composed.cpp). Offers schedules in at most `phases` phases, until `consider` says that another is of no use:
// * In one phase, every processor sends its own contribution to all who want it, where each of them is one hop away.
// * An allreduce is a reduction in the first phases and a broadcast in the others, or a reduce_scatter and then an
//   allgather. Every number of phases is tried for the first part. A reduction is a broadcast time-reversed.
//
// Each part has the fewest steps that a solver finds with little work. Requires a fabric without switches whose links
// go both ways, and a combining collective. Throws Ended.
void compose_in_phases(const Fabric& fabric, const Collective& collective, std::uint32_t phases, Watch& watch,
                       const SearchProblem::Consider& consider);

}  // namespace quadrille::searching
