#include <fmt/format.h>

#include "cli/render.h"
#include "cli/report_text.h"

namespace quadrille::cli {
namespace {

constexpr std::size_t reason_column = 40;

std::string reason_of(const SearchResult& result) { return result.impossibility ? result.impossibility->reason : ""; }

}  // namespace

std::string render_text(const driver::FrontierOutcome& outcome, const Sources&) {
  std::string text =
      fmt::format("fabric      {}\ncollective  {}\n\n  steps  rounds  rounds/chunk  verdict  why not fewer rounds\n",
                  fabric_text(outcome.fabric, outcome.on), outcome.collective.notation());
  const std::uint32_t chunks = outcome.collective.description().parts;
  for (const driver::FrontierPoint& point : outcome.points) {
    const SearchResult& it = point.result;
    const std::string rounds = it.table ? fmt::format("{}", it.steps) : "?";
    const std::string each = it.table ? fmt::format("{:.2f}", static_cast<double>(it.steps) / chunks) : "?";
    text += fmt::format("  {:>5}  {:>6}  {:>12}  {:<8} at least {}: {}\n", point.steps, rounds, each,
                        to_string(it.verdict), it.lower_bound.value_or(0), wrapped(reason_of(it), reason_column));
  }
  return text;
}

}  // namespace quadrille::cli
