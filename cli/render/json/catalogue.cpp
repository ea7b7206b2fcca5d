// What ships and what can be named, as JSON; and the results of fmt.
#include "cli/render/json_pieces.h"
#include "cli/render/render.h"

namespace quadrille::cli {

std::string rendered(AsJson, const driver::ListOutcome& outcome, const Sources&) {
  Json json{{"schedules", Json::array()}};
  for (const driver::ListedSchedule& schedule : outcome.schedules) {
    json["schedules"].push_back(
        {{"name", schedule.name}, {"summary", schedule.summary}, {"parameters", schedule.parameters}});
  }
  return json_text(json);
}

namespace {

Json parameter_json(const FabricParameter& parameter) {
  Json json{{"name", parameter.name}, {"meaning", parameter.meaning}, {"values", values_of(parameter)}};
  json["default"] = parameter.usual ? Json(*parameter.usual) : Json(nullptr);
  return json;
}

}  // namespace

std::string rendered(AsJson, const driver::FabricsOutcome& outcome, const Sources&) {
  if (outcome.cycle) {
    return json_text({{"fabric", outcome.on},
                      {"processors", outcome.processors},
                      {"verdict", to_string(outcome.cycle->verdict)},
                      {"cycle", outcome.cycle->cycle},
                      {"reason", reason_json(outcome.cycle->reason)},
                      {"why", outcome.cycle->why}});
  }
  Json json{{"fabrics", Json::array()}};
  for (const FabricKind& kind : outcome.kinds) {
    Json parameters = Json::array();
    for (const FabricParameter& parameter : kind.parameters) parameters.push_back(parameter_json(parameter));
    json["fabrics"].push_back({{"notation", kind.notation},
                               {"meaning", kind.meaning},
                               {"name", kind.name},
                               {"parameters", std::move(parameters)}});
  }
  return json_text(json);
}

std::string rendered(AsJson, const driver::ShowOutcome& outcome, const Sources&) {
  return json_text({{"name", outcome.name}, {"text", outcome.text}});
}

std::string rendered(AsJson, const driver::CompileOutcome&, const Sources&) { return {}; }

std::string rendered(AsJson, const driver::LayoutOutcome& outcome, const Sources& sources) {
  Json json{{"files", Json::array()}, {"failures", diagnostics_json(outcome.failures, sources)}};
  for (const driver::LaidOutFile& file : outcome.files) {
    json["files"].push_back({{"name", file.name}, {"differs", file.differs}, {"written", file.written}});
  }
  return json_text(json);
}

}  // namespace quadrille::cli
