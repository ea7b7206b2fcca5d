// Proofs of schedules given as text, with the checker's word for what it says of a size.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compiler/compile.h"
#include "verifier/prove.h"

namespace quadrille::tests {

// A fabric of L levels and a scatter from 0, for sends to be added.
inline const std::string scatter_head = "fabric fat_tree(levels: L, capacity: constant)\ncollective scatter(root: 0)\n";

// A right broadcast on L levels, with a parameter h, to which claims can be added.
std::string broadcast(const std::string& range_of_h);

// Requires that it compiles.
std::shared_ptr<const ir::Schedule> compiled(const std::string& text);

// Whether the checker accepts that size; not if there is no such size.
bool holds(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments);

// Every second one in brief runs; the first two under the sanitizers, of which Z3 knows nothing and which make the rest
// slow.
std::vector<const char*> few(std::vector<const char*> all);

Proof proof_of(const std::string& text);
Proof proof_of_shipped(const std::string& name, const std::map<std::string, std::string>& arguments = {});

}  // namespace quadrille::tests
