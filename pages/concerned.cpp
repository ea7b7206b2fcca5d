// Violations by their step; rows with all that is known of where they were written.
#include "pages/concerned.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

namespace quadrille::pages {
namespace {

constexpr std::size_t most_rows_written = 6;

std::uint32_t step_of(const Violation& violation) {
  return violation.step ? violation.step->value : std::numeric_limits<std::uint32_t>::max();
}

std::string unit_of(const CheckedTable& table) { return table.outcome.table.fabric.in_rounds() ? "round" : "step"; }

void write_violation(Sheet& sheet, const CheckedTable& table, const Violation& violation) {
  const std::string place = violation.step ? fmt::format("{} {}: ", unit_of(table), violation.step->value) : "";
  sheet.write(fmt::format("{} violated: {}{}", to_string(violation.property), place, violation.message),
              colours::violated, true);
  const std::size_t written = std::min(violation.rows.size(), most_rows_written);
  for (std::size_t i = 0; i < written; ++i) sheet.write(in_words(violation.rows[i], table));
  if (violation.rows_concerned > written) {
    sheet.write(fmt::format("and {} rows more", violation.rows_concerned - written));
  }
}

}  // namespace

const Violation* shown_violation(const Report& report) {
  const Violation* first = nullptr;
  for (const Violation& each : report.violations) {
    if (report.only_warns(each.property)) continue;
    if (first == nullptr || step_of(each) < step_of(*first)) first = &each;
  }
  return first;
}

std::string line_of(const RowOrigin& origin, const Sources& sources) {
  if (!origin.span.known() || origin.span.source >= sources.size()) return "";
  const Source& source = sources[origin.span.source];
  const std::uint32_t line = position_of(source.text, origin.span.begin).line;
  return sources.size() == 1 ? fmt::to_string(line) : fmt::format("{}:{}", source.name, line);
}

std::string in_words(const ConcernedRow& row, const CheckedTable& table) {
  const SendTable& of = table.outcome.table;
  std::string text = fmt::format("{} on {}, {} {}", of.collective.label(row.row.chunk), of.fabric.name(row.row.channel),
                                 unit_of(table), row.step.value);
  if (const std::string line = line_of(row.origin, table.sources); !line.empty()) text += ", line " + line;
  std::vector<std::string> values;
  for (const auto& [name, value] : row.origin.variables) values.push_back(fmt::format("{}={}", name, value));
  return values.empty() ? text : text + fmt::format(" ({})", fmt::join(values, ", "));
}

std::string title_of(const SendTable& table) {
  const std::string what = table.schedule.empty() ? table.collective.notation() : table.schedule;
  return fmt::format("{} on {}", what, table.fabric.title());
}

void write_verdict(Sheet& sheet, const CheckedTable& table) {
  const Report& report = table.outcome.report;
  if (const Violation* violation = shown_violation(report)) return write_violation(sheet, table, *violation);
  sheet.write(
      fmt::format("{}: {} {}s, {} rows", to_string(report.verdict), table.use.steps, unit_of(table), table.use.rows));
}

}  // namespace quadrille::pages
