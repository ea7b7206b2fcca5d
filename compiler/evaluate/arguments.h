// From what a person gives on the command line to a schedule's instance: the parameters' values.
#pragma once

#include "compiler/compile.h"
#include "compiler/evaluate/evaluate.h"

namespace quadrille {

// Each throws EvaluationError (or several Diagnostics) on the user's mistakes.
struct BadArguments {
  Diagnostics diagnostics;
};

// The schedule with its parameters' values: those given, else their defaults; and the options' limits. Throws
// BadArguments.
Instance bind_parameters(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments,
                         const ElaborateOptions& options);

}  // namespace quadrille
