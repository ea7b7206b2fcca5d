// The findings about another system's program, MSCCL XML, an MSCCL++ plan or GOAL, at their places, and then its
// properties, as text.
#include <fmt/format.h>

#include <algorithm>

#include "cli/render/render.h"
#include "cli/render/report_text.h"
#include "model/text/counted.h"
#include "model/text/printable.h"

namespace quadrille::cli {
namespace {

using programs::Finding;
using programs::Location;
using programs::ProgramProperty;
using programs::ProgramVerdict;
using programs::PropertyVerdict;

constexpr std::size_t longest_why = 130;   // in one line
constexpr std::size_t most_of_a_run = 12;  // operations that are listed, the last ones

std::string place_text(const Location& place, const Sources& sources) {
  std::string text = fmt::format("gpu {}", place.rank);
  const bool of_block = place.step >= 0 || place.span.known();
  if (of_block) text += fmt::format(" block {}", place.block);
  if (place.step >= 0) text += fmt::format(" step {}", place.step);
  if (place.span.known()) {
    text += fmt::format(" (line {})", position_of(sources[place.span.source].text, place.span.begin).line);
  }
  return text;
}

std::string run_text(const std::vector<Location>& run) {
  std::string text;
  const std::size_t begin = run.size() > most_of_a_run ? run.size() - most_of_a_run : 0;
  if (begin > 0) text += fmt::format("{} before them, ", counted(begin, "operation"));
  for (std::size_t i = begin; i < run.size(); ++i) {
    text += fmt::format("{}{}.{}.{}", i == begin ? "" : " ", run[i].rank, run[i].block, run[i].step);
  }
  return text;
}

// `place` gives the words for a place.
template <class Place>
std::string finding_text(const programs::ProgramReport& report, const Finding& finding, const Place& place,
                         const Sources& sources, Paint paint) {
  RowOrigin origin;
  if (finding.at) origin.span = finding.at->span;
  std::string text =
      marked(report.only_warns(finding.property) ? "warning" : "violation",
             fmt::format("{}: {}", to_string(finding.property), finding.message), origin, sources, paint);
  if (finding.at) text += fmt::format("  at    {}\n", place(*finding.at));
  if (finding.other) text += fmt::format("  and   {}\n", place(*finding.other));
  if (finding.least_bytes) text += fmt::format("  with  messages of {} bytes\n", *finding.least_bytes);
  for (std::size_t i = 0; i < finding.runs.size(); ++i) {
    const std::string number = finding.runs.size() > 1 ? std::to_string(i + 1) : " ";
    text += fmt::format("  run {} {}\n", number, wrapped(run_text(finding.runs[i]), 8));
  }
  if (!finding.mend.empty()) text += fmt::format("  mend  {}\n", finding.mend);
  return text;
}

std::string condition_text(const programs::SizeCondition& condition) {
  const std::uint64_t from = condition.bytes_from.value_or(0);
  return condition.bytes_to ? fmt::format("for {} to {} bytes", from, *condition.bytes_to)
                            : fmt::format("from {} bytes on", from);
}

// `condition` gives the words for the condition on which a property holds; `or_more` stands behind a number of findings
// whose search ended early.
std::string property_text(const programs::ProgramReport& report, ProgramProperty property,
                          std::string (*condition)(const programs::SizeCondition&), std::string_view or_more,
                          Paint paint) {
  const PropertyVerdict& it = report.of(property);
  std::string more = it.why;
  if (it.verdict == ProgramVerdict::conditional)
    more = condition(it.condition) + (it.why.empty() ? "" : fmt::format(": {}", it.why));
  if (it.verdict == ProgramVerdict::violated) {
    const auto shown = std::count_if(report.findings.begin(), report.findings.end(),
                                     [&](const Finding& finding) { return finding.property == property; });
    more = counted(it.findings, "time") + std::string(it.partial ? or_more : "");
    if (shown > 0 && static_cast<std::uint64_t>(shown) < it.findings)
      more += fmt::format(", the first {} above", shown);
    if (report.only_warns(property)) more += " (only a warning)";
  }
  const std::string line = fmt::format("  {:<11} {} {}", to_string(property), paint(to_string(it.verdict), 11),
                                       more.size() > longest_why ? wrapped(more, 26) : more);
  return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

std::string properties_text(const programs::ProgramReport& report,
                            std::string (*condition)(const programs::SizeCondition&), std::string_view or_more,
                            Paint paint) {
  std::string text;
  for (const ProgramProperty it : report.covers) text += property_text(report, it, condition, or_more, paint);
  return text;
}

template <class Place>
std::string waits_text(const std::vector<programs::Stuck>& stuck, const Place& place) {
  std::string text;
  for (const programs::Stuck& each : stuck) {
    text += fmt::format("  {} waits for {}", place(each.at), each.waits_for);
    text += each.for_whom ? fmt::format(", and there is {}\n", place(*each.for_whom)) : "\n";
  }
  return text;
}

template <class Place>
std::string notes_text(const programs::ProgramReport& report, const Place& place) {
  std::string text;
  for (const programs::Note& note : report.notes) {
    const std::string where = note.at ? place(*note.at) + ": " : std::string();
    text += wrapped(fmt::format("note        {}{}", where, note.message), 12) + "\n";
  }
  return text;
}

std::string call_text(const driver::CheckProgramOutcome& outcome, const driver::JudgedCall& call,
                      const Sources& sources, Paint paint) {
  const programs::ProgramReport& report = call.report;
  std::string text;
  const auto place = [&](const Location& at) { return place_text(at, sources); };
  for (const Finding& finding : report.findings) text += finding_text(report, finding, place, sources, paint);
  if (outcome.calls.size() > 1) text += fmt::format("{}\n", call.in_place ? "in place" : "out of place");
  if (!text.empty() && outcome.calls.size() == 1) text += "\n";
  text += properties_text(report, condition_text, " or more", paint);
  if (outcome.asked_why_hang) {
    text += call.why_hang.empty() ? "\nno wait there is for ever\n" : "\nwaits\n" + waits_text(call.why_hang, place);
  }
  return text + notes_text(report, place) + "\n";
}

std::string mend_text(const driver::CheckProgramOutcome& outcome, bool all) {
  if (!outcome.mend) return outcome.asked_mend ? "mend        none was found, and nothing is written\n" : "";
  constexpr std::size_t most = 8;
  const driver::Mend& mend = *outcome.mend;
  std::string text =
      fmt::format("mend        {}, with which it {}{}\n", counted(mend.changes.size(), "change"),
                  mend.verdict == ProgramVerdict::holds ? "holds" : fmt::format("is {}", to_string(mend.verdict)),
                  mend.written.empty() ? "" : fmt::format(": {}", mend.written));
  for (std::size_t i = 0; i < mend.changes.size(); ++i) {
    if (i == most && !all) return text + fmt::format("            and {} more\n", mend.changes.size() - i);
    text += fmt::format("            {}\n", mend.changes[i]);
  }
  return text;
}

// `to` 0: no limit.
std::string sizes_text(std::uint64_t from, std::uint64_t to) {
  return to == 0 ? fmt::format("{} bytes and more", from) : fmt::format("{} to {} bytes", from, to);
}

std::string goal_place_text(const driver::CheckGoalOutcome& outcome, const Location& place, const Sources& sources) {
  const std::string what = goal_operation(outcome.schedule.ranks[place.rank].operations[place.index]);
  if (!place.span.known()) return fmt::format("rank {} operation {}: {}", place.rank, place.index, what);
  const auto line = position_of(sources[place.span.source].text, place.span.begin).line;
  return fmt::format("rank {} {} (line {}): {}", place.rank, goal_label(place, sources), line, what);
}

std::string eager_text(const programs::SizeCondition& condition) {
  return fmt::format("where messages of up to {} bytes are eager (-S)", condition.buffer.value_or(0));
}

std::string goal_waits_text(const driver::CheckGoalOutcome& outcome, const Sources& sources) {
  std::string text;
  for (const programs::Stuck& it : outcome.report.stuck) {
    text += fmt::format("  {}\n    waits for {}{}\n", goal_place_text(outcome, it.at, sources), it.waits_for,
                        it.for_whom ? " " + goal_place_text(outcome, *it.for_whom, sources) : "");
  }
  return text.empty() ? text : "waits\n" + text + "\n";
}

std::string chunks_text(const programs::ExecutionPlan& plan) {
  if (plan.ranks.empty()) return "no chunks";
  return fmt::format("{} in and {} out", counted(plan.ranks[0].input, "chunk"), plan.ranks[0].output);
}

// What the heads of plans say of how they are run.
std::string plan_head(const programs::ExecutionPlan& plan, std::optional<std::uint32_t> multiprocessors) {
  std::string text = fmt::format("plan        {}\n", printable(plan.name));
  text += fmt::format("collective  {} of {}, {}, {}, {}\n", printable(plan.collective),
                      counted(plan.ranks.size(), "rank"), chunks_text(plan),
                      plan.in_place ? "in place" : "out of place", sizes_text(plan.bytes_from, plan.bytes_to));
  text += fmt::format("executor    MSCCL++, {}{}{}\n\n", plan.packets() ? "LL" : "Simple",
                      plan.double_scratch ? ", two halves of scratch" : "",
                      multiprocessors ? fmt::format(", {} multiprocessors", *multiprocessors) : "");
  return text;
}

}  // namespace

std::string rendered(AsText form, const driver::CheckProgramOutcome& outcome, const Sources& sources) {
  std::string text = fmt::format("program     {}\n", outcome.name);
  text += fmt::format("collective  {} of {} ranks, {} chunks, {}\n", outcome.collective, outcome.ranks, outcome.chunks,
                      sizes_text(outcome.bytes_from, outcome.bytes_to));
  text += fmt::format("executor    {}{}, {}, connections of {} bytes\n", outcome.consumer,
                      outcome.consumer_chosen ? " (the strictest; --for names another)" : "", outcome.protocol,
                      outcome.buffer);
  if (outcome.calls.size() == 1)
    text += fmt::format("calls       {}\n", outcome.calls[0].in_place ? "in place" : "out of place");
  text += "\n";
  for (const driver::JudgedCall& call : outcome.calls) text += call_text(outcome, call, sources, form.paint);
  text += mend_text(outcome, form.all);
  text += fmt::format("blocks      {}\nsteps       {}\nverdict     {}\n", outcome.blocks, outcome.steps,
                      form.paint(to_string(outcome.verdict())));
  return text;
}

std::string rendered(AsText form, const driver::CheckGoalOutcome& outcome, const Sources& sources) {
  std::string text =
      fmt::format("schedule    GOAL{} of {} ranks\n", outcome.binary ? ", binary," : "", outcome.schedule.ranks.size());
  text += fmt::format("simulator   LogGOPSim, messages of up to {} bytes eager{}\n\n", outcome.eager_bytes,
                      outcome.eager_given ? "" : " (its own; --buffer sets another)");
  const auto place = [&](const Location& at) { return goal_place_text(outcome, at, sources); };
  for (const Finding& it : outcome.report.findings) {
    text += finding_text(outcome.report, it, place, sources, form.paint);
  }
  if (!outcome.report.findings.empty()) text += "\n";
  text += goal_waits_text(outcome, sources);
  text += properties_text(outcome.report, eager_text, "", form.paint);
  text += "note        GOAL moves bytes and does not say which: races, data and agreement are not judged\n\n";
  text += fmt::format("operations  {}\nsends       {}\ndependent   {}\nverdict     {}\n", outcome.operations,
                      outcome.sends, outcome.dependencies, form.paint(to_string(outcome.report.verdict())));
  return text;
}

std::string rendered(AsText form, const driver::CheckPlanOutcome& outcome, const Sources& sources) {
  const programs::ProgramReport& report = outcome.report;
  const auto place = [&](const Location& at) { return plan_place(outcome.plan, at); };
  std::string text = plan_head(outcome.plan, outcome.multiprocessors);
  for (const Finding& it : report.findings) text += finding_text(report, it, place, sources, form.paint);
  if (!report.findings.empty()) text += "\n";
  if (!report.stuck.empty()) text += "waits\n" + waits_text(report.stuck, place) + "\n";
  text += properties_text(report, condition_text, " or more", form.paint) + notes_text(report, place);
  text += fmt::format("\nblocks      {}\noperations  {}\nverdict     {}\n", outcome.blocks, outcome.operations,
                      form.paint(to_string(report.verdict())));
  return text;
}

}  // namespace quadrille::cli
