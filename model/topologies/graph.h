#pragma once

#include "model/topology.h"

namespace quadrille {

// Any graph: nodes 0 … processors-1 are processors, the rest switches. Switch names consist of letters, digits, `_`,
// `-`, `.`, `[` and `]`, and are not all digits. A link may go both ways, with two channels, perhaps of different
// capacities, or one way.
class Graph : public Topology {
 public:
  struct ChannelSpeed {
    NodeId from;
    NodeId to;
    LinkSpeed speed;
    bool operator==(const ChannelSpeed&) const = default;
  };

  std::uint32_t processors = 0;
  std::vector<std::string> switch_names;
  std::vector<Channel> channels;     // in any order; level 0
  std::vector<ChannelSpeed> speeds;  // of the channels with a stated speed, in any order
  std::string name;                  // its name in texts: "leaf_spine:hosts=16,leaves=4"; empty: texts state its size
  std::string note;                  // what to say of it beside results, such as what its file leaves out
  std::string machine;               // the name of its family (dgx1); empty: it is written as JSON

  Graph() = default;
  Graph(std::uint32_t n, std::vector<std::string> names, std::vector<Channel> each_way)
      : processors(n), switch_names(std::move(names)), channels(std::move(each_way)) {}

  std::string_view family() const override { return machine.empty() ? "graph" : std::string_view(machine); }
  std::vector<TopologyArgument> arguments() const override;
  std::optional<WiringSize> size() const override;
  std::string title() const override { return name.empty() ? notation() : name; }
  Result<Wiring> wiring(Span where) const override;
  bool shortest_by_default() const override { return true; }
  std::vector<LinkSpeed> link_speeds(const Fabric& fabric) const override;
  bool same_as(const Topology& other) const override;  // in whatever order channels are listed
};

}  // namespace quadrille
