// bind_parameters turns the arguments of the command line into the parameters' values of a schedule's instance.
#pragma once

#include "compiler/compile.h"
#include "compiler/evaluate/evaluate.h"

namespace quadrille {

// Each throws EvaluationError (or several Diagnostics) on the user's mistakes.
struct BadArguments {
  Diagnostics diagnostics;
};

// Returns the schedule's instance with the given values of its parameters, their defaults where none is given, and the
// options' limits. Throws BadArguments.
Instance bind_parameters(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments,
                         const ElaborateOptions& options);

}  // namespace quadrille
