// A fabric is named by its family and arguments where the language knows them.
//
// For example, a graph with the title "leaf_spine:hosts=8,leaves=2,spines=2" is named `leaf_spine(hosts: 8, leaves: 2,
// spines: 2)` if the family makes the same graph from these arguments. A torus without one of its links is declared:
// `fabric torus_links:` with a line for each link, and `fabric torus_links(ports: single)` below. Sends over what is
// declared take shortest routes by default, whatever routes the fabric had, so the text's own fabric is returned, too.
//
// Cost: proportional to nodes and channels.
#include "compiler/decompile/fabric_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "compiler/decompile/declaration.h"
#include "model/described.h"
#include "model/fabric_notation.h"
#include "model/topologies/graph.h"
#include "model/topologies/product.h"
#include "model/topology.h"

namespace quadrille {
namespace {

// The value as the language writes it.
std::string value_text(const TopologyArgument::Value& value) {
  if (const auto* number = std::get_if<std::uint32_t>(&value)) return fmt::format("{}", *number);
  return fmt::format("[{}]", fmt::join(std::get<std::vector<std::uint32_t>>(value), ", "));
}

// "ring(8, ports: single)".
std::string call_text(std::string_view name, std::vector<std::string> arguments, const Rules& rules) {
  for (const auto& [rule, value] : rules_given(rules)) arguments.push_back(fmt::format("{}: {}", rule, value));
  if (arguments.empty()) return std::string(name);
  return fmt::format("{}({})", name, fmt::join(arguments, ", "));
}

// A graph whose title is the notation of a family that makes the same graph.
struct TitledGraph {
  Fabric fabric;
  std::string family;
  std::vector<std::string> arguments;
};

std::optional<TitledGraph> titled_graph(const Fabric& fabric, const Families& families) {
  const std::string title = fabric.topology().title();
  if (title.find('{') != std::string::npos) return std::nullopt;
  const Result<Fabric> made = parse_fabric({"", title}, 0, {}, families);
  if (!made || made->topology().title() != title || !made->topology().same_as(fabric.topology())) return std::nullopt;
  TitledGraph result{made->with_rules(fabric.rules()), title.substr(0, title.find(':')), {}};
  for (std::size_t at = result.family.size(); at < title.size();) {
    const std::size_t end = std::min(title.find(',', at + 1), title.size());
    std::string argument = title.substr(at + 1, end - at - 1);
    if (const auto equals = argument.find('='); equals != std::string::npos) argument.replace(equals, 1, ": ");
    result.arguments.push_back(std::move(argument));
    at = end;
  }
  return result;
}

// The notation of a product's factors in quotes; nothing if one is a graph.
std::optional<std::vector<std::string>> factors_text(const Product& product) {
  std::vector<std::string> factors;
  for (const Fabric& factor : product.factors()) {
    const std::string notation = factor.topology().notation();
    if (notation.find('"') != std::string::npos) return std::nullopt;
    factors.push_back(fmt::format("\"{}\"", notation));
  }
  return factors;
}

// The arguments of the topology's family; nothing if one of them is a text: a graph.
std::optional<std::vector<std::string>> arguments_text(const Topology& topology) {
  if (const auto* product = dynamic_cast<const Product*>(&topology)) return factors_text(*product);
  std::vector<std::string> arguments;
  for (const TopologyArgument& argument : topology.arguments()) {
    if (std::holds_alternative<std::string>(argument.value)) return std::nullopt;
    arguments.push_back(fmt::format("{}: {}", argument.name, value_text(argument.value)));
  }
  return arguments;
}

// The name of a switch outside of declarations: by level and number, as an element of its array, or in quotes.
std::string switch_text(const Fabric& fabric, NodeId node) {
  const std::string name = fabric.name(node);
  if (const auto dot = name.find('.'); fabric.topology().tree() != nullptr && dot != std::string::npos)
    return fmt::format("switch({}, {})", name.substr(0, dot), name.substr(dot + 1));
  const std::size_t bracket = name.find('[');
  const bool element = bracket != std::string::npos && can_be_name(std::string_view(name).substr(0, bracket)) &&
                       name.find_first_not_of("[]0123456789", bracket) == std::string::npos;
  return element ? name : fmt::format("\"{}\"", name);
}

std::vector<std::string> switch_texts(const Fabric& fabric) {
  std::vector<std::string> names;
  for (NodeId v(fabric.processors()); v.value < fabric.nodes(); ++v.value) names.push_back(switch_text(fabric, v));
  return names;
}

// The name of a definition: what its title begins with, if that is not the name of another family.
std::string definition_name(std::string_view title, const Families& families) {
  std::string name(title.substr(0, title.find_first_of(":,( ")));
  if (!can_be_name(name) || title.find('{') != std::string_view::npos) name = "cluster";
  while (families.topology(name) != nullptr) name += "_links";
  return name;
}

Result<FabricText> declared_line(const Fabric& fabric, const Families& families) {
  const std::string title = fabric.topology().title();
  const bool plain = std::ranges::none_of(title, [](unsigned char c) { return c == '{' || std::iscntrl(c) != 0; });
  const std::string name = definition_name(title, families);
  const Result<std::string> lines = declaration(fabric, name, plain ? title : described(fabric));
  if (!lines) return lines.diagnostics();

  Graph graph;
  graph.processors = fabric.processors();
  for (NodeId v(fabric.processors()); v.value < fabric.nodes(); ++v.value) graph.switch_names.push_back(fabric.name(v));
  graph.channels.assign(fabric.all_channels().begin(), fabric.all_channels().end());
  Result<Fabric> same = Fabric::make(std::move(graph), fabric.rules());
  if (!same) return same.diagnostics();
  std::vector<std::string> switches = declared_switches(fabric);
  for (std::string& declared : switches) {
    if (declared.find('[') == std::string::npos) declared = fmt::format("\"{}\"", declared);  // a single switch
  }
  return FabricText{fmt::format("{}\nfabric {}\n", *lines, call_text(name, {}, fabric.rules())), *std::move(same),
                    std::move(switches)};
}

}  // namespace

std::string FabricText::node(NodeId id) const {
  return fabric.is_processor(id) ? fmt::format("{}", id.value) : switches[id.value - fabric.processors()];
}

Result<FabricText> fabric_line(const Fabric& fabric, const Families& families) {
  const auto line = [&](const Fabric& named, std::string_view family, std::vector<std::string> arguments) {
    return FabricText{fmt::format("fabric {}\n", call_text(family, std::move(arguments), fabric.rules())), named,
                      switch_texts(named)};
  };
  if (auto arguments = arguments_text(fabric.topology()))
    return line(fabric, fabric.topology().family(), *std::move(arguments));
  if (auto titled = titled_graph(fabric, families))
    return line(titled->fabric, titled->family, std::move(titled->arguments));
  return declared_line(fabric, families);
}

}  // namespace quadrille
