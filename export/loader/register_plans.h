// The program in Python that registers the plans of a folder with MSCCL++.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace quadrille::exporting {

// It chooses a plan by collective, root, size, ranks of the world and of a node, and whether buffers are one memory.
// The files are names in its own folder, `root` that of collectives that have one; `ranks_per_node` is 0 if all ranks
// are of one node.
std::string register_plans(const std::vector<std::string>& files, std::optional<std::uint32_t> root,
                           std::uint32_t ranks_per_node);

}  // namespace quadrille::exporting
