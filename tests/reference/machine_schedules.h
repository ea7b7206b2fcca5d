// Schedules on machines other than binary trees, each right for every size: what the prover can do by crossings alone.
#pragma once

#include <string>
#include <vector>

namespace quadrille::reference {

struct MachineSchedule {
  std::string name;  // "mesh_scatter"
  std::string text;
};

const std::vector<MachineSchedule>& machine_schedules();

}  // namespace quadrille::reference
