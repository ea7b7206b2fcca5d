// Turns a fabric and its messages into a run: routers and wires, distances, the lower bound, the cycles.
#include "runtime/router/router.h"

#include <fmt/format.h>

#include <new>

#include "model/limits/memory_ceiling.h"
#include "model/limits/work.h"
#include "runtime/router/cycles.h"
#include "runtime/router/least_cycles.h"
#include "runtime/router/network.h"
#include "runtime/router/useful_wires.h"

namespace quadrille {
namespace {

constexpr std::uint64_t bytes_per_message = 40;
constexpr std::uint64_t bytes_per_router = 128;

std::optional<Diagnostic> find_missing(const Fabric& fabric, const std::vector<RoutedMessage>& messages) {
  for (const RoutedMessage& it : messages) {
    const std::uint32_t processor = std::max(it.from, it.to);
    if (processor < fabric.processors()) continue;
    return error_at({}, fmt::format("there is no processor {}; the fabric has {}", processor, fabric.processors()),
                    Code::range);
  }
  return std::nullopt;
}

std::optional<Diagnostic> find_cut_off(const routing::Network& network, const routing::UsefulWires& useful,
                                       const std::vector<RoutedMessage>& messages) {
  if (network.dimensions) return std::nullopt;
  for (const RoutedMessage& it : messages) {
    const std::uint32_t wires = useful.distance(network.terminals[it.from].in, network.terminals[it.to].out);
    if (wires != routing::UsefulWires::no_way) continue;
    return error_at({}, fmt::format("no way leads from {} to {}", it.from, it.to), Code::route);
  }
  return std::nullopt;
}

Result<RouterRun> route(const Fabric& fabric, const std::vector<RoutedMessage>& messages, const RoutingPolicy& policy,
                        const RouterOptions& options) {
  if (auto missing = find_missing(fabric, messages)) return *std::move(missing);
  Work work(options.limits);
  work.take(messages.size(), bytes_per_message);
  work.take(fabric.nodes(), bytes_per_router);
  const Result<routing::Network> network = routing::make_network(fabric);
  if (!network) return network.diagnostics();
  std::vector<std::uint32_t> targets;
  for (const RoutedMessage& it : messages) targets.push_back(network->terminals[it.to].out);
  const routing::UsefulWires useful(*network, targets, work);
  if (auto cut_off = find_cut_off(*network, useful, messages)) return *std::move(cut_off);
  LeastCycles least = least_cycles(fabric, *network, useful, messages, options, work);
  const routing::Traffic traffic{*network, useful, messages, policy, options, work};
  RouterRun run = routing::run_cycles(traffic);
  run.least = std::move(least);
  return run;
}

}  // namespace

Result<RouterRun> route_messages(const Fabric& fabric, const std::vector<RoutedMessage>& messages,
                                 const RoutingPolicy& policy, const RouterOptions& options) {
  try {
    return route(fabric, messages, policy, options);
  } catch (const Ended& ended) {
    return error_at({},
                    ended.reason == Reason::limit ? "the fabric is too large for its distances to be kept"
                                                  : "the run was ended before it began",
                    code_of(ended.reason));
  } catch (const std::bad_alloc& refusal) {
    return error_at({}, std::string(why_no_memory(refusal)), Code::limit);
  }
}

}  // namespace quadrille
