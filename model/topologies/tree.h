// Complete trees: the common part of fat trees and stars (a star is a tree of one level).
//
//              3.0
//         /           \            arity 2, 3 levels: processors 0 … 7, then switches by level, left to right.
//       2.0           2.1          Switch (i, j) is the root of leaves j·arity^i … (j+1)·arity^i - 1;
//      /   \         /   \         the root is the last node.
//    1.0   1.1     1.2   1.3
//    / \   / \     / \   / \.
//   0   1 2   3   4   5 6   7
#pragma once

#include "model/topology.h"

namespace quadrille::topologies {

// The size of the tree. Beyond max_fabric_size, the numbers are those of the lower levels.
WiringSize tree_size(const CompleteTree& tree);

// The wiring of the tree. Requires an arity of at least 1 (2 if there is more than one level), and capacities, whose
// sizes it checks.
Result<Wiring> tree_wiring(const CompleteTree& tree, Span where, const std::string& too_large_words);

// The tree path: up to the lowest common ancestor, and down. It takes some operations for each channel, without
// tables.
std::shared_ptr<const Routes> tree_routes(const CompleteTree& tree);

// For every level, the subtrees below its channels; each is cut off by one link.
std::vector<CutFamily> tree_cuts(const CompleteTree& tree, const Fabric& fabric);

}  // namespace quadrille::topologies
