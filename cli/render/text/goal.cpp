// What is found about a schedule in GOAL, as text: findings at their places, then property by property.
#include <fmt/format.h>

#include <algorithm>

#include "cli/render/goal_text.h"
#include "cli/render/render.h"
#include "cli/render/report_text.h"
#include "model/text/counted.h"

namespace quadrille::cli {
namespace {

using programs::Finding;
using programs::Location;
using programs::ProgramProperty;
using programs::ProgramVerdict;

std::string goal_place_text(const driver::CheckGoalOutcome& outcome, const Location& place, const Sources& sources) {
  const std::string what = goal_operation(outcome.schedule.ranks[place.rank].operations[place.index]);
  if (!place.span.known()) return fmt::format("rank {} operation {}: {}", place.rank, place.index, what);
  const auto line = position_of(sources[place.span.source].text, place.span.begin).line;
  return fmt::format("rank {} {} (line {}): {}", place.rank, goal_label(place, sources), line, what);
}

std::string goal_finding_text(const driver::CheckGoalOutcome& outcome, const Finding& finding, const Sources& sources,
                              Paint paint) {
  RowOrigin origin;
  if (finding.at) origin.span = finding.at->span;
  std::string text =
      marked("violation", fmt::format("{}: {}", to_string(finding.property), finding.message), origin, sources, paint);
  if (finding.at) text += fmt::format("  at    {}\n", goal_place_text(outcome, *finding.at, sources));
  if (finding.other) text += fmt::format("  and   {}\n", goal_place_text(outcome, *finding.other, sources));
  return text;
}

std::string goal_property_text(const programs::ProgramReport& report, ProgramProperty property, Paint paint) {
  const programs::PropertyVerdict& it = report.of(property);
  std::string more = it.why;
  if (it.verdict == ProgramVerdict::conditional) {
    more = fmt::format("where messages of up to {} bytes are eager (-S)", it.condition.buffer.value_or(0));
  }
  if (it.verdict == ProgramVerdict::violated) {
    const auto shown = std::count_if(report.findings.begin(), report.findings.end(),
                                     [&](const Finding& finding) { return finding.property == property; });
    more = counted(it.findings, "time");
    if (shown > 0 && static_cast<std::uint64_t>(shown) < it.findings)
      more += fmt::format(", the first {} above", shown);
  }
  const std::string line = fmt::format("  {:<11} {} {}", to_string(property), paint(to_string(it.verdict), 11), more);
  return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

std::string goal_waits_text(const driver::CheckGoalOutcome& outcome, const Sources& sources) {
  std::string text;
  for (const programs::Stuck& it : outcome.report.stuck) {
    text += fmt::format("  {}\n    waits for {}{}\n", goal_place_text(outcome, it.at, sources), it.waits_for,
                        it.for_whom ? " " + goal_place_text(outcome, *it.for_whom, sources) : "");
  }
  return text.empty() ? text : "waits\n" + text + "\n";
}

}  // namespace

std::string rendered(AsText form, const driver::CheckGoalOutcome& outcome, const Sources& sources) {
  std::string text =
      fmt::format("schedule    GOAL{} of {} ranks\n", outcome.binary ? ", binary," : "", outcome.schedule.ranks.size());
  text += fmt::format("simulator   LogGOPSim, messages of up to {} bytes eager{}\n\n", outcome.eager_bytes,
                      outcome.eager_given ? "" : " (its own; --buffer sets another)");
  for (const Finding& it : outcome.report.findings) text += goal_finding_text(outcome, it, sources, form.paint);
  if (!outcome.report.findings.empty()) text += "\n";
  text += goal_waits_text(outcome, sources);
  for (const ProgramProperty it : programs::goal_properties) text += goal_property_text(outcome.report, it, form.paint);
  text += "note        GOAL moves bytes and does not say which: races, data and agreement are not judged\n\n";
  text += fmt::format("operations  {}\nsends       {}\ndependent   {}\nverdict     {}\n", outcome.operations,
                      outcome.sends, outcome.dependencies, form.paint(to_string(outcome.report.verdict())));
  return text;
}

}  // namespace quadrille::cli
