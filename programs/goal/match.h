// Private to programs/: matches the sends and receptions of a schedule in GOAL.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/limits/work.h"
#include "programs/goal/judge.h"

namespace quadrille::programs {

using GoalNumber = std::uint64_t;  // of an operation among those of all ranks, rank by rank
inline constexpr GoalNumber no_goal_operation = ~GoalNumber{0};

// Sends to one rank and receptions there that may take one another's messages, but no others.
struct GoalGroup {
  std::size_t sends = 0;       // where they begin in GoalMatch::members
  std::size_t receptions = 0;  // likewise; and where the sends end
  std::size_t end = 0;
  bool alike = true;  // any of the receptions may take any of the messages; so if all have begun, all have met
};

struct GoalMatch {
  std::vector<GoalNumber> first;  // by rank, and the end: the number of its first operation
  std::vector<GoalNumber> members;
  std::vector<GoalGroup> groups;        // groups in which the n-th send is not known to meet the n-th reception
  std::vector<std::uint32_t> group_of;  // by operation; `no_group`
  std::vector<GoalNumber> partner;      // by operation: the one that it always meets; `no_goal_operation`
  bool starving = false;                // some reception gets no message, whatever the timing
  bool sizes_differ = false;            // in some pair, or possibly
  static constexpr std::uint32_t no_group = 0xffffffff;

  std::span<const GoalNumber> sends(const GoalGroup& it) const {
    return std::span(members).subspan(it.sends, it.receptions - it.sends);
  }
  std::span<const GoalNumber> receptions(const GoalGroup& it) const {
    return std::span(members).subspan(it.receptions, it.end - it.receptions);
  }
  std::pair<std::uint32_t, std::uint32_t> place(GoalNumber number) const;  // rank and index
};

// Judges ProgramProperty::matching. Requires that every peer is a rank. Throws Ended.
GoalMatch match_goal(const GoalSchedule& schedule, const GoalJudgeOptions& options, ProgramReport& report, Work& work);

// Judges ProgramProperty::deadlock. Throws Ended.
void judge_goal_deadlock(const GoalSchedule& schedule, const GoalMatch& match, const GoalJudgeOptions& options,
                         ProgramReport& report, Work& work);

Location place_of(const GoalSchedule& schedule, const GoalMatch& match, GoalNumber number);

}  // namespace quadrille::programs
