// The one notation for fabrics: `fat_tree:levels=4,capacity=exponential`, `torus:4x4,ports=single`, `graph:FILE`.
#pragma once

#include <cstdint>
#include <string>

#include "model/families.h"

namespace quadrille {

// What is wrong with the description's names, whatever the values are: an unknown kind, or keys that its family does
// not have; the nearest is offered. Empty if nothing is.
Diagnostics faults_of_names(const FabricDescription& description, const Families& families = standard_families());

// The fabric described, or what is wrong with it (an unknown kind or key: the nearest is offered). What needs more
// memory than the limits is refused before it is made, with their code.
Result<Fabric> build_fabric(const FabricDescription& description, const ReadFile& read_file = {},
                            const Families& families = standard_families(), const Limits& limits = {});

// The fabric that `source.text` writes. Spans in diagnostics index `source_number`. `graph:FILE` and a bare path that
// ends in `.json` read the file; `graph:{…}` holds the graph itself (this is what table headers do). Such a graph is
//   {"processors": 4, "switches": ["a", "b"], "channels": [[0, "a", 2], …], "links": [["a", "b"], …]}
// A channel is [from, to, capacity] or {"from": …, "to": …, "capacity": …}; the capacity may be left out, it is 1 then.
// A node is a processor's number or a name. A link is a channel each way. "duplex", "ports", "queue" and "switching"
// may be there, too; the notation's own come first. What Fabric::notation() writes, parse_fabric reads to an equal
// fabric.
Result<Fabric> parse_fabric(const Source& source, std::uint32_t source_number, const ReadFile& read_file = {},
                            const Families& families = standard_families(), const Limits& limits = {});

// A line for each family of fabrics: notation, meaning (for `quadrille fabrics`).
struct FabricKind {
  std::string notation;
  std::string meaning;
  std::string name = {};                   // the family's
  std::vector<Parameter> parameters = {};  // what it takes, besides the rules
};
std::vector<FabricKind> fabric_kinds(const Families& families = standard_families());

}  // namespace quadrille
