// Parses a range of steps. Its numbers are integers, from 1 on, and the first is not above the last.
#include "driver/look/step_range.h"

#include <fmt/format.h>

#include <optional>

#include "model/text/number_in.h"

namespace quadrille::driver {
namespace {

std::optional<std::uint32_t> step_number(std::string_view text) {
  const auto number = number_in<std::uint32_t>(text);
  return number && *number >= 1 && *number <= max_step ? number : std::nullopt;
}

}  // namespace

Result<StepRange> parse_steps(std::string_view option, const std::string& text) {
  if (text == "all") return StepRange{};
  const std::string_view whole = text;
  const std::size_t dots = whole.find("..");
  const auto first = step_number(whole.substr(0, dots));
  const auto last = dots == std::string_view::npos ? first : step_number(whole.substr(dots + 2));
  if (first && last && *first <= *last) return StepRange{*first, *last};
  return error_at({}, fmt::format("{}: `{}`; expected steps, such as 3..7, or all", option, text), Code::usage);
}

}  // namespace quadrille::driver
