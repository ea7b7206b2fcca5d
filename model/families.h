// The lists of topologies and collectives that can be named. They are values, which a program that links Quadrille
// may extend.
//
//   Families families = standard_families();
//   families.topologies.push_back(chordal_ring());
//   families.collectives.push_back(std::make_shared<Transpose>());
//   parse_fabric({"--on", "chordal_ring:12,chord=3"}, 0, {}, families);
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "model/collective_family.h"
#include "model/standard_families.h"
#include "model/topology_family.h"

namespace quadrille {

// standard_families() has all families that Quadrille knows by itself.
struct Families {
  // In the order in which they are listed.
  std::vector<TopologyFamily> topologies;
  std::vector<std::shared_ptr<const CollectiveFamily>> collectives;

  // The family with this name or alias; null if there is none.
  const TopologyFamily* topology(std::string_view name) const;
  const CollectiveFamily* collective(std::string_view name) const;
};

}  // namespace quadrille
