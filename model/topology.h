// Topology is the pattern of a fabric, with everything known of it beyond its nodes and channels: routes, distances,
// cuts, symmetries. Everything but the judges asks these questions, and nothing asks which topology it is. A family
// of topologies is a file in model/topologies/ and a line in model/families.cpp (model/topology_family.h).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/fabric.h"

namespace quadrille {

// The nodes and channels that a topology stands for. Processors come first; then the switches.
struct Wiring {
  std::uint32_t processors = 0;
  std::uint32_t nodes = 0;
  std::vector<Channel> channels;            // by (from, to) ascending; none twice
  std::vector<std::uint32_t> level_starts;  // switches by level: first node of level 0, 1, …, then `nodes`
  std::vector<std::string> switch_names;    // or each with a name of its own
  // If not 0, every node has a channel of this capacity to every other, and `channels` is empty.
  std::uint32_t all_to_all = 0;
};

// The most nodes with a channel from each to every other: n(n - 1) < 2^32.
inline constexpr std::uint32_t max_complete_size = 1U << 16;

// The number of nodes and channels of a topology, which may be more than a fabric has.
struct WiringSize {
  std::uint64_t nodes = 0;
  std::uint64_t channels = 0;
  bool listed = true;  // false where Wiring::all_to_all is not 0
  bool too_large() const {
    return listed ? nodes > max_fabric_size || channels > max_fabric_size : nodes > max_complete_size;
  }
};

// An argument in the form of a fabric's notation and of the language.
struct TopologyArgument {
  using Value = std::variant<std::uint32_t, std::vector<std::uint32_t>, std::string>;
  std::string name;
  Value value;
  std::string word = {};  // if not empty: the word that the notation writes instead ("exponential")
  bool unnamed = false;   // whether the notation leaves out the name (the 8 of `ring:8`)
};

// A complete tree: all processors are leaves of one depth, every switch has `arity` children.
struct CompleteTree {
  std::uint32_t arity = 2;
  std::vector<std::uint32_t> capacities;  // of a channel between levels i-1 and i, each way, at i-1
  std::uint32_t levels() const { return static_cast<std::uint32_t>(capacities.size()); }
};

// Some processors and the rest. The channels between them limit how much can cross.
struct Cut {
  std::vector<bool> inside;         // by processor
  std::uint32_t level = 0;          // trees: the level of the one link that is cut; elsewhere 0
  std::string name;                 // "the subtree of switch 3.0"
  std::vector<ChannelId> out = {};  // all channels that cross it outwards
  std::vector<ChannelId> in = {};   // and inwards
};

// Cuts that are alike, with numbers 0 … count-1: for example all subtrees of a level.
struct CutFamily {
  std::uint64_t count = 1;
  std::function<Cut(std::uint64_t index)> cut;
  std::function<std::uint64_t(std::uint32_t processor)> around;  // the cut with the processor inside, if there is one
};

// The position of a node in drawings. Units are those of the picture: neighbours are about 1 apart; x grows to the
// right, y downwards (model/layout/positions.h).
struct NodePosition {
  double x = 0;
  double y = 0;
  bool operator==(const NodePosition&) const = default;
};

// A group of permutations of the nodes, given by generators. It is a candidate: its user tests whether it keeps the
// channels, their capacities and the collective.
struct Symmetry {
  std::string name;                                    // "k -> k xor x, all x"
  std::vector<std::vector<std::uint32_t>> generators;  // images by node
};

// The routes of packets on one fabric. Several threads may use them.
class Routes {
 public:
  Routes() = default;
  Routes(const Routes&) = delete;
  Routes& operator=(const Routes&) = delete;
  virtual ~Routes() = default;

  // Appends the channels of the default route, in order. False if there is no path; then nothing is appended. Appends
  // nothing for source == target.
  virtual bool append(NodeId source, NodeId target, std::vector<ChannelId>& channels) const = 0;

  // The same for a packet with several targets: its routes from one source never part and meet again. Default routes
  // have this property, too, unless they are spread by target.
  virtual bool append_in_tree(NodeId source, NodeId target, std::vector<ChannelId>& channels) const {
    return append(source, target, channels);
  }

