// make_fabric evaluates a fabric's definition for one size.
#pragma once

#include <memory>
#include <string>

#include "compiler/compile.h"
#include "compiler/ir_fabric.h"
#include "model/topology.h"

namespace quadrille {

// Returns the graph that the definition describes with these arguments, under that title. The graph keeps the
// definition, for its routes. Throws EvaluationError, or BadArguments, on the user's mistakes.
std::shared_ptr<const Topology> make_fabric(const std::shared_ptr<const ir::FabricDefinition>& definition,
                                            const Arguments& arguments, std::string title, const Limits& limits = {});

}  // namespace quadrille
