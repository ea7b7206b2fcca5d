// The schedule of least time for a message size, as JSON.
#include "cli/render/json_pieces.h"
#include "cli/render/render.h"

namespace quadrille::cli {

std::string rendered(AsJson, const driver::CostSearchOutcome& outcome, const Sources&) {
  Json json{{"verdict", outcome.optimal() ? "optimal"
                        : outcome.found   ? "found"
                                          : "unknown"},
            {"fabric", fabric_json(outcome.fabric)},
            {"collective", outcome.collective.notation()},
            {"costs", costs_json(outcome.costs)},
            {"size", outcome.size},
            {"schedule", nullptr},
            {"chunks", nullptr},
            {"rounds", nullptr},
            {"volume", nullptr},
            {"load", nullptr},
            {"hops", nullptr},
            {"seconds", nullptr},
            {"bandwidth", nullptr},
            {"at_least", outcome.at_least},
            {"reason", reason_json(outcome.reason)}};
  if (outcome.found) {
    json["schedule"] = outcome.found->table.schedule;
    json["chunks"] = outcome.found->table.collective.message_parts();
    json["rounds"] = outcome.found->rounds;
    json["volume"] = outcome.found->volume;
    json["load"] = fraction_json(outcome.found->load);
    json["hops"] = outcome.found->hops;
    json["seconds"] = outcome.found->seconds;
    json["bandwidth"] = bandwidth_json(outcome.collective, outcome.size, outcome.found->seconds);
  }
  return json_text(json);
}

}  // namespace quadrille::cli
