// Small execution plans for tests: right ones, and wrong ones that some reading of the executor's rules would pass.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "programs/mscclpp/plan.h"

namespace quadrille::programs {

struct SmallPlan {
  std::string name;
  ExecutionPlan plan;
  std::uint32_t turns = 1;   // of its pipelines
  std::uint32_t others = 0;  // plans between two launches; of a right one: it may be any
};

std::vector<SmallPlan> right_plans();

// Each is named by what is wrong. It is wrong for so many turns, with so many plans between.
std::vector<SmallPlan> wrong_plans();

}  // namespace quadrille::programs