  // The number of channels on a shortest route; nothing if there is no path.
  virtual std::optional<std::uint32_t> distance(NodeId source, NodeId target) const = 0;

  // Whether the default route is one of several shortest ones, none of which is better than another.
  virtual bool leaves_choice(NodeId, NodeId) const { return false; }

  // Complete trees: the lowest node above both (or one of them). Nothing elsewhere.
  virtual std::optional<NodeId> lowest_common_ancestor(NodeId, NodeId) const { return std::nullopt; }
};

// Immutable. Its fabrics (Fabric::make) share it.
class Topology {
 public:
  virtual ~Topology() = default;

  // The name of its family, and the arguments from which the family makes it again, without those that have their
  // default.
  virtual std::string_view family() const = 0;
  virtual std::vector<TopologyArgument> arguments() const = 0;

  // The notation of family and arguments: "torus:4x4,capacity=2".
  std::string notation() const;

  // The size, which is known before any memory is taken; for a wrong topology, any numbers. Nothing if it is not
  // known beforehand.
  virtual std::optional<WiringSize> size() const { return std::nullopt; }

  // The topology's name in texts: its notation, or a shorter name.
  virtual std::string title() const { return notation(); }

  // Nodes and channels, or the errors of the topology (the diagnostics carry `where`). A topology that is larger than
  // max_fabric_size is refused before any memory is taken.
  virtual Result<Wiring> wiring(Span where) const = 0;

  // The functions below require a fabric of this topology.

  // By default, a shortest route; if there are several, they are spread by target (model/route.h).
  virtual std::shared_ptr<const Routes> routes(const Fabric& fabric) const;

  // Whether all default routes are shortest ones, so that a packet's path is as long as the distance. Also false if
  // that is not known; then each route is looked at.
  virtual bool shortest_by_default() const { return false; }

  // The speeds of links, by channel; empty if none is stated.
  virtual std::vector<LinkSpeed> link_speeds(const Fabric&) const { return {}; }

  // If not null, the fabric is this complete tree, so there is one path between any two nodes.
  virtual const CompleteTree* tree() const { return nullptr; }

  // Whether, for any two processors, some automorphism maps one to the other.
  virtual bool processors_alike() const { return false; }

  // Extents whose product is the number of processors, such that adding x to every processor's number, digit by digit
  // without carry, is an automorphism that keeps default routes. The first digit is the most significant. Empty: none
  // is known.
  virtual std::vector<std::uint32_t> shifts() const { return {}; }

  // Extents of the grid whose points are the processors, by number; the first coordinate is the most significant.
  // Each channel leads along one of its dimensions. Empty: there is no such grid.
  virtual std::vector<std::uint32_t> dimensions() const { return shifts(); }

  // A cycle through all processors, from neighbour to neighbour, if one is known in closed form
  // (model/topologies/cycles.h).
  virtual std::optional<std::vector<std::uint32_t>> hamiltonian_cycle() const { return std::nullopt; }

  virtual std::vector<CutFamily> cuts(const Fabric& fabric) const;

  // Groups of automorphisms that are worth a try, the most promising first. No value: none are known beforehand, so
  // they must be searched for.
  virtual std::optional<std::vector<Symmetry>> symmetries(const Fabric& fabric) const;

  // The positions of its nodes in drawings, at any scale (model/layout/positions.h); empty: none are known.
  virtual std::vector<NodePosition> positions(const Fabric&) const { return {}; }

  // Whether the other topology has the same family and arguments.
  virtual bool same_as(const Topology& other) const;

 protected:
  Topology() = default;
  Topology(const Topology&) = default;
  Topology(Topology&&) = default;
  Topology& operator=(const Topology&) = default;
  Topology& operator=(Topology&&) = default;
};

// "… is too large; a fabric has at most 2^26 nodes and 2^26 channels".
Diagnostic too_large(Span where, const std::string& what);

}  // namespace quadrille
