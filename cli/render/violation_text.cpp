// A violation stands at one row's place. Notes say where the others were written, a note for each place (a source span
// with the loops' values there), as one statement with one value of its loops may send many packets.
#include "cli/render/violation_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cli/render/report_text.h"
#include "model/text/counted.h"

namespace quadrille::cli {
namespace {

constexpr std::size_t most_notes = 2;

bool same_place(const RowOrigin& a, const RowOrigin& b) { return a.span == b.span && a.variables == b.variables; }

// A row for each place but that one.
std::vector<const ConcernedRow*> at_other_places(const RowOrigin& main, const std::vector<ConcernedRow>& rows) {
  std::vector<const ConcernedRow*> others;
  for (const ConcernedRow& row : rows) {
    const bool known = std::any_of(others.begin(), others.end(),
                                   [&](const ConcernedRow* other) { return same_place(other->origin, row.origin); });
    if (row.origin.span.known() && !same_place(row.origin, main) && !known) others.push_back(&row);
  }
  return others;
}

std::string note_of(const ConcernedRow& row, const Violation& violation, const SendTable& table, bool only_other) {
  const bool rounds = table.fabric.in_rounds();
  const std::string chunk = table.collective.label(row.row.chunk);
  if (violation.step && row.step != *violation.step) {
    return fmt::format("{}, on {} in {} {}, is sent here", chunk, table.fabric.name(row.row.channel),
                       rounds ? "round" : "step", row.step.value);
  }
  if (!only_other) return fmt::format("{} is sent here", chunk);
  return fmt::format("the other {}, {}, is sent here", rounds ? "message" : "packet", chunk);
}

}  // namespace

std::string violation_text(std::string_view word, std::string_view properties, const Violation& violation,
                           const SendTable& table, const Sources& sources, Paint paint) {
  const RowOrigin origin = origin_of(violation);
  const std::string message = fmt::format("{}: {}", properties, violation.message);
  std::string text = marked(word, message, origin, sources, paint);
  if (violation.rows.size() < 2) return text;
  std::vector<const ConcernedRow*> others = at_other_places(origin, violation.rows);
  if (others.empty()) return text;
  const std::size_t places = others.size();
  others.resize(std::min(others.size(), most_notes));
  const auto told = std::count_if(violation.rows.begin(), violation.rows.end(), [&](const ConcernedRow& row) {
    return same_place(row.origin, origin) || std::any_of(others.begin(), others.end(), [&](const ConcernedRow* other) {
             return same_place(other->origin, row.origin);
           });
  });
  const std::uint64_t rest = violation.rows_concerned - static_cast<std::uint64_t>(told);
  for (const ConcernedRow* other : others) {
    text += marked("note", note_of(*other, violation, table, places == 1 && rest == 0), other->origin, sources, paint);
  }
  return rest == 0 ? text : text + fmt::format("  and {} more\n", counted(rest, "row"));
}

}  // namespace quadrille::cli
