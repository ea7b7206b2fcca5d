// World has the lists of everything that can be named. A program that links the driver may extend them. Then every
// command knows that program's own topologies, collectives, formats, routing policies and export targets. Each is a
// small definition, and none of it is in the product (tests/driver/test_extension.cpp defines one of each).
//
//   World world;
//   world.families.topologies.push_back(barbell());                                // model/topology_family.h
//   world.families.collectives.push_back(std::make_shared<const TellTheNext>());   // model/collective_family.h
//   world.formats.push_back({.name = "dot", .extensions = {"dot"}, .write = write_dot});  // formats/formats.h
//   world.policies.push_back(std::make_shared<const LastFirst>());                  // runtime/router/routing_policy.h
//   world.targets.push_back({.name = "pairs", .write = write_pairs});                // export/targets.h
//   Context context{environment};
//   context.world = &world;
#pragma once

#include "compiler/front/fabric_definition.h"
#include "export/targets.h"
#include "formats/formats.h"
#include "formats/sccl_table.h"
#include "machines/machines.h"
#include "model/families.h"
#include "runtime/router/routing_policy.h"

namespace quadrille::driver {

struct World {
  Families families = with_machines(language_families());
  FormatList formats = with_sccl(standard_formats());
  PolicyList policies = standard_policies();
  exporting::TargetList targets = exporting::standard_targets();
};

// The world that Quadrille knows by itself.
const World& standard_world();

}  // namespace quadrille::driver
