// Arguments that many families of topologies take.
#pragma once

#include <string>
#include <utility>

#include "model/topology_family.h"

namespace quadrille::topologies {

// How large the topology is: 1 … high.
inline Parameter size_parameter(std::string name, Parameter::Kind kind, std::uint32_t high, std::string meaning) {
  Parameter size{std::move(name), kind, 1, high};
  size.meaning = std::move(meaning);
  return size;
}

// Lanes of each channel; 1 if nothing is said.
inline Parameter capacity_parameter() {
  Parameter capacity{"capacity"};
  capacity.usual = "1";
  capacity.meaning = "lanes of each channel";
  return capacity;
}

}  // namespace quadrille::topologies
