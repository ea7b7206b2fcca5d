// A lower bound on the cycles that any router needs.
#pragma once

#include <vector>

#include "model/limits/work.h"
#include "runtime/router/network.h"
#include "runtime/router/router.h"
#include "runtime/router/useful_wires.h"

namespace quadrille::routing {

LeastCycles least_cycles(const Fabric& fabric, const Network& network, const UsefulWires& useful,
                         const std::vector<RoutedMessage>& messages, const RouterOptions& options, Work& work);

}  // namespace quadrille::routing
