// Parses a range of steps. Its numbers are integers, from 1 on, and the first is not above the last.
#include "driver/look/step_range.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

namespace quadrille::driver {
namespace {

std::optional<std::uint32_t> step_number(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 1 || number > max_step) return std::nullopt;
  return number;
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
