// The lists of schedules and fabrics, a schedule's text, and the results of fmt and certify, as JSON; and errors.
#include "cli/render/certificate_report.h"
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
  return {{"name", parameter.name},
          {"meaning", parameter.meaning},
          {"values", values_of(parameter)},
          {"default", value_or_null(parameter.usual)}};
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

std::string rendered(AsJson, const driver::CertifyOutcome& outcome, const Sources&) {
  return certificate_json(outcome.certificate, outcome.report);
}

// The errors of an input are JSON, too, so that a reader of --json always gets an object.
std::string rendered_errors(AsJson, const Diagnostics& diagnostics, const Sources& sources, int status) {
  return json_text({{"error", diagnostics_json(diagnostics, sources)}, {"status", status}});
}

}  // namespace quadrille::cli
