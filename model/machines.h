// Machines that are known by name: graphs that one need not write down.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/fabric.h"

namespace quadrille {

// The graph of a machine; nothing for an unknown name.
//   dgx1   NVIDIA DGX-1: 8 GPUs; a channel has a lane for each NVLink of the pair, as `nvidia-smi topo -m` lists them
//          (NV1, NV2). PCIe and the processors' own link (SYS) are left out.
std::optional<GraphShape> machine(std::string_view name);

// The name of the machine that the graph is; nothing if it is none.
std::optional<std::string> machine_name(const GraphShape& shape);

}  // namespace quadrille
