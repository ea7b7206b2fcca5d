// The bounds as a table, the best first; the formula of a paper below the bound that it is about.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/render/render.h"
#include "cli/render/report_text.h"
#include "model/described.h"

namespace quadrille::cli {
namespace {

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

std::string rendered(AsText, const driver::BoundsOutcome& outcome, const Sources&) {
  const std::string text = fmt::format("fabric      {}\ncollective  {}\n\n", fabric_text(outcome.fabric, outcome.on),
                                       described(outcome.collective));
  const std::string cut = cut_text(outcome.reason, "all bounds were tried");
  if (outcome.volume.empty()) return text + list_text(outcome.bounds, "at least    ") + cut;
  return text + "rounds\n" + list_text(outcome.bounds, "rounds      at least ") + "\nvolume\n" +
         list_text(outcome.volume, "volume      at least ") + cut;
}

}  // namespace quadrille::cli
