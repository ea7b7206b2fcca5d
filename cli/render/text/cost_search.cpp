// The schedule of least time for a message size, as text.
#include <fmt/format.h>

#include "cli/render/render.h"
#include "cli/render/report_text.h"
#include "model/described.h"
#include "model/text/counted.h"

namespace quadrille::cli {

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

}  // namespace quadrille::cli
