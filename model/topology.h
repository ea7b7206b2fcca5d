// Topology: the pattern of a fabric, and what is known of it beyond its nodes and channels: routes, distances, cuts,
// symmetries. Everything but the judges asks these questions, and nobody asks which topology it is. A family of
// topologies is a file in model/topologies/ and a line in model/families.cpp (model/topology_family.h).
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
#include "model/node_position.h"

namespace quadrille {

// The nodes and channels that a topology stands for. Processors come first; then the switches.
struct Wiring {
  std::uint32_t processors = 0;
  std::uint32_t nodes = 0;
  std::vector<Channel> channels;            // by (from, to) ascending; none twice
  std::vector<std::uint32_t> level_starts;  // switches by level: first node of level 0, 1, …, then `nodes`
  std::vector<std::string> switch_names;    // or each with a name of its own
};

// How many nodes and channels a topology has, perhaps more than max_fabric_size.
struct WiringSize {
  std::uint64_t nodes = 0;
  std::uint64_t channels = 0;
  bool too_large() const { return nodes > max_fabric_size || channels > max_fabric_size; }
};

// An argument as a fabric's notation and the language write it.
struct TopologyArgument {
  using Value = std::variant<std::uint32_t, std::vector<std::uint32_t>, std::string>;
  std::string name;
  Value value;
  std::string word = {};  // if not empty: what the notation writes instead ("exponential")
  bool unnamed = false;   // the notation leaves out the name (the 8 of `ring:8`)
};

// A complete tree: all processors are leaves of one depth, every switch has `arity` children.
struct CompleteTree {
  std::uint32_t arity = 2;
  std::vector<std::uint32_t> capacities;  // of a channel between levels i-1 and i, each way, at i-1
  std::uint32_t levels() const { return static_cast<std::uint32_t>(capacities.size()); }
};

// Some processors and the rest: what must cross between them is bounded by the channels that do.
struct Cut {
  std::vector<bool> inside;         // by processor
  std::uint32_t level = 0;          // trees: the level of the one link that is cut; elsewhere 0
  std::string name;                 // "the subtree of switch 3.0"
  std::vector<ChannelId> out = {};  // all channels that cross it outwards
  std::vector<ChannelId> in = {};   // and inwards
};

// Cuts that are alike, 0 … count-1: all subtrees of a level, say.
struct CutFamily {
  std::uint64_t count = 1;
  std::function<Cut(std::uint64_t index)> cut;
  std::function<std::uint64_t(std::uint32_t processor)> around;  // the one with the processor inside, if there is one
};

// A group of permutations of the nodes, by what generates it. A candidate: whoever uses it tests whether it keeps the
// channels, their capacities and the collective.
struct Symmetry {
  std::string name;                                    // "k -> k xor x, all x"
  std::vector<std::vector<std::uint32_t>> generators;  // images by node
};

// How packets travel on one fabric. Safe to use from several threads.
class Routes {
 public:
  Routes() = default;
  Routes(const Routes&) = delete;
  Routes& operator=(const Routes&) = delete;
  virtual ~Routes() = default;

  // Appends the channels of the default route, in order. False if there is no way; nothing is appended then. Nothing is
  // appended for source == target.
  virtual bool append(NodeId source, NodeId target, std::vector<ChannelId>& channels) const = 0;

  // The same for a packet with several targets: these routes from one source never part and meet again. Default ones
  // keep that too, unless they are spread by target.
  virtual bool append_in_tree(NodeId source, NodeId target, std::vector<ChannelId>& channels) const {
    return append(source, target, channels);
  }

  // The number of channels on a shortest route; nothing if there is no way.
  virtual std::optional<std::uint32_t> distance(NodeId source, NodeId target) const = 0;

  // Whether the default route is one of all shortest ones, and none is better than another.
  virtual bool leaves_choice(NodeId, NodeId) const { return false; }

  // Complete trees: the lowest node above both (or one of them). Nothing elsewhere.
  virtual std::optional<NodeId> lowest_common_ancestor(NodeId, NodeId) const { return std::nullopt; }
};

// Immutable. Its fabrics (Fabric::make) share it.
class Topology {
 public:
  virtual ~Topology() = default;

  // The name of its family, and the arguments that make it again; those that have their default are left out.
  virtual std::string_view family() const = 0;
  virtual std::vector<TopologyArgument> arguments() const = 0;

  // The same with the words of the notation: "torus:4x4,capacity=2".
  std::string notation() const;

  // Known before any memory is taken for them; of a wrong topology, any numbers. Nothing: nobody knows beforehand.
  virtual std::optional<WiringSize> size() const { return std::nullopt; }

  // What texts call it: its notation, or a name that is shorter.
  virtual std::string title() const { return notation(); }

  // Nodes and channels, or what is wrong with the topology (the diagnostics carry `where`). What is larger than
  // max_fabric_size is refused before any memory is taken.
  virtual Result<Wiring> wiring(Span where) const = 0;

  // For the functions below, `fabric` is one of this topology.

  // Default: a shortest route; where there are several, spread by target (model/route.h).
  virtual std::shared_ptr<const Routes> routes(const Fabric& fabric) const;

  // Whether all default routes are shortest ones, so that a packet's way is as long as the distance. False, too, where
  // that is not known: then each route is looked at.
  virtual bool shortest_by_default() const { return false; }

  // How fast links are, by channel; empty if nothing is said of any.
  virtual std::vector<LinkSpeed> link_speeds(const Fabric&) const { return {}; }

  // Not null: the fabric is a complete tree, so that there is one path between any two nodes.
  virtual const CompleteTree* tree() const { return nullptr; }

  // Whether for any two processors some automorphism takes one to the other.
  virtual bool processors_alike() const { return false; }

  // Extents whose product is the number of processors, such that adding x to every processor's number, digit by digit
  // without carrying, is an automorphism that keeps default routes. The first digit counts most. Empty: none is known.
  virtual std::vector<std::uint32_t> shifts() const { return {}; }

  // Extents of the grid whose points processors are, by number, the first coordinate counting most; channels lead along
  // one of its dimensions. Empty: there is none.
  virtual std::vector<std::uint32_t> dimensions() const { return shifts(); }

  // A cycle through all processors, from neighbour to neighbour, where there is one in closed form
  // (model/topologies/cycles.h).
  virtual std::optional<std::vector<std::uint32_t>> hamiltonian_cycle() const { return std::nullopt; }

  virtual std::vector<CutFamily> cuts(const Fabric& fabric) const;

  // Groups of automorphisms that are worth a try, the most promising first. No value: none are known beforehand, and
  // they have to be searched for.
  virtual std::optional<std::vector<Symmetry>> symmetries(const Fabric& fabric) const;

  // Where its nodes are drawn, at any scale (model/layout/positions.h); empty: nothing is known but the channels.
  virtual std::vector<NodePosition> positions(const Fabric&) const { return {}; }

  // Whether the other one is the same: its family and arguments are.
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
