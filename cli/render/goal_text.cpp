// Operations of a schedule in GOAL, in words.
#include "cli/render/goal_text.h"

#include <fmt/format.h>

namespace quadrille::cli {
namespace {

std::string number_or_any(std::uint32_t number) {
  return number == programs::goal_any ? std::string("-1") : fmt::format("{}", number);
}

}  // namespace

std::string goal_label(const programs::Location& place, const Sources& sources) {
  if (!place.span.known()) return {};
  return sources[place.span.source].text.substr(place.span.begin, place.span.end - place.span.begin);
}

std::string goal_operation(const programs::GoalOperation& operation) {
  if (operation.kind == programs::GoalKind::calculate) return fmt::format("calc {}", operation.size);
  const bool sends = operation.kind == programs::GoalKind::send;
  return fmt::format("{} {}b {} {} tag {}", sends ? "send" : "recv", operation.size, sends ? "to" : "from",
                     number_or_any(operation.peer), number_or_any(operation.tag));
}

}  // namespace quadrille::cli
