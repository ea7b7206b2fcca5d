// Combining is copying with time reversed. A reduction is a time-reversed broadcast, and a reduce_scatter an allgather,
// if the operation is commutative (perhaps idempotent), every link carries as much in both directions, and there are no
// switches or these reduce:
//
// Keep of a broadcast only the first row into each processor. The rows of each chunk then form a tree from the root
// down, in increasing steps. Time-reversed, every processor sends its partial reduction once, to the processor from
// which it had the chunk, after all processors that had the chunk from it have sent theirs. Each contribution so
// reaches the root once. Conversely, every contribution of a reduction reaches the root by rows of packets of its
// value, in increasing steps. Time-reversed, and with the chunk in place of the packets, these rows are a path from
// the root to the processor: a broadcast. Several rows of a value over one channel in one step become one. So there is
// a reduction of T steps exactly where there is a broadcast of T steps. With several values or roots the argument
// holds for each, and every channel carries, time-reversed, no more than before.
//
// Switches that reduce copy in the one direction of time, and join in the other: a packet that came to a switch in step
// a and left it last in step d is there, time-reversed, from step T + 1 - d, when the first packet arrives, until it
// leaves in step T + 1 - a. (Other switches break the argument: they copy, but do not combine.)
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "verifier/search/problem/moves.h"
#include "verifier/search/problem/problem.h"

namespace quadrille::searching {

// Returns the copying collective that this combining one is, time-reversed, on this fabric; nothing if it is none.
std::optional<Collective> time_reversed_of(const Fabric& fabric, const Collective& collective);

// Returns the value that the chunk of a broadcast or allgather stands for.
std::uint32_t value_of(const Collective& copying, ChunkId chunk);

// Returns the problem of the combining collective, made from the problem of the copying one, which has these moves.
// Keeps references to the fabric, the collective, the goal and the watch.
std::unique_ptr<SearchProblem> time_reversed_problem(const Fabric& fabric, const Collective& collective,
                                                     Collective copying, const SearchGoal& goal,
                                                     std::vector<Moves> moves, Watch& watch);

// Returns the copying schedule, of a broadcast or allgather, time-reversed. The result is a schedule of the combining
// collective that the copying one then is, or of one with the same values. Requires that the links of its rows go both
// ways.
std::vector<StepRow> time_reversed_rows(const Fabric& fabric, const Collective& combining, const Collective& copying,
                                        const std::vector<StepRow>& rows);

// Returns the copying schedule, `later` steps later, as rows of a combining collective: the copies are those of results
// that were combined before. (Switches that copy cannot tell which processor is meant; the checker refuses such rows.)
std::vector<StepRow> rows_of_results(const Fabric& fabric, const Collective& combining, const Collective& copying,
                                     const std::vector<StepRow>& rows, std::uint32_t later);

// Returns a schedule of an allreduce: the copying schedule, of a broadcast or allgather of as many parts in all,
// time-reversed, and then forwards. Requires that there are no switches, and that all links go both ways.
std::vector<StepRow> reduce_then_broadcast(const Fabric& fabric, const Collective& allreduce, const Collective& copying,
                                           const std::vector<StepRow>& rows);

}  // namespace quadrille::searching
