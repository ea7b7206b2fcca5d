#include "cli/report_json.h"

namespace quadrille::cli {

Json source_json(const RowOrigin& origin, const Sources& sources) {
  if (origin.span.source >= sources.size()) return nullptr;
  const Source& source = sources[origin.span.source];
  const Position position = position_of(source.text, origin.span.begin);
  Json variables = Json::object();
  for (const auto& [name, value] : origin.variables) variables[name] = value;
  return {{"file", source.name}, {"line", position.line}, {"column", position.column}, {"variables", variables}};
}

Json heading_json(const SendTable& table, Verdict verdict, std::uint64_t steps, const Bound& bound) {
  return {{"verdict", to_string(verdict)},
          {"schedule", table.schedule},
          {"fabric", table.fabric.notation()},
          {"collective", table.collective.notation()},
          {"steps", steps},
          {"lower_bound", bound.steps},
          {"lower_bound_reason", bound.reason}};
}

std::string to_text(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace quadrille::cli
