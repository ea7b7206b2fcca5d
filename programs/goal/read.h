// GOAL files, read: text, and the binary form that LogGOPSim runs.
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

// What a file is that begins so. Text: its first word, after comments, is num_ranks.
GoalForm goal_form(std::string_view beginning);

// Where the next statement of a text is from `at` on, past line ends and comments; nothing if a comment does not end.
std::optional<std::size_t> next_goal_statement(std::string_view text, std::size_t at);

// The schedule, or what is wrong with the file, with its place; `index` is the source's among the diagnostics' sources.
// Time and memory are linear in the text. What txt2bin passes over in silence is refused, too: ranks out of order,
// labels that are there twice, numbers that do not fit.
Result<GoalSchedule> read_goal_text(const Source& source, std::uint32_t index, const Limits& limits = {});

// Likewise; places are told by rank and operation.
Result<GoalSchedule> read_goal_binary(std::string_view bytes, const Limits& limits = {});

}  // namespace quadrille::programs
