// A fabric's definition, resolved.
#pragma once

#include <memory>

#include "compiler/ir_fabric.h"
#include "dsl/ast.h"
#include "model/limits/limits.h"
#include "model/text/diagnostic.h"

namespace quadrille {

// The definition for every size; its mistakes go to `diagnostics`, and then the result is not used. A definition refers
// to its own parameters, to what its block declares by `let`, and to the language's names.
std::shared_ptr<const ir::FabricDefinition> resolve_fabric(const ast::FabricDefinition& tree, const Limits& limits,
                                                           Diagnostics& diagnostics);

}  // namespace quadrille
