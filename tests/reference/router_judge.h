// A judge of the router's traces that shares no code with it: it follows every message from node to node.
#pragma once

#include <string>
#include <vector>

#include "model/fabric.h"
#include "runtime/router/router.h"

namespace quadrille::reference {

// The first thing that is wrong with the run, by what runtime/router/router.h says; empty if nothing is. `ready`: the
// policy takes a useful wire whenever one is free.
std::string judge_router(const Fabric& fabric, const std::vector<RoutedMessage>& messages, const RouterOptions& options,
                         const RouterRun& run, const std::vector<RouterEvent>& trace, bool ready);

}  // namespace quadrille::reference
