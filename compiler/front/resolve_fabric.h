// resolve_fabric resolves a fabric's definition.
#pragma once

#include <memory>

#include "compiler/ir_fabric.h"
#include "dsl/ast.h"
#include "model/limits/limits.h"
#include "model/text/diagnostic.h"

namespace quadrille {

// Returns the definition for every size. Mistakes go to `diagnostics`; the result must then not be used. A definition
// may refer to its own parameters, to the constants that its block declares by `let`, and to the language's names.
std::shared_ptr<const ir::FabricDefinition> resolve_fabric(const ast::FabricDefinition& tree, const Limits& limits,
                                                           Diagnostics& diagnostics);

}  // namespace quadrille
