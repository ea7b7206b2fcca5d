// Judges a schedule in GOAL: whether all sends are received, and whether the schedule terminates, as LogGOPSim runs
// it, whatever the timing.
//
//   const GoalSchedule schedule = *read_goal_text(source, 0);
//   const ProgramReport report = judge_goal(schedule, {});
//   if (report.verdict() != ProgramVerdict::holds) …report.findings…
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/limits/limits.h"
#include "programs/goal/goal.h"
#include "programs/order_graph.h"
#include "programs/report.h"

namespace quadrille::programs {

// The default of the simulator's -S: the send of a larger message ends only when its reception has begun.
inline constexpr std::uint64_t default_eager_bytes = 65535;

Location place_of(const GoalSchedule& schedule, std::uint32_t rank, std::uint32_t index);

struct GoalJudgeOptions {
  std::optional<std::uint64_t> eager_bytes = {};  // judged with this limit only
  std::size_t listed = 3;
  Limits limits = {};
  std::vector<OrderEdge>* order = nullptr;  // receives the order of the operations, which are numbered rank by rank
};

// Judges a schedule. Properties that are not judged when the limits are reached are unknown. Cost: a sort of all
// sends and receptions, and one run; some twenty runs if it hangs with small limits only.
ProgramReport judge_goal(const GoalSchedule& schedule, const GoalJudgeOptions& options);

}  // namespace quadrille::programs
