// The report of check as text: violations first, each at its place, then property by property, then the measures.
#include "verifier/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/render/paint.h"
#include "cli/render/render.h"
#include "cli/render/report_text.h"
#include "model/send_table.h"
#include "model/text/counted.h"
#include "model/text/source.h"

namespace quadrille::cli {
namespace {

// --- violations ----------------------------------------------------------------------------------------------------

// violation_text prints a violation.
//
// A violation stands at one row's place. Notes say where the others were written, a note for each place (a source span
// with the loops' values there), as one statement with one value of its loops may send many packets.

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

// "violation" or "warning" at its place, with the properties that it violates, then where the other rows concerned were
// written, the first two as notes.
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

// --- the report ----------------------------------------------------------------------------------------------------

bool same_rows(const Violation& a, const Violation& b) {
  const auto same = [](const ConcernedRow& x, const ConcernedRow& y) { return x.step == y.step && x.row == y.row; };
  return a.rows_concerned == b.rows_concerned && !a.rows.empty() && std::ranges::is_permutation(a.rows, b.rows, same);
}

// For each violation of contention_free that is one of capacity, too, about the same rows at the same time, that one:
// too many packets on the one lane of a channel.
std::map<const Violation*, const Violation*> twins_in(const Report& report) {
  using StepOnChannel = std::pair<std::optional<StepId>, std::optional<ChannelId>>;
  std::map<StepOnChannel, const Violation*> of_capacity;
  for (const Violation& it : report.violations) {
    if (it.property == Property::capacity && it.channel) of_capacity.emplace(StepOnChannel{it.step, it.channel}, &it);
  }
  std::map<const Violation*, const Violation*> twins;
  for (const Violation& it : report.violations) {
    if (it.property != Property::contention_free) continue;
    const auto other = of_capacity.find({it.step, it.channel});
    if (other != of_capacity.end() && same_rows(it, *other->second)) twins.emplace(&it, other->second);
  }
  return twins;
}

// Twins are told once.
std::string violations_text(const driver::CheckOutcome& outcome, const Sources& sources, Paint paint) {
  const Report& report = outcome.report;
  const std::map<const Violation*, const Violation*> twins = twins_in(report);
  std::set<const Violation*> told;
  std::string text;
  for (const Violation& violation : report.violations) {
    if (told.contains(&violation)) continue;
    std::string properties(to_string(violation.property));
    if (const auto twin = twins.find(&violation); twin != twins.end()) {
      properties += fmt::format(", {}", to_string(twin->second->property));
      told.insert(twin->second);
    }
    const std::string_view word = report.only_warns(violation.property) ? "warning" : "violation";
    text += violation_text(word, properties, violation, outcome.table, sources, paint);
  }
  return text.empty() ? text : text + "\n";
}

// Below the line of the claims, or of the invariants, each on a line of its own.
template <class Statement>
std::string listed(Property property, const std::vector<Statement>& statements, const Report& report, Paint paint) {
  const bool hold = report.of(property).verdict == Verdict::holds;
  std::string text;
  for (const Statement& claim : statements) {
    const bool violated = std::any_of(report.violations.begin(), report.violations.end(), [&](const Violation& it) {
      return it.property == property && it.claim == claim.span;
    });
    const Verdict verdict = violated ? Verdict::violated : hold ? Verdict::holds : Verdict::unknown;
    text +=
        fmt::format("    {}\n", verdict == Verdict::unknown ? claim.text : paint.like(to_string(verdict), claim.text));
  }
  return text;
}

std::string property_text(Property property, const driver::CheckOutcome& outcome, Paint paint) {
  const Report& report = outcome.report;
  const PropertyResult& result = report.of(property);
  // Where nobody's result is another's, nothing is said.
  if (property == Property::agreement && !outcome.table.collective.results_can_differ()) return {};
  if (property == Property::invariants && !outcome.invariants_written) return {};
  std::string more = result.why;
  if (result.violations > 0) {
    std::uint64_t shown = 0;
    for (const Violation& violation : report.violations) shown += violation.property == property ? 1 : 0;
    more = counted(result.violations, "time");
    if (shown < result.violations) more += fmt::format(", the first {} above", shown);
    if (report.only_warns(property)) more += " (only a warning)";
  } else if ((property == Property::claims || property == Property::invariants) && !outcome.claims_judged) {
    return fmt::format("  {:<16} not judged\n", to_string(property));
  } else if (property == Property::claims && outcome.table.claims.empty()) {
    more = "none is written";
  } else if (property == Property::invariants && result.verdict == Verdict::holds) {
    more = counted(report.invariant_statements, "statement");
  }
  const std::string line =
      fmt::format("  {:<16} {} {}", to_string(property), paint(to_string(result.verdict), 9), more);
  return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

// A schedule that is right as a table, but not what it claims to be (on another fabric, say), is told apart.
std::string verdict_text(const driver::CheckOutcome& outcome) {
  if (const auto failing = outcome.only_violated_of_schedule())
    return fmt::format("table holds, {} violated", to_string(*failing));
  if (outcome.only_claims_unknown()) return "table holds, claims unknown";
  return std::string(to_string(outcome.report.verdict));
}

// Retimed for another fabric: for each step of the schedule's own.
std::string slow_down_text(const driver::CheckOutcome& outcome) {
  if (!outcome.slow_down) return {};
  const auto& own = *outcome.slow_down;
  return fmt::format("slow-down   {:.2f}: {} steps where it is written for, with a load factor of {:.2f}\n",
                     static_cast<double>(outcome.report.steps) / static_cast<double>(own.own_steps), own.own_steps,
                     own.load_factor);
}

std::string times_text(const driver::CheckOutcome& outcome) {
  std::string text;
  for (std::size_t i = 0; i < outcome.sizes.size(); ++i) {
    text +=
        fmt::format("{:<11} {} for messages of {}{}\n", i == 0 ? "time" : "", time_text(outcome.times[i]),
                    size_text(outcome.sizes[i]), why_no_time(outcome.times[i], outcome.table_verdict(), outcome.cut));
    text += bandwidth_text(outcome.table.collective, outcome.sizes[i], outcome.times[i]);
  }
  return text;
}

}  // namespace

std::string rendered(AsText form, const driver::CheckOutcome& outcome, const Sources& sources) {
  const Report& report = outcome.report;
  std::string text = violations_text(outcome, sources, form.paint) + title(outcome.table, outcome.on) + "\n";
  for (std::size_t i = 0; i < property_count; ++i) {
    const auto property = static_cast<Property>(i);
    text += property_text(property, outcome, form.paint);
    if (property == Property::claims) text += listed(property, outcome.table.claims, report, form.paint);
    if (property == Property::invariants) text += listed(property, outcome.table.invariants, report, form.paint);
  }
  text +=
      "\n" + measures_text(report.steps, outcome.bound, report.volume, outcome.volume_bound, report.load, report.hops);
  text += slow_down_text(outcome) + times_text(outcome);
  text += fmt::format("messages    {}\nrows        {}\n", report.messages, report.rows);
  if (!report.volume) {
    text += fmt::format("queue       {} at most in a switch, {} before a channel\n", report.queues.largest,
                        report.queues.largest_at_channel);
  }
  if (report.max_buffer) text += fmt::format("buffer      {} at most in a processor\n", *report.max_buffer);
  return text + fmt::format("verdict     {}\n", form.paint(verdict_text(outcome))) +
         cut_text(outcome.cut, "all of this was known");
}

}  // namespace quadrille::cli
