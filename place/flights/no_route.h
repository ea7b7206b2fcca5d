// no_route says that a fabric has no route for a send.
#pragma once

#include "model/fabric.h"
#include "model/text/source.h"

namespace quadrille {

// Throws the EvaluationError that no route leads from the one node to the other.
[[noreturn]] void no_route(const Fabric& fabric, NodeId from, NodeId to, Span span = {});

}  // namespace quadrille
