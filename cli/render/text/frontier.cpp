// The frontier of a search as a table, a line for each point.
#include <fmt/format.h>

#include "cli/render/render.h"
#include "cli/render/report_text.h"
#include "model/described.h"

namespace quadrille::cli {
namespace {

constexpr std::size_t reason_column = 40;

// "at least 4: …; not done in time".
std::string search_why(const SearchResult& result) {
  std::string text = fmt::format("at least {}", result.lower_bound ? fmt::to_string(*result.lower_bound) : "∞");
  if (const std::string why = driver::why_not_fewer(result); !why.empty()) text += ": " + why;
  if (!result.why.empty()) text += "; " + result.why;
  return text;
}

}  // namespace

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

}  // namespace quadrille::cli
