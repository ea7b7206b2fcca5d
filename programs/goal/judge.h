// Judges a schedule in GOAL: whether all sends are received, and whether the schedule terminates, as LogGOPSim runs
// it, whatever the timing.
//
//   const GoalSchedule schedule = *read_goal_text(source, 0);
//   const GoalReport report = judge_goal(schedule, {});
//   if (report.verdict() != ProgramVerdict::holds) …report.findings…
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/limits/limits.h"
#include "programs/goal/goal.h"
#include "programs/order_graph.h"
#include "programs/report.h"

namespace quadrille::programs {

// The default of the simulator's -S: the send of a larger message ends only when its reception has begun.
inline constexpr std::uint64_t default_eager_bytes = 65535;

struct GoalPlace {
  std::uint32_t rank = 0;
  std::uint32_t index = 0;  // of the operation in its rank
  Span span = {};           // unknown: the file is binary
};

struct GoalFinding {
  ProgramProperty property = ProgramProperty::structure;
  std::string message = {};
  std::optional<GoalPlace> at = {};
  std::optional<GoalPlace> other = {};
};

// An operation that never ends, and what it waits for.
struct GoalWait {
  GoalPlace at;
  std::string waits_for;               // "the end of", "a message of rank 3 with tag 1", …
  std::optional<GoalPlace> whom = {};  // nothing: no operation helps
};

// GOAL says neither which bytes move nor what is done with them, so only these properties are judged.
inline constexpr std::array<ProgramProperty, 3> goal_properties = {
    ProgramProperty::structure, ProgramProperty::matching, ProgramProperty::deadlock};

struct GoalReport {
  std::array<PropertyVerdict, goal_properties.size()> properties = {};
  std::vector<GoalFinding> findings = {};  // of each property the first few
  std::vector<GoalWait> waits = {};        // each leads to the next, until one repeats or no one helps

  PropertyVerdict& of(ProgramProperty property);
  const PropertyVerdict& of(ProgramProperty property) const;
  ProgramVerdict verdict() const;
  void add(GoalFinding finding, std::size_t listed);
  void set_unknown(ProgramProperty property, Reason reason, std::string why);
  void cut_short(ProgramProperty property, Reason reason);  // as ProgramReport's
};

struct GoalJudgeOptions {
  std::optional<std::uint64_t> eager_bytes = {};  // judged with this limit only
  std::size_t listed = 3;
  Limits limits = {};
  std::vector<OrderEdge>* order = nullptr;  // receives the order of the operations, which are numbered rank by rank
};

// Judges a schedule. Properties that are not judged when the limits are reached are unknown. Cost: a sort of all
// sends and receptions, and one run; some twenty runs if it hangs with small limits only.
GoalReport judge_goal(const GoalSchedule& schedule, const GoalJudgeOptions& options);

}  // namespace quadrille::programs
