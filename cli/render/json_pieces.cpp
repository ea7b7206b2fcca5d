// Pieces of JSON that several commands print: places, bounds, the heading of a table, diagnostics. JSON.md says what
// each key means; what is not known is null.
#include "cli/render/json_pieces.h"

#include "driver/inputs/bandwidth.h"
#include "model/fabric_notation.h"

namespace quadrille::cli {

Json source_json(const RowOrigin& origin, const Sources& sources) {
  if (origin.span.source >= sources.size()) return nullptr;
  const Source& source = sources[origin.span.source];
  const Position position = position_of(source.text, origin.span.begin);
  Json variables = Json::object();
  for (const auto& [name, value] : origin.variables) variables[name] = value;
  return {{"file", source.name}, {"line", position.line}, {"column", position.column}, {"variables", variables}};
}

Json fabric_json(const Fabric& fabric) { return Json::parse(json_value(fabric)); }

Json bandwidth_json(const Collective& collective, std::uint64_t size, std::optional<double> seconds) {
  const auto it = driver::bandwidth(collective, size, seconds);
  return it ? Json{{"whole", it->whole}, {"algorithm", it->algorithm}, {"bus", it->bus}} : Json();
}

Json heading_json(const SendTable& table, Verdict verdict, std::uint64_t steps, const Bound& bound) {
  Json json{{"verdict", to_string(verdict)},
            {"schedule", table.schedule},
            {"fabric", fabric_json(table.fabric)},
            {"collective", table.collective.notation()},
            {"steps", steps},
            {"lower_bound", value_or_null(bound.steps)},
            {"lower_bound_reason", bound.reason}};
  if (table.retiming) {
    const Retiming& it = *table.retiming;
    json["retiming"] = {{"steps_before", it.steps_before},
                        {"steps", it.steps},
                        {"waits", it.waits},
                        {"detours", it.detours},
                        {"placed_as", it.as}};
  }
  return json;
}

Json fraction_json(const std::optional<Fraction>& fraction) { return fraction ? Json(to_string(*fraction)) : Json(); }

Json costs_json(const driver::Costs& costs) {
  return {{"start", costs.start}, {"hop", costs.hop}, {"byte", costs.byte}, {"overhead", costs.overhead}};
}

Json reason_json(Reason reason) { return reason == Reason::none ? Json() : Json(to_string(reason)); }

namespace {

Json code_json(Code code) { return code == Code::none ? Json() : Json(to_string(code)); }

// {"file", "line", "column"}, null where the place is not known.
void add_place(Json& json, Span span, const Sources& sources) {
  const Json place = source_json({span, {}}, sources);
  for (const char* key : {"file", "line", "column"}) json[key] = place.is_null() ? Json() : place[key];
}

Json diagnostic_json(const Diagnostic& diagnostic, const Sources& sources) {
  Json json{{"code", code_json(diagnostic.code)}};
  add_place(json, diagnostic.span, sources);
  json["message"] = diagnostic.message;
  json["notes"] = Json::array();
  for (const auto& [span, message] : diagnostic.notes) {
    Json note = Json::object();
    add_place(note, span, sources);
    note["message"] = message;
    json["notes"].push_back(std::move(note));
  }
  return json;
}

}  // namespace

Json diagnostics_json(const Diagnostics& diagnostics, const Sources& sources) {
  Json json = Json::array();
  for (const Diagnostic& diagnostic : diagnostics) json.push_back(diagnostic_json(diagnostic, sources));
  return json;
}

std::string json_text(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

std::string json_line(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace quadrille::cli
