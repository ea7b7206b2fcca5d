// fabrics_defined turns the fabrics that a program defines into families of topologies: a definition such as
// `fabric leaf_spine(hosts, leaves): …` holds for every size, and gives a graph for each.
#pragma once

#include <vector>

#include "compiler/language_families.h"
#include "dsl/ast.h"
#include "model/families.h"
#include "model/limits/limits.h"
#include "model/text/result.h"
#include "model/topology_family.h"

namespace quadrille {

// Returns the families that the program's files define, included ones first; or the mistakes in them that do not depend
// on the size. Each family makes a graph (model/topologies/graph.h). The graph's title is the family's name with the
// arguments; its default routes are the definition's own where it states some, else shortest ones. Mistakes at one size
// are reported when that size is made; `places` says that the definition's sources are those of the diagnostics, so
// that these can name places in it. Cost of making a graph: the loops of the definition, and the routes of up to 2^20
// pairs of processors, which are tried.
Result<std::vector<TopologyFamily>> fabrics_defined(const ast::SourceFiles& program, bool places,
                                                    const Limits& limits = {});

}  // namespace quadrille
