// The edges of a schedule in GOAL: its own dependencies, and the matched messages.
#include "programs/goal/edges.h"

namespace quadrille::programs {
namespace {

bool all_listed(const GoalSchedule& schedule) {
  std::uint64_t count = 0;
  for (const GoalRank& rank : schedule.ranks) count += rank.operations.size();
  return count <= most_listed_operations;
}

}  // namespace

std::vector<OrderEdge> goal_dependencies(const GoalSchedule& schedule) {
  std::vector<OrderEdge> edges;
  if (!all_listed(schedule)) return edges;
  std::uint32_t first = 0;
  for (const GoalRank& rank : schedule.ranks) {
    for (const GoalDependency& it : rank.dependencies) {
      edges.push_back(
          {first + it.earlier, first + it.later, it.started ? OrderReason::start : OrderReason::dependency});
    }
    first += static_cast<std::uint32_t>(rank.operations.size());
  }
  return edges;
}

std::vector<OrderEdge> goal_messages(const GoalSchedule& schedule, const GoalMatch& match) {
  std::vector<OrderEdge> edges;
  if (!all_listed(schedule)) return edges;
  for (GoalNumber number = 0; number < match.partner.size(); ++number) {
    const auto [rank, index] = match.place(number);
    if (schedule.ranks[rank].operations[index].kind != GoalKind::send) continue;
    if (match.partner[number] == no_goal_operation) continue;
    edges.push_back(
        {static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(match.partner[number]), OrderReason::message});
  }
  return edges;
}

}  // namespace quadrille::programs
