// Graphs: any list of channels that a person gives. This file finds the errors in one, and sorts its channels.
//
//   graph:{"processors": 2, "switches": ["a"], "links": [[0, "a"], [1, "a"]]}      0 - a - 1
//
// model/fabric_notation.h has all keys. The default route is a shortest one (shortest_routes.cpp).
#include "model/topologies/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "model/topologies/graph_json.h"
#include "model/topology_family.h"

namespace quadrille {
namespace {

constexpr std::size_t most_faults = 10;  // that are reported of one graph

bool legal_switch_name(std::string_view name) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto legal = [&](char c) {
    return digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-' || c == '.' ||
           c == '[' || c == ']';
  };
  return std::all_of(name.begin(), name.end(), legal) && !std::all_of(name.begin(), name.end(), digit);
}

std::string node_text(const Graph& graph, NodeId node) {
  if (node.value < graph.processors) return fmt::format("{}", node.value);
  const std::size_t index = node.value - graph.processors;
  return index < graph.switch_names.size() ? graph.switch_names[index] : fmt::format("node {}", node.value);
}

std::string channel_text(const Graph& graph, NodeId from, NodeId to) {
  return fmt::format("channel {}->{}", node_text(graph, from), node_text(graph, to));
}

Diagnostics faults_of_switch_names(const Graph& graph, Span where) {
  Diagnostics faults;
  std::unordered_map<std::string_view, std::size_t> seen;
  for (const std::string& name : graph.switch_names) {
    if (faults.size() == most_faults) break;
    if (!legal_switch_name(name)) {
      faults.push_back(error_at(where,
                                fmt::format("switch name `{}`; expected letters, digits, `_`, `-`, `.`, `[` and `]`, "
                                            "and not digits alone",
                                            name),
                                Code::syntax));
    } else if (++seen[name] == 2) {
      faults.push_back(error_at(where, fmt::format("two switches are named `{}`", name), Code::duplicate));
    }
  }
  return faults;
}

// Faults that a channel has by itself.
Diagnostics faults_of_channels(const Graph& graph, std::uint64_t nodes, Span where) {
  Diagnostics faults;
  for (const Channel& c : graph.channels) {
    if (faults.size() == most_faults) break;
    const auto name = [&] { return channel_text(graph, c.from, c.to); };
    if (std::max(c.from, c.to).value >= nodes) {
      faults.push_back(
          error_at(where, fmt::format("{} ends nowhere; the nodes are 0 to {}", name(), nodes - 1), Code::name));
    } else if (c.from == c.to) {
      faults.push_back(error_at(where, fmt::format("{} leads back to its own node", name()), Code::invalid));
    } else if (c.capacity == 0) {
      faults.push_back(error_at(where, fmt::format("{} has capacity 0; expected at least 1", name()), Code::range));
    }
  }
  return faults;
}

constexpr auto by_ends = [](const auto& a, const auto& b) { return std::tie(a.from, a.to) < std::tie(b.from, b.to); };

template <class List>
List sorted_by_ends(List list) {
  std::sort(list.begin(), list.end(), by_ends);
  return list;
}

// Sorted channels that are listed twice.
Diagnostics faults_of_duplicates(const Graph& graph, const std::vector<Channel>& sorted, Span where) {
  Diagnostics faults;
  for (std::size_t i = 1; i < sorted.size() && faults.size() < most_faults; ++i) {
    const Channel& c = sorted[i];
    if (by_ends(sorted[i - 1], c)) continue;
    faults.push_back(
        error_at(where, fmt::format("{} is listed twice", channel_text(graph, c.from, c.to)), Code::duplicate));
  }
  return faults;
}

// The graph in the text of the argument: the text itself, or a file's.
Result<GraphText> read(FabricArguments& given) {
  const auto word = given.word("file");
  if (!word)
    return error_at(given.span(), "a graph needs the name of a file, or the graph itself in JSON", Code::missing);
  const Span span = given.span("file");

  const std::size_t first = word->find_first_not_of(" \t\r\n");
  if (first != std::string::npos && (*word)[first] == '{') {
    const bool exact = span.known() && span.end - span.begin == word->size();
    return read_graph(
        *word,
        [&](std::optional<std::size_t> byte, const std::string& message) {
          if (!byte || !exact) return error_at(span, message, Code::syntax);
          const auto at = span.begin + static_cast<std::uint32_t>(std::min(*byte, word->size()));
          return error_at({span.source, at, at}, message, Code::syntax);
        },
        given.limits());
  }
  const FileText file =
      given.read_file() ? given.read_file()(*word) : FileText(std::nullopt, "a graph must stand here in full");
  if (!file.text) return error_at(span, fmt::format("cannot read `{}`{}", *word, file.because()), file.code());
  const std::string& text = *file.text;
  return read_graph(
      text,
      [&](std::optional<std::size_t> byte, const std::string& message) {
        if (!byte) return error_at(span, fmt::format("{}: {}", *word, message), Code::syntax);
        const Position position = position_of(text, static_cast<std::uint32_t>(*byte));
        return error_at(span, fmt::format("{}:{}:{}: {}", *word, position.line, position.column, message),
                        Code::syntax);
      },
      given.limits());
}

std::shared_ptr<const Topology> make_graph(FabricArguments& given) {
  Result<GraphText> text = read(given);
  if (!text) {
    given.report_error(text.diagnostics());
    return nullptr;
  }
  for (auto& [name, value] : text->rules) given.suggest_rule(name, std::move(value));
  return std::make_shared<Graph>(std::move(text->graph));
}

}  // namespace

