// These functions evaluate the lines `fabric` and `collective` of a schedule for one size.
#pragma once

#include "compiler/evaluate/instance.h"
#include "model/collective.h"
#include "model/fabric.h"

namespace quadrille {

// Both throw EvaluationError, or BadArguments, on the user's mistakes.

// Returns the fabric that the fabric line describes, for the instance's parameters.
Fabric own_fabric(const Instance& instance);

// Returns the number of parts that packets' names tell apart; for a combining collective, the number of values.
std::uint32_t parts_of(const Collective& collective);

// Returns the collective that the collective line describes, for the instance's fabric.
Collective own_collective(const Instance& instance);

}  // namespace quadrille
