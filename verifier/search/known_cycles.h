// Hamiltonian cycles in closed form of families that fabrics in the language describe: cube-connected cycles, wrapped
// butterflies, de Bruijn's graphs and k-ary n-cubes. (Topologies of the model know their own,
// model/topologies/cycles.h.)
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "model/topologies/cycles.h"

namespace quadrille::searching {

// Returns the first cycle of such a family with so many processors that `fits`, which says whether all its links are
// there; nothing if none does. A fabric is known by its links alone, whatever it is called. Numbers of processors are
// those of the fabrics that ship (dsl/fabrics/): processor w*d + i is i of corner, or row, w.
std::optional<Cycle> known_cycle(std::uint32_t processors, const std::function<bool(const Cycle&)>& fits);

}  // namespace quadrille::searching
