// What the readers of this folder have in common: a file with its place in messages, and a graph that grows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/text/result.h"
#include "model/topologies/graph.h"
#include "model/topology_family.h"

namespace quadrille::machines {

// A file that describes a machine.
struct MachineFile {
  std::string path;
  std::string text;
  Span span;  // of the argument that names it

  // "FILE:LINE:COLUMN: message", at a byte of the text; or of the file as a whole.
  Diagnostic fault_at(std::size_t byte, const std::string& message) const;
  Diagnostic fault(const std::string& message) const;
};

// A graph to which switches and links are added. Cables side by side become lanes of one channel; where their
// bandwidths differ, the least is the channel's.
class MachineGraph {
 public:
  explicit MachineGraph(std::uint32_t processors) { graph_.processors = processors; }

  // A switch by a name that a fabric may have: other characters become '.', a name that is there gets a number.
  NodeId add_switch(const std::string& wanted);

  // Lanes from one node to another, or both ways. A link from a node to itself is left out. bytes a second, of a lane.
  void add_channel(NodeId from, NodeId to, std::uint64_t lanes, std::optional<std::uint64_t> bandwidth = {});
  void add_link(NodeId a, NodeId b, std::uint64_t lanes, std::optional<std::uint64_t> bandwidth = {});

  // Whether every processor reaches every other one by what has been added.
  bool connects_processors() const;

  std::uint32_t processors() const { return graph_.processors; }

  // The graph; an error where a channel has more lanes than a fabric's may.
  Result<Graph> finish(const MachineFile& file) const;

 private:
  struct Lanes {
    std::uint64_t count = 0;
    std::optional<std::uint64_t> bandwidth = {};
  };

  Graph so_far() const;

  Graph graph_;                                // without channels
  std::map<std::string, std::uint32_t> uses_;  // of a switch's name
  std::map<std::pair<NodeId, NodeId>, Lanes> channels_;
};

// --- families --------------------------------------------------------------------------------------------------------

// Which parts of a machine's host a fabric has; in the order of the words `auto`, `yes`, `no`.
enum class Host : std::uint8_t {
  if_needed,  // where the links between GPUs do not reach all of them
  yes,
  no
};

struct MachineOptions {
  Host host = Host::if_needed;
};

using ReadMachine = std::function<Result<Graph>(const MachineFile& file, const MachineOptions& options)>;

// A family whose one argument is the path of such a file; with_host: and `host`.
TopologyFamily machine_family(const std::string& name, const std::string& summary, const std::string& example,
                              bool with_host, ReadMachine read,
                              std::vector<std::pair<std::string, std::string>> rules = {});

TopologyFamily nvidia_smi();
TopologyFamily nccl_xml();
TopologyFamily ibnetdiscover();
TopologyFamily sccl_topology();

}  // namespace quadrille::machines
