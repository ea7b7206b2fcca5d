#include "cli/json_pieces.h"

namespace quadrille::cli {

Json source_json(const RowOrigin& origin, const Sources& sources) {
  if (origin.span.source >= sources.size()) return nullptr;
  const Source& source = sources[origin.span.source];
  const Position position = position_of(source.text, origin.span.begin);
  Json variables = Json::object();
  for (const auto& [name, value] : origin.variables) variables[name] = value;
  return {{"file", source.name}, {"line", position.line}, {"column", position.column}, {"variables", variables}};
}

Json steps_json(const Bound& bound) { return bound.impossible ? Json() : Json(bound.steps); }

Json lower_bound_json(const SearchResult& result) {
  const bool none = !result.bounds.empty() && result.bounds.front().impossible;
  return none ? Json() : Json(result.lower_bound);
}

std::string json_text(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace quadrille::cli
