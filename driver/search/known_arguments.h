// Arguments with which the schedules that ship may be of use on a fabric.
#pragma once

#include <vector>

#include "compiler/compile.h"
#include "compiler/ir.h"
#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/limits.h"

namespace quadrille::driver {

// Arguments with which a schedule is for this fabric and collective: a number without a default is the number of
// processors, or, if it is not called N, the tree's levels (elsewhere log2 of the processors); `root` is the
// collective's; a pattern, the tree's capacities; `sides`, those of a torus or mesh; `cycle`, a Hamiltonian one, where
// it is soon found, within the limits. Whether there is such a schedule is for elaborate() to say.
Arguments arguments_for(const ir::Schedule& schedule, const Fabric& fabric, const Collective& collective,
                        const Limits& limits);

// The same first, and then with other values: as many segments as there are parts, other radices, every way to lay out
// the processors in columns or servers, both patterns, and the levels of a tree of so many processors. A dozen at most.
std::vector<Arguments> every_arguments_for(const ir::Schedule& schedule, const Fabric& fabric,
                                           const Collective& collective, const Limits& limits);

// The same, but with a power of two of segments each, up to 512, however many chunks that makes.
std::vector<Arguments> arguments_of_any_parts(const ir::Schedule& schedule, const Fabric& fabric,
                                              const Collective& collective, const Limits& limits);

}  // namespace quadrille::driver
