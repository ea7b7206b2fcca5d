// Pieces of text that several commands print: marked places, wrapped lines, headings, percentages and charts.
#include "cli/report_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "model/described.h"
#include "model/diagnostic.h"

namespace quadrille::cli {
namespace {

constexpr std::string_view error_word = "error";

// The bytes before the word "error" in a rendered diagnostic: "file:line:column: ".
std::size_t place_size(Span span, const Sources& sources) {
  if (span.source >= sources.size()) return 0;
  const Source& source = sources[span.source];
  const Position position = position_of(source.text, span.begin);
  return fmt::formatted_size("{}:{}:{}: ", source.name, position.line, position.column);
}

}  // namespace

std::string marked(std::string_view word, std::string_view message, const RowOrigin& origin, const Sources& sources) {
  std::string text = render(error_at(origin.span, std::string(message), Code::none), sources);
  text.replace(place_size(origin.span, sources), error_word.size(), word);
  std::string values;
  for (const auto& [name, value] : origin.variables) {
    values += fmt::format("{}{} = {}", values.empty() ? "  with " : ", ", name, value);
  }
  return values.empty() ? text : text + values + "\n";
}

RowOrigin origin_of(const Violation& violation) {
  return violation.claim.known() ? RowOrigin{violation.claim, {}} : violation.origin;
}

std::string fabric_text(const Fabric& fabric, const std::string& on) {
  const std::string text = described(fabric);
  const bool has_a_name = !on.empty() && on.find('{') == on.npos;
  return text != fabric.notation() && has_a_name ? on : text;
}

std::string title(const SendTable& table, const std::string& on) {
  return fmt::format("schedule    {}\nfabric      {}\ncollective  {}\n", table.schedule, fabric_text(table.fabric, on),
                     described(table.collective));
}

std::string measure_text(std::string_view name, std::uint64_t value, const Bound& bound) {
  const std::string least = bound.steps ? fmt::to_string(*bound.steps) : std::string("∞");
  return fmt::format("{:<11} {}\nat least    {}\n", name, value,
                     wrapped(fmt::format("{}: {}", least, bound.reason), 12));
}

std::string steps_text(std::uint64_t steps, const Bound& bound) { return measure_text("steps", steps, bound); }

std::string why_text(const driver::SizeResult& result) {
  if (result.verdict == Verdict::unknown) return result.why;
  if (!result.refused.empty()) return result.refused.front().message;
  const Violation* violation = result.first(std::nullopt);
  return violation ? fmt::format("{}: {}", to_string(violation->property), violation->message) : "";
}

std::string_view ended_text(Reason reason) {
  if (reason == Reason::cancelled) return "interrupted";
  return reason == Reason::limit ? "out of memory" : "out of time";
}

std::string chart(std::span<const std::uint64_t> values, double full) {
  static constexpr std::array<std::string_view, 9> blocks{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::string text;
  for (const std::uint64_t value : values) {
    const double height = full > 0 ? static_cast<double>(value) / full * 8 : 0;
    // The least traffic shows, and only full traffic fills the block.
    const auto lowest = value > 0 ? 1L : 0L;
    text += blocks[static_cast<std::size_t>(std::clamp(static_cast<long>(height), lowest, 8L))];
  }
  return text;
}

std::string percentage(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return "-";
  return fmt::format("{:.1f}%", 100 * static_cast<double>(part) / static_cast<double>(whole));
}

}  // namespace quadrille::cli
