// Graphs as JSON (fabric_notation.h shows one). Only the notation of fabrics uses this.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "model/topologies/graph.h"
#include "model/topology_family.h"

namespace quadrille {

// A graph as it was written. Fabric::make and the reader of rules check it.
struct GraphText {
  Graph graph;
  std::map<std::string, FabricDescription::Argument> rules;  // of rule_parameters(), those that are given
};

// Makes the diagnostic for a fault, at a byte of the JSON text if one is known.
using GraphFault = std::function<Diagnostic(std::optional<std::size_t> byte, const std::string& message)>;

// Reads a graph. A text that needs more time or memory than the limits is refused with their code.
Result<GraphText> read_graph(std::string_view json_text, const GraphFault& fault, const Limits& limits = {});

// The graph on one line, without blanks. Requires a shape that Fabric::make has accepted.
std::string write_graph(const Graph& graph);

}  // namespace quadrille
