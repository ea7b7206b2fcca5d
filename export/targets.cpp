// The list of targets.
#include "export/targets.h"

#include <optional>

#include "export/goal.h"
#include "export/loader/register_plans.h"
#include "export/mpi_c.h"
#include "export/msccl.h"
#include "export/mscclpp.h"
#include "export/sccl.h"

namespace quadrille::exporting {

namespace {

std::string plans_loader(const std::vector<std::string>& files, const Collective& collective,
                         const PlanChoices& choices) {
  using enum programs::ProgramFamily;
  const programs::ProgramFamily family = family_of(collective);
  const bool rooted = family == broadcast || family == reduce;
  return register_plans(files, rooted ? std::optional(collective.description().root) : std::nullopt,
                        choices.ranks_per_node);
}

}  // namespace

TargetList standard_targets() {
  return {
      {.name = "goal",
       .summary = "GOAL, for LogGOPSim",
       .extension = "goal",
       .write = export_goal_text,
       .sized = true,
       .says = Wrong::anything},
      {.name = "goal-binary",
       .summary = "its binary form",
       .extension = "bin",
       .write = export_goal_binary,
       .sized = true,
       .says = Wrong::anything},
      {.name = "msccl", .summary = "MSCCL XML", .extension = "xml", .write = export_msccl, .for_executor = true},
      {.name = "mscclpp",
       .summary = "MSCCL++ execution plan",
       .extension = "json",
       .write = export_mscclpp,
       .plans = true,
       .loader = "register.py",
       .loader_text = plans_loader},
      {.name = "mpi-c",
       .summary = "a program in C",
       .extension = "c",
       .write = export_mpi_c,
       .waits = true,
       .says = Wrong::incomplete},
      {.name = "sccl", .summary = "SCCL's JSON", .extension = "json", .write = export_sccl, .says = Wrong::anything},
  };
}

}  // namespace quadrille::exporting
