// Edges are written alike for all programs; operations have other members in each.
#include "cli/render/order_json.h"

#include <algorithm>

namespace quadrille::cli {

std::optional<std::uint32_t> LineNumbers::at(const Span& span) {
  if (!span.known()) return std::nullopt;
  const auto [it, fresh] = ends_.try_emplace(span.source);
  std::vector<std::uint32_t>& ends = it->second;
  const std::string& text = sources_[span.source].text;
  for (std::size_t end = fresh ? text.find('\n') : text.npos; end != text.npos; end = text.find('\n', end + 1)) {
    ends.push_back(static_cast<std::uint32_t>(end));
  }
  return static_cast<std::uint32_t>(std::lower_bound(ends.begin(), ends.end(), span.begin) - ends.begin() + 1);
}

Json edges_json(const std::vector<programs::OrderEdge>& edges) {
  Json json = Json::array();
  for (const programs::OrderEdge& edge : edges) {
    json.push_back({{"earlier", edge.earlier}, {"later", edge.later}, {"why", to_string(edge.why)}});
  }
  return json;
}

}  // namespace quadrille::cli
