// The comparison as a table, the best first, and the winner for each size.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cli/render/render.h"
#include "cli/render/report_text.h"
#include "model/described.h"

namespace quadrille::cli {
namespace {

template <class Number>
std::string number_text(const std::optional<Number>& number) {
  return number ? fmt::to_string(*number) : "-";
}

// Whether a column for the load is of use: paths are shared.
bool tells_load(const driver::CompareOutcome& outcome) {
  return std::ranges::any_of(outcome.algorithms,
                             [](const driver::Compared& it) { return it.in_rounds && it.in_rounds->load; });
}

std::string load_text(const driver::Compared& it) {
  return it.in_rounds && it.in_rounds->load ? to_string(*it.in_rounds->load) : "-";
}

std::string line(const driver::Compared& it, std::size_t width, bool loads) {
  const auto of_rounds = [&](auto member) {
    return it.in_rounds ? fmt::to_string((*it.in_rounds).*member) : std::string("-");
  };
  using InRounds = driver::Compared::InRounds;
  std::string text = fmt::format("{:<{}} {:>6} {:>7} {:>7}", it.algorithm, width, it.chunks,
                                 of_rounds(&InRounds::rounds), of_rounds(&InRounds::volume));
  if (loads) text += fmt::format(" {:>7}", load_text(it));
  text += fmt::format(" {:>6} {:>6} {:>8}", of_rounds(&InRounds::hops), number_text(it.steps),
                      it.steps ? number_text(it.bound.steps) : "-");
  for (const auto& time : it.times) text += fmt::format(" {:>10}", time_text(time));
  return text + "\n";
}

}  // namespace

std::string rendered(AsText, const driver::CompareOutcome& outcome, const Sources&) {
  std::string text = fmt::format("fabric      {}\ncollective  {}\n\n", fabric_text(outcome.fabric, outcome.on),
                                 described(outcome.collective));
  const std::string cut = cut_text(outcome.reason, "all that ships was measured");
  if (outcome.algorithms.empty()) return text + (cut.empty() ? "no schedule that ships does this here\n" : cut);
  std::size_t width = std::string_view("algorithm").size();
  for (const driver::Compared& it : outcome.algorithms) width = std::max(width, it.algorithm.size());
  const bool loads = tells_load(outcome);
  text += fmt::format("{:<{}} {:>6} {:>7} {:>7}{} {:>6} {:>6} {:>8}", "algorithm", width, "chunks", "rounds", "volume",
                      loads ? "    load" : "", "hops", "steps", "at least");
  for (const std::uint64_t size : outcome.sizes) text += fmt::format(" {:>10}", size_text(size));
  text += "\n";
  for (const driver::Compared& it : outcome.algorithms) text += line(it, width, loads);
  if (!outcome.sizes.empty()) text += "\n";
  for (std::size_t i = 0; i < outcome.sizes.size(); ++i) {
    const auto best = outcome.best[i];
    text += fmt::format("best        {}: {}\n", size_text(outcome.sizes[i]),
                        best ? outcome.algorithms[*best].algorithm : "none is written in rounds");
  }
  return text + cut;
}

}  // namespace quadrille::cli
