// Fabrics that a program defines, as families of topologies: what `fabric leaf_spine(hosts, leaves): …` says for every
// size, and the graph that it is for one.
#pragma once

#include <vector>

#include "compiler/language_families.h"
#include "dsl/ast.h"
#include "model/families.h"
#include "model/limits/limits.h"
#include "model/text/result.h"
#include "model/topology_family.h"

namespace quadrille {

// The families that the program's files define, included ones first; or what is wrong with them, whatever the sizes
// are. Each makes a graph (model/topologies/graph.h) whose title is the family's name with the arguments, and whose
// default routes are the definition's own where it says some, else shortest ones. What is wrong with one size is told
// when it is made; the definition's places are named if its sources are those of the diagnostics (`places`). Cost of
// making one: the loops of the definition; up to 2^20 pairs of processors have their routes tried.
Result<std::vector<TopologyFamily>> fabrics_defined(const ast::Program& program, bool places,
                                                    const Limits& limits = {});

}  // namespace quadrille
