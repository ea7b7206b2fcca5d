// The single notation for fabrics: `fat_tree:levels=4,capacity=exponential`, `torus:4x4,ports=single`, `graph:FILE`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/families.h"

namespace quadrille {

// Errors in the description's names, whatever the values are: an unknown kind, or keys that its family does not have.
// Each error offers the nearest name. Empty if there are none.
Diagnostics faults_of_names(const FabricDescription& description, const Families& families = standard_families());

// The fabric that is described. Errors: an unknown kind or key (the nearest one is offered), wrong values, …. A
// fabric that needs more memory than the limits is refused before it is made, with the code of the limit.
Result<Fabric> build_fabric(const FabricDescription& description, const ReadFile& read_file = {},
                            const Families& families = standard_families(), const Limits& limits = {});

// Reads the fabric that `source.text` describes. Spans in diagnostics index `source_number`. `graph:FILE` and a bare
// path that ends in `.json` read the file; `graph:{…}` contains the graph itself (table headers do this). Such a
// graph is
//   {"processors": 4, "switches": ["a", "b"], "channels": [[0, "a", 2], …], "links": [["a", "b"], …]}
// A channel is [from, to, capacity] or {"from": …, "to": …, "capacity": …}; without a capacity it is 1. A node is a
// processor's number or a name. A link is a channel each way. "duplex", "ports", "queue" and "switching" may be
// given, too; the notation's own rules have precedence. parse_fabric reads the text of Fabric::notation() as an equal
// fabric.
Result<Fabric> parse_fabric(const Source& source, std::uint32_t source_number, const ReadFile& read_file = {},
                            const Families& families = standard_families(), const Limits& limits = {});

// One line for each family of fabrics: notation and meaning (for `quadrille fabrics`).
struct FabricKind {
  std::string notation;
  std::string meaning;
  std::string name = {};                         // the family's
  std::vector<FabricParameter> parameters = {};  // its parameters, besides the rules
};
std::vector<FabricKind> fabric_kinds(const Families& families = standard_families());

// The notations of a product's factors, in parentheses: two in "(torus:4x4,capacity=2,ring:3)". A comma begins the next
// one where a name follows that no `=` does. Requires the parentheses.
std::vector<std::string> factors_in(std::string_view list);

// The fabric as a JSON value: its notation in quotes; or where that holds a whole graph, an object with the `graph`, or
// the factors of the `product`, and the rules: {"graph":{"name":"pair",…},"timing":"rounds"}.
std::string json_value(const Fabric& fabric);
// The notation that such an object stands for; nothing if it is none.
std::optional<std::string> notation_of_json(std::string_view object);

}  // namespace quadrille
