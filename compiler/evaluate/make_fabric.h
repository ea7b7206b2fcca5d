// A fabric's definition evaluated for one size.
#pragma once

#include <memory>
#include <string>

#include "compiler/compile.h"
#include "compiler/ir_fabric.h"
#include "model/topology.h"

namespace quadrille {

// The graph that the definition is with these arguments, under that title. Throws EvaluationError, or BadArguments, on
// the user's mistakes. Keeps the definition, for its routes.
std::shared_ptr<const Topology> make_fabric(const std::shared_ptr<const ir::FabricDefinition>& definition,
                                            const Arguments& arguments, std::string title, const Limits& limits = {});

}  // namespace quadrille
