// From what a person gives on the command line to a schedule's instance: parameter values, fabric, collective.
#pragma once

#include "compiler/compile.h"
#include "compiler/evaluate.h"

namespace quadrille {

// Each throws EvaluationError (or several Diagnostics) on the user's mistakes.
struct BadArguments {
  Diagnostics diagnostics;
};

// The schedule with its parameters' values: those given, else their defaults. Throws BadArguments.
Instance bind_parameters(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments);

// The fabric that the schedule's fabric line describes, for the instance's parameters.
Fabric own_fabric(const Instance& instance);

// The collective that the schedule's collective line describes, for the instance's fabric.
Collective own_collective(const Instance& instance);

}  // namespace quadrille
