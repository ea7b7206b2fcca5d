// Distances by a breadth-first search from each target, against the wires. Of a hypercube nothing is kept: the distance
// is the number of bits in which two routers differ. Cost: wires for each target; 2 bytes for each router and target.
#include "runtime/router/useful_wires.h"

#include <numeric>

namespace quadrille::routing {
namespace {

// The routers with a wire to each router, all in one list.
struct Upstream {
  std::vector<std::uint32_t> first;  // by router, and the end
  std::vector<std::uint32_t> routers;
};

Upstream upstream(const Network& network) {
  Upstream result;
  result.first.assign(network.routers() + std::size_t{1}, 0);
  for (const Wire& wire : network.all_wires) ++result.first[wire.to + std::size_t{1}];
  std::partial_sum(result.first.begin(), result.first.end(), result.first.begin());
  result.routers.resize(network.all_wires.size());
  std::vector<std::uint32_t> next(result.first.begin(), result.first.end() - 1);
  for (std::uint32_t router = 0; router < network.routers(); ++router) {
    for (const Wire& wire : network.wires(router)) result.routers[next[wire.to]++] = router;
  }
  return result;
}

void search(const Upstream& into, std::uint32_t target, std::uint16_t* distance, std::vector<std::uint32_t>& reached) {
  reached.assign(1, target);
  distance[target] = 0;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const auto next = static_cast<std::uint16_t>(distance[reached[i]] + 1);
    for (std::uint32_t j = into.first[reached[i]]; j < into.first[reached[i] + 1]; ++j) {
      const std::uint32_t router = into.routers[j];
      if (distance[router] != UsefulWires::no_way) continue;
      if (next == UsefulWires::no_way) throw Ended{Reason::limit};
      distance[router] = next;
      reached.push_back(router);
    }
  }
}

}  // namespace

UsefulWires::UsefulWires(const Network& network, const std::vector<std::uint32_t>& targets, Work& work)
    : network_(network) {
  if (network.dimensions) return;
  constexpr std::size_t none = ~std::size_t{0};
  begins_.assign(network.routers(), none);
  std::size_t size = 0;
  for (const std::uint32_t target : targets) {
    if (begins_[target] != none) continue;
    begins_[target] = size;
    size += network.routers();
  }
  work.take(size, sizeof(std::uint16_t));
  distances_.assign(size, no_way);
  const Upstream into = upstream(network);
  std::vector<std::uint32_t> reached;
  for (std::uint32_t target = 0; target < network.routers(); ++target) {
    if (begins_[target] == none) continue;
    search(into, target, distances_.data() + begins_[target], reached);
    work.spend(network.routers() + network.all_wires.size());
  }
}

}  // namespace quadrille::routing
