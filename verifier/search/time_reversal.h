// Combining is copying with time reversed. Where there are no switches, or they reduce, and every link carries as much
// one way as the other, a reduction is a time-reversed broadcast, and a reduce_scatter an allgather, if the operation
// is commutative, perhaps idempotent:
//
// A broadcast of which only the first row into each processor is kept is a tree of rows for each chunk, from the root
// down, in steps that rise. Time-reversed, every processor sends the partial reduction that it has to where it had the
// chunk from, once, after all those have sent theirs to it that had the chunk from it: each contribution comes to the
// root once. In a reduction, every contribution has come to the root by rows in steps that rise, of packets of its
// value. Time-reversed, and with the chunk in the packets' place, these are a way from the root to the processor: a
// broadcast; several rows of a value over one channel in one step become one. So there is a reduction of T steps
// exactly where there is a broadcast of T steps. With several values or roots it is the same for each, and every
// channel carries, time-reversed, no more than before.
//
// Switches that reduce copy in the one, and join in the other: what came to a switch in step a and left it last in step
// d is there time-reversed from step T + 1 - d, when the first comes to it, until it leaves in step T + 1 - a. (Other
// switches spoil it: they copy, but do not combine.)
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "verifier/search/problem/moves.h"
#include "verifier/search/problem/problem.h"

namespace quadrille::searching {

// The copying collective that this combining one is, time-reversed, on this fabric; nothing if it is none.
std::optional<Collective> time_reversed_of(const Fabric& fabric, const Collective& collective);

// The value that the chunk of a broadcast or allgather stands for.
std::uint32_t value_of(const Collective& copying, ChunkId chunk);

// The problem of the combining collective, by that of the copying one, whose moves these are. Keeps references to the
// fabric, the collective, the goal and the watch.
std::unique_ptr<SearchProblem> time_reversed_problem(const Fabric& fabric, const Collective& collective,
                                                     Collective copying, const SearchGoal& goal,
                                                     std::vector<Moves> moves, Watch& watch);

// The copying schedule, of a broadcast or allgather, time-reversed: a schedule of the combining collective that it is
// then, or of one with the same values. Requires that the links of its rows go both ways.
std::vector<StepRow> time_reversed_rows(const Fabric& fabric, const Collective& combining, const Collective& copying,
                                        const std::vector<StepRow>& rows);

// The copying schedule, `later` steps later, as rows of a combining collective: what is copied is what was combined
// before. (Switches that copy cannot tell who is meant: there the checker will refuse it.)
std::vector<StepRow> rows_of_results(const Fabric& fabric, const Collective& combining, const Collective& copying,
                                     const std::vector<StepRow>& rows, std::uint32_t later);

// A schedule of an allreduce: the copying schedule, of broadcast or allgather of as many parts in all, time-reversed,
// and then forwards. Requires that there are no switches, and all links go both ways.
std::vector<StepRow> reduce_then_broadcast(const Fabric& fabric, const Collective& allreduce, const Collective& copying,
                                           const std::vector<StepRow>& rows);

}  // namespace quadrille::searching
