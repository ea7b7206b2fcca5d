// Resolving what expressions may refer to: the parameters, constants and functions of a schedule, or of a fabric.
#pragma once

#include <vector>

#include "compiler/front/resolve.h"
#include "compiler/ir.h"

namespace quadrille {

// Resolves the parameters, constants and functions that the context's declarations list, into the schedule; the context
// learns their types. Linear, but for chains of constants that are declared in changing directions: up to 64 times
// that.
void resolve_declared(ResolveContext& context, const Limits& limits, ir::Schedule& schedule);

// The formal parameters of a function or procedure become local variables.
void declare_formals(ResolveContext& context, Resolver& resolver, const std::vector<ast::FormalParameter>& formals,
                     const std::vector<ir::Type>& types);

}  // namespace quadrille
