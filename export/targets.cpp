// The list of targets.
#include "export/targets.h"

#include "export/goal.h"
#include "export/mpi_c.h"
#include "export/msccl.h"
#include "export/sccl.h"

namespace quadrille::exporting {

TargetList standard_targets() {
  return {
      {"goal", "GOAL, for LogGOPSim", export_goal_text, true},
      {"goal-binary", "its binary form", export_goal_binary, true},
      {"msccl", "MSCCL XML", export_msccl, false, true},
      {"mpi-c", "a program in C", export_mpi_c, false, false, true},
      {"sccl", "SCCL's JSON", export_sccl},
  };
}

}  // namespace quadrille::exporting
