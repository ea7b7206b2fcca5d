// What can be named: lists that a program which links the driver may extend. With them every command knows that
// program's own topologies, collectives, formats and routing policies; each is a small definition, and none of it is in
// the product (tests/driver/test_extension.cpp defines one of each).
//
//   World world;
//   world.families.topologies.push_back(barbell());                                // model/topology_family.h
//   world.families.collectives.push_back(std::make_shared<const TellTheNext>());   // model/collective_family.h
//   world.formats.push_back({.name = "dot", .extensions = {"dot"}, .write = write_dot});  // formats/formats.h
//   world.policies.push_back(std::make_shared<const LastFirst>());                  // runtime/routing_policy.h
//   Context context{environment};
//   context.world = &world;
#pragma once

#include "compiler/fabric_definition.h"
#include "driver/sccl_table.h"
#include "formats/formats.h"
#include "machines/machines.h"
#include "model/families.h"
#include "runtime/routing_policy.h"

namespace quadrille::driver {

struct World {
  Families families = with_machines(language_families());
  FormatList formats = with_sccl(standard_formats());
  PolicyList policies = standard_policies();
};

// What Quadrille knows by itself.
const World& standard_world();

}  // namespace quadrille::driver
