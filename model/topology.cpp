// The defaults of topologies, for families that define nothing else.
#include "model/topology.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/shortest_routes.h"

namespace quadrille {
namespace {

// "4x4", "1,2,4", "exponential", "8".
std::string text_of(const TopologyArgument& argument) {
  if (!argument.word.empty()) return argument.word;
  if (const auto* number = std::get_if<std::uint32_t>(&argument.value)) return fmt::format("{}", *number);
  if (const auto* text = std::get_if<std::string>(&argument.value)) return *text;
  const auto& numbers = std::get<std::vector<std::uint32_t>>(argument.value);
  return fmt::format("{}", fmt::join(numbers, argument.unnamed ? "x" : ","));
}

}  // namespace

std::string Topology::notation() const {
  std::string text(family());
  char before = ':';
  for (const TopologyArgument& argument : arguments()) {
    // The factors of a product stand in parentheses.
    const auto* word = std::get_if<std::string>(&argument.value);
    if (word == nullptr || !word->starts_with('(')) text += before;
    if (!argument.unnamed) text += argument.name + "=";
    text += text_of(argument);
    before = ',';
  }
  return text;
}

std::shared_ptr<const Routes> Topology::routes(const Fabric& fabric) const {
  return topologies::shortest_routes(fabric);
}

std::vector<CutFamily> Topology::cuts(const Fabric&) const { return {}; }

std::optional<std::vector<Symmetry>> Topology::symmetries(const Fabric&) const { return std::nullopt; }

bool Topology::same_as(const Topology& other) const {
  return this == &other || (family() == other.family() && notation() == other.notation());
}

Diagnostic too_large(Span where, const std::string& what) {
  return error_at(where, fmt::format("{} is too large; a fabric has at most 2^26 nodes and 2^26 channels", what),
                  Code::range);
}

}  // namespace quadrille
