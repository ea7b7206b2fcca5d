// Writes GOAL files: as text, and in the simulator's own binary form.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "programs/goal/goal.h"

namespace quadrille::programs {

// Takes the next piece; false stops the writing.
using GoalSink = std::function<bool(std::string_view)>;

// Both functions return false if the sink took less than everything. Comments are lines without line breaks.
// Operations are named s1, s2, … (sends), r1, … (receptions), c1, …
bool write_goal_text(const GoalSchedule& schedule, const std::vector<std::string>& comments, const GoalSink& sink);
// Writes the same bytes that txt2bin makes of that text.
bool write_goal_binary(const GoalSchedule& schedule, const GoalSink& sink);

}  // namespace quadrille::programs
