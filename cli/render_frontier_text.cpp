#include <fmt/format.h>

#include "cli/render.h"

namespace quadrille::cli {
namespace {

std::string reason_of(const SearchResult& result) { return result.impossibility ? result.impossibility->reason : ""; }

}  // namespace

std::string render_text(const driver::FrontierOutcome& outcome, const Sources&) {
  std::string text =
      fmt::format("fabric      {}\ncollective  {}\n\n  steps  rounds  rounds/chunk  verdict  why not fewer rounds\n",
                  outcome.fabric.notation(), outcome.collective.notation());
  const std::uint32_t chunks = outcome.collective.description().parts;
  for (const driver::FrontierPoint& point : outcome.points) {
    const SearchResult& it = point.result;
    const std::string rounds = it.table ? fmt::format("{}", it.steps) : "?";
    const std::string each = it.table ? fmt::format("{:.2f}", static_cast<double>(it.steps) / chunks) : "?";
    text += fmt::format("  {:>5}  {:>6}  {:>12}  {:<8} at least {}: {}\n", point.steps, rounds, each,
                        to_string(it.verdict), it.lower_bound.value_or(0), reason_of(it));
  }
  return text;
}

}  // namespace quadrille::cli
