// The cycles of the router; runtime/router/router.h describes them.
#pragma once

#include <vector>

#include "model/limits/work.h"
#include "runtime/router/network.h"
#include "runtime/router/router.h"
#include "runtime/router/useful_wires.h"

namespace quadrille::routing {

// Refers to values that must outlive it.
struct Traffic {
  const Network& network;
  const UsefulWires& useful;
  const std::vector<RoutedMessage>& messages;
  const RoutingPolicy& policy;
  const RouterOptions& options;
  Work& work;
};

// Runs until all messages are delivered, or until the bound on cycles or the limits are reached.
RouterRun run_cycles(const Traffic& traffic);

}  // namespace quadrille::routing
