// Arguments that many families of topologies take.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "model/topology_family.h"

namespace quadrille::topologies {

// The size of the topology: 1 … high.
inline FabricParameter size_parameter(std::string name, FabricParameter::Kind kind, std::uint32_t high,
                                      std::string meaning) {
  FabricParameter size{std::move(name), kind, 1, high};
  size.meaning = std::move(meaning);
  return size;
}

// The number of lanes of each channel; 1 by default.
inline FabricParameter capacity_parameter() {
  FabricParameter capacity{"capacity"};
  capacity.usual = "1";
  capacity.meaning = "lanes of each channel";
  return capacity;
}

// The family of a shape that its number of nodes and its channels' capacity determine: Shape(nodes, capacity).
template <class Shape>
TopologyFamily family_of_nodes(const std::string& name, std::string summary, std::uint32_t most,
                               std::optional<Crossings> (*crossings)(const FabricForm&)) {
  return {name,
          {},
          {size_parameter("nodes", FabricParameter::Kind::number, most, "processors"), capacity_parameter()},
          std::move(summary),
          name + ":8",
          [](FabricArguments& given) {
            const std::uint32_t processors = given.number("nodes");
            return std::make_shared<Shape>(processors, given.number("capacity"));
          },
          crossings};
}

}  // namespace quadrille::topologies
