// The list is taken from the network that the report built: an action is an operation, and its number is its index.
#include "programs/order_graph.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "programs/network.h"

namespace quadrille::programs {
namespace {

std::string chunks(std::int64_t offset, std::uint32_t count) {
  return count == 1 ? fmt::format("{}", offset) : fmt::format("{}..{}", offset, offset + count - 1);
}

std::string source_text(const ProgramOperation& operation) {
  std::vector<std::string> places;
  for (const std::int64_t source : operation.sources) places.push_back(chunks(source, operation.count));
  return fmt::format("{} {}", to_string(operation.source), fmt::join(places, ", "));
}

std::string target_text(const ProgramOperation& operation) {
  return fmt::format("{} {}", to_string(operation.target), chunks(operation.target_offset, operation.count));
}

std::string what_it_does(const ProgramOperation& operation, const ThreadBlock& block) {
  if (operation.count == 0) return "nothing";
  if (operation.kind == Kind::copy) {
    return fmt::format("copy {} to {}", source_text(operation), target_text(operation));
  }
  if (operation.kind == Kind::reduce) {
    return fmt::format("add {} to {}", source_text(operation), target_text(operation));
  }
  if (operation.kind == Kind::send) return fmt::format("send {} to gpu {}", source_text(operation), block.send_peer);
  std::string text = fmt::format("receive from gpu {}", block.receive_peer);
  if (reads_source(operation.kind)) text += fmt::format(", add {}", source_text(operation));
  if (writes_target(operation.kind)) text += fmt::format(", store in {}", target_text(operation));
  if (sends(operation.kind)) text += fmt::format(", send on to gpu {}", block.send_peer);
  return text;
}

ListedOperation listed_operation(const ProgramNetwork& network, std::uint32_t action) {
  const ProgramOperation& operation = *network.actions[action].operation;
  const ThreadBlock& block = *network.blocks[network.actions[action].block].block;
  ListedOperation it;
  it.at = place_of(network, action);
  it.kind = operation.kind;
  if (sends(operation.kind)) it.to = block.send_peer;
  if (receives(operation.kind)) it.from = block.receive_peer;
  it.channel = block.channel;
  it.does = what_it_does(operation, block);
  return it;
}

void add_edges(const ProgramNetwork& network, std::uint32_t action, std::vector<OrderEdge>& edges) {
  const QueuedOperation& it = network.actions[action];
  if (it.index > 0) edges.push_back({action - 1, action, OrderReason::program});
  if (it.sender != none) edges.push_back({it.sender, action, OrderReason::message});
  for (std::size_t i = 0; i < it.awaited.size(); ++i) {
    const auto here = it.awaited.begin() + static_cast<std::ptrdiff_t>(i);
    if (*here == none || std::find(it.awaited.begin(), here, *here) != here) continue;
    edges.push_back({*here, action, OrderReason::depend});
  }
}

}  // namespace

std::string_view to_string(OrderReason why) {
  constexpr std::array<std::string_view, 5> names = {"program", "message", "depend", "dependency", "start"};
  return names[static_cast<std::size_t>(why)];
}

std::optional<std::uint32_t> OrderGraph::index_of(const Location& place) const {
  const auto same = [&](const ListedOperation& it) {
    return it.at.rank == place.rank && it.at.block == place.block && it.at.span == place.span;
  };
  const auto found = std::find_if(operations.begin(), operations.end(), same);
  if (found == operations.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - operations.begin());
}

OrderGraph order_graph(const ProgramNetwork& network, Work& work) {
  OrderGraph graph;
  graph.count = network.actions.size();
  if (graph.cut()) return graph;
  for (std::uint32_t action = 0; action < network.actions.size(); ++action) {
    work.spend(64 + network.actions[action].awaited.size());
    graph.operations.push_back(listed_operation(network, action));
    add_edges(network, action, graph.edges);
  }
  return graph;
}

}  // namespace quadrille::programs
