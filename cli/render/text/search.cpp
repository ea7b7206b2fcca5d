// The outcome of a search as text.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "cli/render/render.h"
#include "cli/render/report_text.h"
#include "model/described.h"
#include "model/text/counted.h"

namespace quadrille::cli {
namespace {

constexpr std::size_t value_column = 12;  // where values begin

// What narrows the search, if anything does.
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

}  // namespace quadrille::cli
