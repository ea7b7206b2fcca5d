// These readers turn the machine descriptions of other systems into fabrics.
//
// For: machines that other systems describe (`nccl:`, `ib:`, …), as fabrics.
// Face: this header.
// Keeps: any bytes give a fabric, or a message with its place.
// Read first: machines/machine_file.cpp; it lists the readers, a file each.
//
//   --on smi:topo.txt      what `nvidia-smi topo -m` prints: NVLinks between GPUs, and how they meet in the host
//   --on nccl:topo.xml     NCCL's and RCCL's topology file: NVLinks, xGMI, NVSwitches, the tree of PCI bridges
//   --on ib:fabric.txt     what `ibnetdiscover` prints: adapters, switches, cables
//   --on sccl:algo.json    SCCL's topology, alone or in an algorithm: links, and switches that are cuts of a tree
//
// Each reader is a family of topologies, so that schedules (`fabric nccl("topo.xml")`) and every command that takes a
// fabric know it. The resulting fabric is a graph, and tables and certificates write that graph out in full.
// machines/MACHINES.md lists the parts of each file that are read, and the facts that no file contains.
#pragma once

#include "model/families.h"

namespace quadrille {

// Returns `families`, followed by those of this folder.
Families with_machines(Families families);

}  // namespace quadrille
