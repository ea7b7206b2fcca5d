// The lines `fabric` and `collective` of a schedule, evaluated for one size.
#pragma once

#include "compiler/evaluate/instance.h"
#include "model/collective.h"
#include "model/fabric.h"

namespace quadrille {

// Both throw EvaluationError, or BadArguments, on the user's mistakes.

// The fabric that the fabric line describes, for the instance's parameters.
Fabric own_fabric(const Instance& instance);

// How many parts a packet's name may tell apart: combining: the values.
std::uint32_t parts_of(const Collective& collective);

// The collective that the collective line describes, for the instance's fabric.
Collective own_collective(const Instance& instance);

}  // namespace quadrille
