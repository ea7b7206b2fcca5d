// Minimum cuts between two nodes of a network of links with capacities.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace quadrille {

class FlowNetwork {
 public:
  explicit FlowNetwork(std::uint32_t nodes);
  ~FlowNetwork();
  FlowNetwork(FlowNetwork&&) noexcept;
  FlowNetwork& operator=(FlowNetwork&&) noexcept;

  // Adds a link with a capacity each way. Requires two different nodes without a link so far, and capacities of 0 or
  // more.
  void link(std::uint32_t one, std::uint32_t other, std::int64_t there, std::int64_t back);

  // By node, whether the source can still reach it in a maximum flow to the target: these nodes are one side of a
  // minimum cut. Requires that the nodes differ.
  std::vector<bool> source_side(std::uint32_t source, std::uint32_t target);

 private:
  struct BoostGraph;
  std::unique_ptr<BoostGraph> graph_;
};

}  // namespace quadrille
