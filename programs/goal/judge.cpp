// Judges the properties one after another.
#include "programs/goal/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

#include "programs/goal/goal.h"
#include "programs/goal/match.h"
#include "programs/order_graph.h"

namespace quadrille::programs {
namespace {

// --- edges ---------------------------------------------------------------------------------------------------------

// The order of a schedule's operations in GOAL is edges of a graph: its own dependencies, and the matched messages.

bool all_listed(const GoalSchedule& schedule) {
  std::uint64_t count = 0;
  for (const GoalRank& rank : schedule.ranks) count += rank.operations.size();
  return count <= most_listed_operations;
}

// The dependencies of a schedule in GOAL, whose operations are numbered rank by rank. Nothing if it has more
// operations than are listed.
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

// Likewise the messages between sends and receptions that always meet. If the timing decides who meets, there is no
// edge.
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

// --- judging -------------------------------------------------------------------------------------------------------

std::string structure_fault(const GoalOperation& it, std::size_t ranks) {
  const bool moves = it.kind != GoalKind::calculate;
  const bool any = it.kind == GoalKind::receive && it.peer == goal_any;
  if (moves && it.peer >= ranks && !any)
    return fmt::format("there is no rank {}; they are 0 to {}", it.peer, ranks - 1);
  if (moves && it.size == 0) return "no bytes: the simulator reckons with one less than a message has";
  const std::uint32_t unit = std::max(it.cpu, it.nic);
  if (unit > most_goal_unit) {
    return fmt::format("cpu or nic {}: the simulator counts them in 8 bits, and gets none", unit);
  }
  return {};
}

void judge_goal_structure(const GoalSchedule& schedule, std::size_t listed, ProgramReport& report) {
  for (std::uint32_t rank = 0; rank < schedule.ranks.size(); ++rank) {
    const auto& operations = schedule.ranks[rank].operations;
    for (std::uint32_t i = 0; i < operations.size(); ++i) {
      std::string fault = structure_fault(operations[i], schedule.ranks.size());
      if (fault.empty()) continue;
      report.add({ProgramProperty::structure, std::move(fault), place_of(schedule, rank, i), {}}, listed);
    }
  }
}

// The approximate memory in bytes.
std::uint64_t goal_memory(const GoalSchedule& schedule) {
  constexpr std::uint64_t bytes_of_an_operation = 160;
  constexpr std::uint64_t bytes_of_a_dependency = 24;
  std::uint64_t bytes = 0;
  for (const GoalRank& rank : schedule.ranks) {
    bytes += bytes_of_an_operation * rank.operations.size() + bytes_of_a_dependency * rank.dependencies.size();
  }
  return bytes;
}

// Judges the matching of messages, and whether the schedule terminates.
void judge_goal_dynamics(const GoalSchedule& schedule, const GoalJudgeOptions& options, ProgramReport& report) {
  using enum ProgramProperty;
  bool matched = false;
  const auto cut_short = [&](Reason reason) {
    if (!matched) report.cut_short(matching, reason);
    report.cut_short(deadlock, reason);
  };
  try {
    Work work(options.limits);
    const GoalMatch match = match_goal(schedule, options, report, work);
    matched = true;
    if (options.order != nullptr) {
      const std::vector<OrderEdge> messages = goal_messages(schedule, match);
      options.order->insert(options.order->end(), messages.begin(), messages.end());
    }
    judge_goal_deadlock(schedule, match, options, report, work);
  } catch (const Ended& ended) {
    cut_short(ended.reason);
  } catch (const std::bad_alloc&) {
    cut_short(Reason::limit);
  }
}

}  // namespace

Location place_of(const GoalSchedule& schedule, std::uint32_t rank, std::uint32_t index) {
  return {.rank = rank, .span = schedule.ranks[rank].operations[index].span, .index = index};
}

ProgramReport judge_goal(const GoalSchedule& schedule, const GoalJudgeOptions& options) {
  using enum ProgramProperty;
  ProgramReport report{.covers = goal_properties};
  if (options.order != nullptr) *options.order = goal_dependencies(schedule);
  judge_goal_structure(schedule, options.listed, report);
  if (report.of(structure).verdict == ProgramVerdict::violated) {
    for (const ProgramProperty it : {matching, deadlock}) {
      report.set_unknown(it, Reason::unsupported, "the structure is violated");
    }
    return report;
  }
  if (goal_memory(schedule) > options.limits.memory) {
    for (const ProgramProperty it : {matching, deadlock}) report.cut_short(it, Reason::limit);
    return report;
  }
  judge_goal_dynamics(schedule, options, report);
  return report;
}

}  // namespace quadrille::programs
