#include "tests/reference/fabrics_with_speeds.h"

#include "model/topologies/graph.h"

namespace quadrille::reference {

Fabric with_random_speeds(const Fabric& fabric, Dice& dice) {
  constexpr std::uint64_t second = 1'000'000'000'000;
  Graph graph;
  graph.processors = fabric.processors();
  for (NodeId v(fabric.processors()); v.value < fabric.nodes(); ++v.value) {
    graph.switch_names.push_back("s" + fabric.name(v));
  }
  graph.channels.assign(fabric.all_channels().begin(), fabric.all_channels().end());
  for (Channel& channel : graph.channels) {
    channel.level = 0;
    LinkSpeed speed;
    if (dice.one_in(2) || graph.speeds.empty()) speed.latency = dice.below(10) * second;
    if (dice.one_in(2)) speed.bandwidth = dice.from_to(1, 4);
    if (speed != LinkSpeed{}) graph.speeds.push_back({channel.from, channel.to, speed});
  }
  return Fabric::make(std::move(graph), fabric.rules()).value();
}

}  // namespace quadrille::reference
