// Hamiltonian cycles in closed form: through all nodes of a product, of cycles or of lines.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace quadrille {

// The nodes in the order of a cycle: each is linked to the next, and the last to the first. A cycle of two nodes is
// one link; one of a single node has none.
using Cycle = std::vector<std::uint32_t>;

// The cycle through the product of two fabrics with these cycles; (a, b) is node a*|B| + b.
Cycle product_of_cycles(const Cycle& a, const Cycle& b);

// The cycle through a mesh, whose last coordinate varies fastest. Nothing where there is none: in one dimension of
// three points or more, or with an odd number of points (black and white points, like a chessboard's, would have to
// alternate).
std::optional<Cycle> mesh_cycle(const std::vector<std::uint32_t>& extents);

}  // namespace quadrille
