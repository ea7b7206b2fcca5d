// The outcomes of searches, for a table, a frontier or a message size, and the bounds, as text.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "cli/render/render.h"
#include "cli/render/report_text.h"
#include "model/described.h"
#include "model/text/counted.h"

namespace quadrille::cli {
namespace {

constexpr std::size_t value_column = 12;  // where values begin

// The rules that narrow the search, if there are any.
std::string rules_text(const driver::SearchOutcome& outcome) {
  std::vector<std::string> rules;
  const bool queues_matter = outcome.fabric.rules().queue.limit || !outcome.collective.unicast();
  if (outcome.goal.keep_to_paths && queues_matter)
    rules.emplace_back("packets keep to the paths from where they start");
  if (outcome.goal.inject_once) rules.emplace_back("each leaves there in one step only");
  if (driver::narrowing_of(outcome.result).no_kept_reductions)
    rules.emplace_back("processors keep no words beside the one that they hold");
  if (outcome.goal.phases) {
    const bool rounds = outcome.fabric.in_rounds();
    rules.push_back(fmt::format("{}, of any volume each; what follows counts volume",
                                counted(*outcome.goal.phases, rounds ? "round" : "step")));
  }
  return rules.empty() ? "" : fmt::format("rules       {}\n", fmt::join(rules, "; "));
}

std::string why_not_fewer(const SearchResult& result) {
  if (!result.impossibility || result.lower_bound.value_or(0) == 0) return {};
  const std::string least = fmt::format("{}: {}", *result.lower_bound, result.impossibility->reason);
  return fmt::format("at least    {}\n", wrapped(least, value_column));
}

std::string_view agreement_text(Verdict agreement) {
  if (agreement == Verdict::holds) return "all add up alike";
  return agreement == Verdict::violated ? "not all add up alike (check says who; --agreement demands it)" : "unknown";
}

constexpr std::size_t reason_column = 40;

// "at least 4: …; not done in time".
std::string search_why(const SearchResult& result) {
  std::string text = fmt::format("at least {}", result.lower_bound ? fmt::to_string(*result.lower_bound) : "∞");
  if (const std::string why = driver::why_not_fewer(result); !why.empty()) text += ": " + why;
  if (!result.why.empty()) text += "; " + result.why;
  return text;
}

// "18", "8.83".
std::string value_text(double value) {
  return value == std::floor(value) ? fmt::format("{:.0f}", value) : fmt::format("{:.2f}", value);
}

// "20"; "∞" where there is no schedule at all.
std::string bound_text(const Bound& bound) { return bound.steps ? fmt::to_string(*bound.steps) : "∞"; }

// The columns that the steps of all bounds take.
std::size_t steps_width(const std::vector<Bound>& bounds) {
  std::size_t width = 1;
  for (const Bound& bound : bounds) width = std::max(width, bound.impossible() ? 1 : bound_text(bound).size());
  return width;
}

// A line, and one below it where the paper has a formula.
std::string bound_text(const Bound& bound, std::size_t width) {
  std::string text = fmt::format("  {:>{}}  {:<16}  {}\n", bound_text(bound), width, to_string(bound.kind),
                                 wrapped(bound.reason, width + 22));
  if (bound.paper) {
    text += fmt::format("  {:>{}}  {:<16}  {} = {} ({})\n", "", width, "  in the paper", bound.paper->text,
                        value_text(bound.paper->value), bound.paper->source);
  }
  return text;
}

// Every bound, and the best in one line.
std::string list_text(const std::vector<Bound>& bounds, std::string_view best) {
  const std::size_t width = steps_width(bounds);
  std::string text;
  for (const Bound& bound : bounds) text += bound_text(bound, width);
  return text + fmt::format("\n{}{} ({})\n", best, bound_text(bounds.front()), to_string(bounds.front().kind));
}

}  // namespace

std::string rendered(AsText form, const driver::SearchOutcome& outcome, const Sources&) {
  const SearchResult& it = outcome.result;
  std::string text = fmt::format("fabric      {}\ncollective  {}\n{}\n", fabric_text(outcome.fabric, outcome.on),
                                 described(outcome.collective), rules_text(outcome));
  if (it.table) {
    const std::string_view unit = !outcome.fabric.in_rounds() ? "steps" : outcome.goal.phases ? "volume" : "rounds";
    text +=
        fmt::format("{:12}{}\n", unit, wrapped(fmt::format("{}: {}", it.steps, to_string(it.method)), value_column));
  }
  if (outcome.agreement) text += fmt::format("agreement   {}\n", agreement_text(*outcome.agreement));
  text += it.bounds.front().impossible()
              ? fmt::format("at least    {}\n", wrapped("∞: " + it.bounds.front().reason, value_column))
              : why_not_fewer(it);
  const std::string why = it.why.empty() ? "" : fmt::format(": {}", it.why);
  const std::string_view verdict = to_string(it.verdict);
  const std::string whole = wrapped(std::string(verdict) + why, value_column);
  return text + fmt::format("verdict     {}{}\n", form.paint(verdict), whole.substr(verdict.size()));
}

// The frontier of a search as a table, a line for each point.
std::string rendered(AsText form, const driver::FrontierOutcome& outcome, const Sources&) {
  std::string text =
      fmt::format("fabric      {}\ncollective  {}\n\n{:>7}  volume  volume/chunk  verdict  why not less volume\n",
                  fabric_text(outcome.fabric, outcome.on), described(outcome.collective),
                  outcome.fabric.in_rounds() ? "rounds" : "steps");
  const std::uint32_t chunks = outcome.collective.description().parts;
  for (const driver::FrontierPoint& point : outcome.points) {
    const SearchResult& it = point.result;
    const std::string volume = it.table ? fmt::format("{}", it.steps) : "?";
    const std::string each = it.table ? fmt::format("{:.2f}", static_cast<double>(it.steps) / chunks) : "?";
    text += fmt::format("  {:>5}  {:>6}  {:>12}  {} {}\n", point.steps, volume, each,
                        form.paint(to_string(it.verdict), 8), wrapped(search_why(it), reason_column));
  }
  if (outcome.reason == Reason::none) return text;
  if (outcome.reason == Reason::unsupported) return text + "\nwhether fewer rounds are enough is not known\n";
  return text + fmt::format("\n{} before all points were found\n", ended_text(outcome.reason));
}

// The schedule of least time for a message size, as text.
std::string rendered(AsText form, const driver::CostSearchOutcome& outcome, const Sources&) {
  std::string text =
      fmt::format("fabric      {}\ncollective  {}\nmessages    of {}, in rounds\n\n",
                  fabric_text(outcome.fabric, outcome.on), described(outcome.collective), size_text(outcome.size));
  if (outcome.found) {
    const auto& found = *outcome.found;
    const std::string load = found.load ? fmt::format(" load {},", to_string(*found.load)) : "";
    text += fmt::format("schedule    {}\n", found.table.schedule);
    text += fmt::format("time        {}: rounds {}, volume {},{} hops {}, messages cut into {}\n",
                        time_text(found.seconds), found.rounds, found.volume, load, found.hops,
                        counted(found.table.collective.message_parts(), "chunk"));
    text += bandwidth_text(outcome.collective, outcome.size, found.seconds);
  }
  text += fmt::format("at least    {}, whatever the schedule\n", time_text(outcome.at_least));
  if (outcome.optimal()) return text + fmt::format("verdict     {}\n", form.paint("optimal"));
  const std::string why =
      outcome.reason == Reason::none ? "" : fmt::format(": {}, not all were tried", to_string(outcome.reason));
  return text + fmt::format("verdict     {}{}\n", form.paint(outcome.found ? "found" : "unknown"), why);
}

// The bounds as a table, the best first; the formula of a paper below the bound that it is about.
std::string rendered(AsText, const driver::BoundsOutcome& outcome, const Sources&) {
  const std::string text = fmt::format("fabric      {}\ncollective  {}\n\n", fabric_text(outcome.fabric, outcome.on),
                                       described(outcome.collective));
  const std::string cut = cut_text(outcome.reason, "all bounds were tried");
  if (outcome.volume.empty()) return text + list_text(outcome.bounds, "at least    ") + cut;
  return text + "rounds\n" + list_text(outcome.bounds, "rounds      at least ") + "\nvolume\n" +
         list_text(outcome.volume, "volume      at least ") + cut;
}

}  // namespace quadrille::cli
