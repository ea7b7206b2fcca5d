#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/commands.h"
#include "cli/refuse.h"
#include "cli/report_json.h"
#include "driver/notations.h"
#include "model/verdict.h"
#include "verifier/bounds.h"

namespace quadrille::cli {
namespace {

// "18", "8.83".
std::string value_text(double value) {
  return value == std::floor(value) ? fmt::format("{:.0f}", value) : fmt::format("{:.2f}", value);
}

// "20"; "∞" where there is no schedule at all.
std::string steps_text(const Bound& bound) { return bound.impossible ? "∞" : fmt::format("{}", bound.steps); }

// The columns that the steps of all bounds take.
std::size_t steps_width(const std::vector<Bound>& bounds) {
  std::size_t width = 1;
  for (const Bound& bound : bounds) width = std::max(width, bound.impossible ? 1 : steps_text(bound).size());
  return width;
}

// A line, and one below it where the paper has a formula.
std::string bound_text(const Bound& bound, std::size_t width) {
  std::string text = fmt::format("  {:>{}}  {:<16}  {}\n", steps_text(bound), width, bound.name, bound.reason);
  if (bound.paper) {
    text += fmt::format("  {:>{}}  {:<16}  {} = {} ({})\n", "", width, "  in the paper", bound.paper->text,
                        value_text(bound.paper->value), bound.paper->source);
  }
  return text;
}

std::string to_text(const Fabric& fabric, const Collective& collective, const std::vector<Bound>& bounds) {
  const std::size_t width = steps_width(bounds);
  std::string text = fmt::format("fabric      {}\ncollective  {}\n\n", fabric.notation(), collective.notation());
  for (const Bound& bound : bounds) text += bound_text(bound, width);
  return text + fmt::format("\nat least    {} ({})\n", steps_text(bounds.front()), bounds.front().name);
}

}  // namespace

int bounds_command(const BoundsArguments& arguments, driver::Environment& environment) {
  Sources sources;
  const Result<Fabric> fabric = driver::fabric_on(arguments.on, environment, sources);
  if (!fabric) return refuse(fabric.diagnostics(), sources, environment);
  const Result<Collective> collective = driver::collective_named(arguments.collective, fabric->processors(), sources);
  if (!collective) return refuse(collective.diagnostics(), sources, environment);

  std::vector<Bound> bounds = lower_bounds(*fabric, *collective);
  if (auto flow = flow_bound(*fabric, *collective, bounds.front().steps, few_rows)) {
    bounds.insert(bounds.begin(), std::move(*flow));
  }
  environment.print(arguments.json ? bounds_json(*fabric, *collective, bounds) : to_text(*fabric, *collective, bounds));
  return exit_done;
}

}  // namespace quadrille::cli
