// Finds the useful wires: those to a router that is nearer to the target.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "model/limits/work.h"
#include "runtime/router/network.h"

namespace quadrille::routing {

class UsefulWires {
 public:
  static constexpr std::uint16_t no_way = 0xffff;

  // Only these targets may be asked for later. Throws Ended if the tables are larger than the limits, or a path is
  // longer than 65534 wires. Requires that the network lives as long.
  UsefulWires(const Network& network, const std::vector<std::uint32_t>& targets, Work& work);

  // The distance in wires; no_way if no path leads there.
  std::uint32_t distance(std::uint32_t router, std::uint32_t target) const {
    if (network_.dimensions) return static_cast<std::uint32_t>(std::popcount(router ^ target));
    return distances_[place(router, target)];
  }

  // The place of a router and a target in the table of distances, and how many it has: other tables may have the same.
  // Requires a network that is no hypercube, of which there is no table.
  std::size_t place(std::uint32_t router, std::uint32_t target) const { return begins_[target] + router; }
  std::size_t places() const { return distances_.size(); }

  // Calls act(index of the wire among the router's) for each useful wire, ascending. Requires a network that is no
  // hypercube.
  template <class Act>
  void each(std::uint32_t router, std::uint32_t target, const Act& act) const {
    const std::uint16_t* to_target = distances_.data() + begins_[target];
    const auto wires = network_.wires(router);
    for (std::uint32_t i = 0; i < wires.size(); ++i) {
      if (to_target[wires[i].to] < to_target[router]) act(i);
    }
  }

 private:
  const Network& network_;
  std::vector<std::size_t> begins_;       // by target: where its distances begin
  std::vector<std::uint16_t> distances_;  // by target and router
};

}  // namespace quadrille::routing
