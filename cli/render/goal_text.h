// Operations of a schedule in GOAL, as reports name them.
#pragma once

#include <string>

#include "driver/check/check_goal.h"
#include "model/text/source.h"

namespace quadrille::cli {

// Its label, or where it has none its line's beginning: "s3"; empty where the file is binary.
std::string goal_label(const programs::Location& place, const Sources& sources);
// "send 1024b to 3 tag 7".
std::string goal_operation(const programs::GoalOperation& operation);

}  // namespace quadrille::cli
