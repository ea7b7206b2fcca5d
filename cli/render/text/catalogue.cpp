// What ships and what can be named, as text; and the results of fmt.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/render/render.h"
#include "cli/render/wrapped.h"

namespace quadrille::cli {

std::string rendered(AsText, const driver::ListOutcome& outcome, const Sources&) {
  std::string text;
  for (const driver::ListedSchedule& schedule : outcome.schedules) {
    text += fmt::format("{}\n    {}\n", schedule.name, wrapped(schedule.summary, 4));
    if (!schedule.parameters.empty()) text += fmt::format("    {}\n", wrapped(schedule.parameters, 4));
  }
  return text;
}

std::string rendered(AsText, const driver::FabricsOutcome& outcome, const Sources&) {
  if (outcome.cycle) {
    std::string text = fmt::format("fabric      {}\nprocessors  {}\n", outcome.on, outcome.processors);
    if (!outcome.cycle->cycle.empty()) text += fmt::format("cycle       [{}]\n", fmt::join(outcome.cycle->cycle, ","));
    return text + fmt::format("verdict     {}: {}\n", to_string(outcome.cycle->verdict), outcome.cycle->why);
  }
  std::string text;
  for (const FabricKind& kind : outcome.kinds)
    text += fmt::format("{}\n    {}\n", wrapped(kind.notation, 2), wrapped(kind.meaning, 4));
  return text;
}

std::string rendered(AsText, const driver::ShowOutcome& outcome, const Sources&) { return outcome.text; }

std::string rendered(AsText, const driver::CompileOutcome&, const Sources&) { return {}; }

std::string rendered(AsText, const driver::LayoutOutcome& outcome, const Sources&) {
  std::string text;
  for (const driver::LaidOutFile& file : outcome.files) {
    if (outcome.check && file.differs) text += file.name + "\n";
    if (!outcome.check && file.name == "-") text += file.text;
  }
  return text;
}

}  // namespace quadrille::cli
