// Machines as other systems describe them, read as fabrics:
//
//   --on smi:topo.txt      what `nvidia-smi topo -m` prints: NVLinks between GPUs, and how they meet in the host
//   --on nccl:topo.xml     NCCL's and RCCL's topology file: NVLinks, xGMI, NVSwitches, the tree of PCI bridges
//   --on ib:fabric.txt     what `ibnetdiscover` prints: adapters, switches, cables
//   --on sccl:algo.json    SCCL's topology, alone or in an algorithm: links, and switches that are cuts of a tree
//
// Each is a family of topologies, so that schedules (`fabric nccl("topo.xml")`) and every command that takes a fabric
// know them; what comes of it is a graph, which tables and certificates carry written out. MACHINES.md says what is
// read of each file, and what no file says.
#pragma once

#include "model/families.h"

namespace quadrille {

// The families with those of this folder behind them.
Families with_machines(Families families);

}  // namespace quadrille
