// Reads GOAL files: text, and the binary form that LogGOPSim runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "model/limits/limits.h"
#include "model/text/result.h"
#include "model/text/source.h"
#include "programs/goal/goal.h"

namespace quadrille::programs {

enum class GoalForm : std::uint8_t { other, text, binary };

// The form of a file that begins like this. In a text, the first word after comments is num_ranks.
GoalForm goal_form(std::string_view beginning);

// The place of the next statement of a text, from `at` on, after line ends and comments; nothing if a comment does
// not end.
std::optional<std::size_t> next_goal_statement(std::string_view text, std::size_t at);

// The schedule, or the errors of the file, with their places; `index` is the source's among the diagnostics' sources.
// Time and memory are linear in the text. Some inputs that txt2bin accepts silently are refused, too: ranks out of
// order, labels that occur twice, numbers that do not fit.
Result<GoalSchedule> read_goal_text(const Source& source, std::uint32_t index, const Limits& limits = {});

// Likewise; errors give the rank and the operation.
Result<GoalSchedule> read_goal_binary(std::string_view bytes, const Limits& limits = {});

}  // namespace quadrille::programs