std::vector<TopologyArgument> Graph::arguments() const {
  if (!machine.empty()) return {};
  Graph sorted = *this;
  sorted.channels = sorted_by_ends(channels);
  sorted.speeds = sorted_by_ends(speeds);
  return {{"file", write_graph(sorted), {}, true}};
}

bool Graph::same_as(const Topology& other) const {
  const auto* graph = dynamic_cast<const Graph*>(&other);
  if (graph == nullptr || graph->processors != processors || graph->switch_names != switch_names) return false;
  return sorted_by_ends(channels) == sorted_by_ends(graph->channels) &&
         sorted_by_ends(speeds) == sorted_by_ends(graph->speeds);
}

std::vector<LinkSpeed> Graph::link_speeds(const Fabric& fabric) const {
  if (speeds.empty()) return {};
  std::vector<LinkSpeed> all(fabric.channels());
  for (const ChannelSpeed& it : speeds) {
    if (const auto channel = fabric.channel_between(it.from, it.to)) all[channel->value] = it.speed;
  }
  return all;
}

std::optional<WiringSize> Graph::size() const {
  return WiringSize{processors + std::uint64_t{switch_names.size()}, channels.size()};
}

Result<Wiring> Graph::wiring(Span where) const {
  if (processors == 0) return error_at(where, "a graph has no processors; expected at least 1", Code::range);
  if (size()->too_large()) {
    return too_large(where, fmt::format("a graph of {} nodes and {} channels", size()->nodes, channels.size()));
  }
  const std::uint64_t nodes = size()->nodes;
  if (auto faults = faults_of_switch_names(*this, where); !faults.empty()) return faults;
  if (auto faults = faults_of_channels(*this, nodes, where); !faults.empty()) return faults;

  Wiring wiring;
  wiring.processors = processors;
  wiring.nodes = static_cast<std::uint32_t>(nodes);
  wiring.channels = channels;
  for (Channel& c : wiring.channels) c.level = 0;
  std::sort(wiring.channels.begin(), wiring.channels.end(), by_ends);
  if (auto faults = faults_of_duplicates(*this, wiring.channels, where); !faults.empty()) return faults;
  wiring.switch_names = switch_names;
  return wiring;
}

namespace topologies {

TopologyFamily graph() {
  FabricParameter file{"file", FabricParameter::Kind::text};
  file.meaning = "the path of a file with the graph in JSON, or the JSON itself";
  return {"graph",      {},
          {file},       "any graph, from a JSON file (a name that ends in .json will do) or from {…} in place",
          "graph:FILE", make_graph};
}

}  // namespace topologies
}  // namespace quadrille
