// Hamiltonian cycles: through all processors of a fabric, each linked to the next.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/fabric.h"
#include "model/limits/limits.h"

namespace quadrille {

enum class CycleVerdict : std::uint8_t { found, none, unknown };

// "found", "none", "unknown".
std::string_view to_string(CycleVerdict verdict);

struct HamiltonianCycle {
  CycleVerdict verdict = CycleVerdict::unknown;
  std::vector<std::uint32_t> cycle;  // found: the processors in its order, processor 0 first
  std::string why;                   // how it was found, why there is none, or why it is not known
  Reason reason = Reason::none;      // unknown: timeout, limit, cancelled
};

// Along channels that lead from one processor to another; switches are not passed. A channel one way is enough. Of one
// processor the cycle is that processor; of two, both, if they are linked both ways.
//
// First the topology's own cycle, then reasons why there is none, then formulas; `conflicts`: not more in any of them
// (0: as many as it takes), and not more formulas. Cost: that of the formulas.
HamiltonianCycle hamiltonian_cycle(const Fabric& fabric, const Limits& limits, std::uint64_t conflicts = 0);

}  // namespace quadrille
