// resolve_declared resolves the parameters, constants and functions of a schedule, or of a fabric's definition.
#pragma once

#include <vector>

#include "compiler/front/resolve.h"
#include "compiler/ir.h"

namespace quadrille {

// Resolves the parameters, constants and functions that the context's declarations list, into the schedule, and enters
// their types in the context. Cost: linear; up to 64 times that for chains of constants that are declared in changing
// directions.
void resolve_declared(ResolveContext& context, const Limits& limits, ir::Schedule& schedule);

// Declares the formal parameters of a function or procedure as local variables.
void declare_formals(ResolveContext& context, Resolver& resolver, const std::vector<ast::FormalParameter>& formals,
                     const std::vector<ir::Type>& types);

}  // namespace quadrille
