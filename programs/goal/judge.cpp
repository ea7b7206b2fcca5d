// Judges the properties one after another.
#include "programs/goal/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

#include "programs/goal/edges.h"
#include "programs/goal/match.h"

namespace quadrille::programs {
namespace {

std::size_t goal_index(ProgramProperty property) {
  const auto found = std::find(goal_properties.begin(), goal_properties.end(), property);
  return static_cast<std::size_t>(found - goal_properties.begin());
}

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

void judge_goal_structure(const GoalSchedule& schedule, std::size_t listed, GoalReport& report) {
  for (std::uint32_t rank = 0; rank < schedule.ranks.size(); ++rank) {
    const auto& operations = schedule.ranks[rank].operations;
    for (std::uint32_t i = 0; i < operations.size(); ++i) {
      std::string fault = structure_fault(operations[i], schedule.ranks.size());
      if (fault.empty()) continue;
      report.add({ProgramProperty::structure, std::move(fault), GoalPlace{rank, i, operations[i].span}, {}}, listed);
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

}  // namespace

PropertyVerdict& GoalReport::of(ProgramProperty property) { return properties[goal_index(property)]; }
const PropertyVerdict& GoalReport::of(ProgramProperty property) const { return properties[goal_index(property)]; }

ProgramVerdict GoalReport::verdict() const {
  ProgramVerdict all = ProgramVerdict::holds;
  for (const PropertyVerdict& property : properties) all = worse(all, property.verdict);
  return all;
}

void GoalReport::add(GoalFinding finding, std::size_t listed) {
  PropertyVerdict& property = of(finding.property);
  property.verdict = ProgramVerdict::violated;
  if (++property.findings <= listed) findings.push_back(std::move(finding));
}

void GoalReport::set_unknown(ProgramProperty property, Reason reason, std::string why) {
  PropertyVerdict& it = of(property);
  if (it.verdict == ProgramVerdict::violated) return;
  it.verdict = ProgramVerdict::unknown;
  it.reason = reason;
  it.why = std::move(why);
}

void GoalReport::cut_short(ProgramProperty property, Reason reason) {
  PropertyVerdict& it = of(property);
  it.partial = it.partial || it.verdict == ProgramVerdict::violated;
  set_unknown(property, reason, std::string(why_unjudged(reason)));
}

namespace {

// Judges the matching of messages, and whether the schedule terminates.
void judge_goal_dynamics(const GoalSchedule& schedule, const GoalJudgeOptions& options, GoalReport& report) {
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

GoalReport judge_goal(const GoalSchedule& schedule, const GoalJudgeOptions& options) {
  using enum ProgramProperty;
  GoalReport report;
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
