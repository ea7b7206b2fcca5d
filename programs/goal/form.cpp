// Recognizes the form of a GOAL file by its beginning.
#include <algorithm>

#include "programs/goal/read.h"

namespace quadrille::programs {

std::optional<std::size_t> next_goal_statement(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const std::string_view rest = text.substr(at);
    if (rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\n' || rest[0] == '\r') {
      ++at;
    } else if (rest.starts_with("//")) {
      at = std::min(text.find('\n', at), text.size());
    } else if (rest.starts_with("/*")) {
      const std::size_t end = text.find("*/", at + 2);
      if (end == text.npos) return std::nullopt;
      at = end + 2;
    } else {
      break;
    }
  }
  return at;
}

GoalForm goal_form(std::string_view beginning) {
  constexpr std::string_view fresh("\x7f\x10\0\0\0\0\0\0", 8);  // 4223
  constexpr std::string_view used("\x26\x09\0\0\0\0\0\0", 8);   // 2342
  if (beginning.starts_with(fresh) || beginning.starts_with(used)) return GoalForm::binary;
  const auto at = next_goal_statement(beginning, 0);
  const bool text = at && beginning.substr(*at).starts_with("num_ranks");
  return text ? GoalForm::text : GoalForm::other;
}

}  // namespace quadrille::programs
