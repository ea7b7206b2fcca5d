// Hamiltonian cycles in closed form: through all nodes of a product, of cycles or of lines.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace quadrille {

// Nodes in the order of a cycle: each is linked to the next, the last to the first. Of two nodes, that is one link; one
// node alone has none.
using Cycle = std::vector<std::uint32_t>;

// Through the product of two fabrics with these cycles, (a, b) being node a*|B| + b.
Cycle product_of_cycles(const Cycle& a, const Cycle& b);

// Through a mesh, whose last coordinate counts fastest; nothing where there is none: one dimension of three points or
// more, or an odd number of points (black and white ones, like a chessboard's, would have to alternate).
std::optional<Cycle> mesh_cycle(const std::vector<std::uint32_t>& extents);

}  // namespace quadrille
