// Pieces of text that several commands print: marked places, wrapped lines, headings, percentages and charts.
#include "cli/render/report_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "driver/inputs/bandwidth.h"
#include "model/described.h"
#include "model/text/counted.h"
#include "model/text/diagnostic.h"
#include "model/text/printable.h"
#include "programs/mscclpp/judge.h"

namespace quadrille::cli {
namespace {

constexpr std::string_view error_word = "error";

// The bytes before the word "error" in a rendered diagnostic: "file:line:column: ".
std::size_t place_size(Span span, const Sources& sources) {
  if (span.source >= sources.size()) return 0;
  const Source& source = sources[span.source];
  const Position position = position_of(source.text, span.begin);
  return fmt::formatted_size("{}:{}:{}: ", printable(source.name), position.line, position.column);
}

// A rendered diagnostic without notes whose first word behind the place is `rendered_word`, with `word` in its stead,
// painted: place and message strong, the mark under the source line like the word.
std::string painted(const std::string& text, std::size_t place, std::string_view rendered_word, std::string_view word,
                    Paint paint) {
  const std::size_t message = place + rendered_word.size();
  const std::size_t end = text.find('\n', message);
  const std::size_t mark = end + 1 < text.size() ? text.find('^', text.find('\n', end + 1)) : text.npos;
  std::string result = paint.strong(std::string_view(text).substr(0, place)) + paint(word) +
                       paint.strong(std::string_view(text).substr(message, end - message));
  if (mark == text.npos) return result + text.substr(end);
  const std::size_t mark_end = std::min(text.find('\n', mark), text.size());
  return result + text.substr(end, mark - end) + paint.like(word, text.substr(mark, mark_end - mark)) +
         text.substr(mark_end);
}

// "volume …" and "at least … (why)", a line each.
std::string measure_text(std::string_view name, std::uint64_t value, const Bound& bound) {
  const std::string least = bound.steps ? fmt::to_string(*bound.steps) : std::string("∞");
  return fmt::format("{:<11} {}\nat least    {}\n", name, value,
                     wrapped(fmt::format("{}: {}", least, bound.reason), 12));
}

// "retimed     15 steps, 1 as written, placed as whole sends".
std::string retiming_text(const SendTable& table) {
  if (!table.retiming) return {};
  const Retiming& it = *table.retiming;
  std::string text =
      fmt::format("retimed     {}, {} as written, placed as {}",
                  counted(it.steps, table.fabric.in_rounds() ? "round" : "step"), it.steps_before, it.as);
  if (it.waits > 0) text += fmt::format("; {} of waiting", counted(it.waits, "step"));
  if (it.detours > 0) text += fmt::format("; {}", counted(it.detours, "detour"));
  return text + "\n";
}

std::string number_or_any(std::uint32_t number) {
  return number == programs::goal_any ? std::string("-1") : fmt::format("{}", number);
}

}  // namespace

std::string painted(const Diagnostics& diagnostics, const Sources& sources, Paint paint) {
  if (!paint.on()) return render(diagnostics, sources);
  std::string text;
  for (const Diagnostic& it : diagnostics) {
    const std::string_view word = it.severity == Severity::error     ? error_word
                                  : it.severity == Severity::warning ? std::string_view("warning")
                                                                     : std::string_view("note");
    const Diagnostic alone{it.severity, it.span, it.message, {}, it.code};
    text += painted(render(alone, sources), place_size(it.span, sources), word, word, paint);
    for (const auto& [span, message] : it.notes) {
      const Diagnostic note{Severity::note, span, message, {}, Code::none};
      text += painted(render(note, sources), place_size(span, sources), "note", "note", paint);
    }
  }
  return text;
}

std::string marked(std::string_view word, std::string_view message, const RowOrigin& origin, const Sources& sources,
                   Paint paint) {
  std::string text = painted(render(error_at(origin.span, std::string(message), Code::none), sources),
                             place_size(origin.span, sources), error_word, word, paint);
  std::string values;
  for (const auto& [name, value] : origin.variables) {
    values += fmt::format("{}{} = {}", values.empty() ? "  with " : ", ", name, value);
  }
  return values.empty() ? text : text + values + "\n";
}

RowOrigin origin_of(const Violation& violation) {
  return violation.origin.span.known() ? violation.origin : RowOrigin{violation.claim, {}};
}

std::string fabric_text(const Fabric& fabric, const std::string& on) {
  const std::string text = described(fabric);
  const bool has_a_name = !on.empty() && on.find('{') == on.npos;
  return text != fabric.notation() && has_a_name ? on : text;
}

std::string title(const SendTable& table, const std::string& on) {
  return fmt::format("schedule    {}\nfabric      {}\ncollective  {}\n{}", table.schedule,
                     fabric_text(table.fabric, on), described(table.collective), retiming_text(table));
}

std::string measures_text(std::uint64_t steps, const Bound& bound, std::optional<std::uint64_t> volume,
                          const std::optional<Bound>& volume_bound, const std::optional<Fraction>& load,
                          std::optional<std::uint64_t> hops) {
  if (!volume) return measure_text("steps", steps, bound);
  return measure_text("rounds", steps, bound) + measure_text("volume", *volume, *volume_bound) +
         (load ? fmt::format("load        {}\n", to_string(*load)) : "") + fmt::format("hops        {}\n", *hops);
}

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

std::string why_no_time(std::optional<double> seconds, Verdict verdict, Reason cut) {
  if (seconds) return "";
  if (verdict == Verdict::violated) return ": the table breaks a rule";
  return cut == Reason::none ? ": not all is known of the table" : fmt::format(": {}", ended_text(cut));
}

std::string cut_text(Reason reason, std::string_view before) {
  return reason == Reason::none ? "" : fmt::format("            {} before {}\n", ended_text(reason), before);
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

std::string shell_word(const std::string& word) {
  const auto plain = [](char each) {
    return std::isalnum(static_cast<unsigned char>(each)) != 0 ||
           std::string_view("_-+=./:,%@").find(each) != std::string_view::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, plain)) return word;
  std::string text = "'";
  for (const char each : word) text += each == '\'' ? std::string("'\\''") : std::string(1, each);
  return text + "'";
}

std::string command_text(std::string_view command, const driver::TableRequest& input) {
  std::string text = fmt::format("quadrille {} {}", command, shell_word(input.file));
  for (const std::string& each : input.defines) text += " -D " + shell_word(each);
  if (!input.on.empty()) text += " --on " + shell_word(input.on);
  for (const std::string& each : input.without) text += " --without " + shell_word(each);
  if (input.retime) text += " --retime";
  if (input.spread) text += " --spread";
  if (!input.timing.empty()) text += " --timing " + input.timing;
  return text;
}

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

std::string plan_place(const programs::ExecutionPlan& plan, const programs::Location& place) {
  const std::string block = fmt::format("gpu {} block {}", place.rank, place.block);
  return place.step < 0 ? block : fmt::format("{} {}", block, programs::plan_operation_text(plan, place));
}

std::string percentage(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return "-";
  return fmt::format("{:.1f}%", 100 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string bandwidth_text(const Collective& collective, std::uint64_t size, std::optional<double> seconds) {
  const auto it = driver::bandwidth(collective, size, seconds);
  if (!it) return {};
  constexpr double giga = 1e9;
  return fmt::format("{:12}{} in whole: algbw {:.4g} GB/s, busbw {:.4g} GB/s\n", "", size_text(it->whole),
                     it->algorithm / giga, it->bus / giga);
}

std::string size_text(std::uint64_t bytes) {
  constexpr std::uint64_t kibi = 1024;
  std::array<const char*, 4> units{"B", "KiB", "MiB", "GiB"};
  std::size_t unit = 0;
  for (; unit + 1 < units.size() && bytes % kibi == 0 && bytes > 0; ++unit) bytes /= kibi;
  constexpr std::uint64_t quarter = kibi / 4;
  if (unit + 1 < units.size() && bytes > kibi && bytes % quarter == 0)
    return fmt::format("{:.4g} {}", static_cast<double>(bytes) / kibi, units[unit + 1]);
  return fmt::format("{} {}", bytes, units[unit]);
}

}  // namespace quadrille::cli
