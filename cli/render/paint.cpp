// Words and their colours, by {fmt}. A text is painted after it has been laid out, since escape sequences have no
// width on a terminal, but do in a string.
#include "cli/render/paint.h"

#include <fmt/color.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "model/text/printable.h"

namespace quadrille::cli {
namespace {

using fmt::terminal_color;

constexpr auto colours = std::to_array<std::pair<std::string_view, terminal_color>>({
    {"accepted", terminal_color::green},
    {"best", terminal_color::green},
    {"holds", terminal_color::green},
    {"optimal", terminal_color::green},
    {"proved", terminal_color::green},
    {"error", terminal_color::red},
    {"impossible", terminal_color::red},
    {"refuted", terminal_color::red},
    {"rejected", terminal_color::red},
    {"violated", terminal_color::red},
    {"violation", terminal_color::red},
    {"found", terminal_color::yellow},
    {"table holds, claims violated", terminal_color::yellow},
    {"table holds, claims unknown", terminal_color::yellow},
    {"table holds, invariants violated", terminal_color::yellow},
    {"unknown", terminal_color::yellow},
    {"warning", terminal_color::yellow},
    {"note", terminal_color::cyan},
});

std::optional<terminal_color> colour_of(std::string_view word) {
  const auto found = std::find_if(colours.begin(), colours.end(), [&](const auto& each) { return each.first == word; });
  return found == colours.end() ? std::nullopt : std::optional(found->second);
}

bool given(const driver::Environment& environment, const char* variable) {
  return !environment.variable(variable).value_or("").empty();
}

// The size of the code of a colour that the text begins with: "\x1b[31m" has 5 bytes; 0 if there is none.
std::size_t colour_size(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  const std::size_t end = text.find_first_not_of("0123456789", 2);
  return end != text.npos && end <= 4 && text[end] == 'm' ? end + 1 : 0;
}

}  // namespace

std::string fit_to_show(std::string_view output, Paint paint) {
  std::string result;
  for (std::size_t at = 0; at < output.size();) {
    const std::size_t next = unprintable_at(output, at);
    result += output.substr(at, next - at);
    if (next == output.size()) break;
    const std::size_t own = output[next] == '\n' ? 1 : paint.on() ? colour_size(output.substr(next)) : 0;
    at = own > 0 ? next + own : std::max(character_end(output, next), next + 1);
    const std::string_view character = output.substr(next, at - next);
    result += own > 0 ? std::string(character) : printable(character);
  }
  return result;
}

std::string Paint::operator()(std::string_view word, std::size_t width) const {
  return like(word, word) + std::string(width - std::min(width, word.size()), ' ');
}

std::string Paint::like(std::string_view word, std::string_view text) const {
  const auto colour = colour_of(word);
  if (!on_ || !colour || text.empty()) return std::string(text);
  return fmt::format(fmt::emphasis::bold | fmt::fg(*colour), "{}", text);
}

std::string Paint::strong(std::string_view text) const {
  if (!on_ || text.empty()) return std::string(text);
  return fmt::format(fmt::emphasis::bold, "{}", text);
}

Paint paint_for(Stream stream, std::string_view color, const driver::Environment& environment) {
  if (color != "auto") return Paint(color == "always");
  const bool terminal =
      stream == Stream::output ? environment.output_goes_to_a_terminal() : environment.errors_go_to_a_terminal();
  return Paint(terminal && !given(environment, "NO_COLOR") && environment.variable("TERM").value_or("") != "dumb");
}

}  // namespace quadrille::cli
