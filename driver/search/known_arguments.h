// Arguments with which schedules that ship may be of use on a fabric.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/compile.h"
#include "compiler/ir.h"
#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/limits.h"

namespace quadrille::driver {

// Sizes of a machine's levels, from the innermost: {8, 4, 2} are two racks of four servers of eight processors, which
// are numbered one after another.
using MachineLevels = std::vector<std::uint32_t>;

// Arguments that fit a schedule to this fabric and collective. A number without a default is the number of
// processors; or, if it is not called N, the tree's levels (elsewhere log2 of the processors). `root` is the
// collective's; a pattern has the tree's capacities; `sides` are those of the torus or mesh that the channels make,
// some links of which may be broken, whatever the topology calls itself; `weak` are the processors that have fewer
// lanes than most, where all are near to each other; `cycle` is a Hamiltonian cycle, if one is found soon, within the
// limits. elaborate() decides whether such a schedule exists.
Arguments arguments_for(const ir::Schedule& schedule, const Fabric& fabric, const Collective& collective,
                        const Limits& limits);

// Whether the schedule is of use on the machine: one for weak processors is not where there are none.
bool suits(const ir::Schedule& schedule, const Fabric& fabric);

// These arguments first, and then others: as many segments or rings as there are parts, other radices, every way to
// arrange the processors in columns or servers, both patterns, and the levels of a tree of so many processors. Some two
// dozen at most.
std::vector<Arguments> every_arguments_for(const ir::Schedule& schedule, const Fabric& fabric,
                                           const Collective& collective, const Limits& limits);

// The same, with each power of two of segments up to 512, whatever number of chunks that makes, and only such servers
// as the fabric has, if it has any: processors that are nearer to each other than to others. Where it has none, and
// there are segments, all processors are one server; so they are once, too, where it has some. Parameters that are
// given keep their values. `levels`: instead of the servers that the fabric has; empty: none are given. Requires that
// their product is the number of processors.
std::vector<Arguments> arguments_of_any_parts(const ir::Schedule& schedule, const Fabric& fabric,
                                              const Collective& collective, const Limits& limits,
                                              const Arguments& given = {}, const MachineLevels& levels = {});

// The number of segments that the arguments give; 0 if they give none, or a list.
std::uint64_t segments_of(const Arguments& arguments);
// Whether the schedule cuts each message into pieces (`pieces`) that may go by different lanes, and the fabric has
// lanes that whole messages do not take evenly: some processors have more than others, or more to one node than to
// another.
bool takes_pieces(const ir::Schedule& schedule, const Fabric& fabric);
// These arguments with messages in pieces; nothing if they say how many, or have too many segments for that.
std::optional<Arguments> in_pieces(Arguments arguments);

}  // namespace quadrille::driver
