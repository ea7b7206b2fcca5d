// A program's time on a fabric, as JSON; JSON.md names each key.
#include "cli/render/json_pieces.h"
#include "cli/render/render.h"
#include "model/text/printable.h"

namespace quadrille::cli {

std::string rendered(AsJson, const driver::ReplayProgramOutcome& outcome, const Sources&) {
  Json times = Json::array();
  for (const driver::ProgramTime& time : outcome.times) {
    Json contended = Json::array();
    for (const driver::Contention& it : time.contended) {
      contended.push_back({{"channel", outcome.fabric.name(it.channel)},
                           {"messages", it.messages},
                           {"busy", it.busy},
                           {"waited", it.waited}});
    }
    times.push_back({{"size", time.size}, {"seconds", time.seconds}, {"contended", contended}});
  }
  return json_text({{"name", printable(outcome.name)},
                    {"fabric", fabric_json(outcome.fabric)},
                    {"messages", outcome.messages},
                    {"chunks", outcome.chunks},
                    {"costs", costs_json(outcome.costs)},
                    {"times", times},
                    {"reason", reason_json(outcome.cut)}});
}

}  // namespace quadrille::cli
