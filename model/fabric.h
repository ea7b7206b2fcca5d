// Fabric: the machine that a schedule runs on: nodes, directed channels with capacities, and its port and queue rules.
// (semantics: Communications in Binary Fat Trees, §2, widened to any graph)
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "model/ids.h"
#include "model/result.h"

namespace quadrille {

// A fabric has at most so many nodes, and at most so many channels.
inline constexpr std::uint32_t max_fabric_size = 1U << 26;

enum class Duplex : std::uint8_t {
  full,
  half
};  // half: both directions of a link together carry at most c packets a step
enum class Ports : std::uint8_t { multi, single };  // single: a processor sends and receives at most one packet a step

// How many packets a switch may hold over for a later step. No value: as many as it likes.
struct QueueRule {
  std::optional<std::uint32_t> limit;
  bool operator==(const QueueRule&) const = default;
};

struct Rules {
  Duplex duplex = Duplex::full;
  Ports ports = Ports::multi;
  QueueRule queue = {};
  bool operator==(const Rules&) const = default;
};

// One direction of a link.
struct Channel {
  NodeId from;
  NodeId to;
  std::uint32_t capacity = 1;  // lanes, at least 1
  std::uint32_t level = 0;     // in a tree or star: i for the channel between levels i-1 and i; elsewhere 0
  bool operator==(const Channel&) const = default;
};

// --- shapes: what a fabric is, in its own terms -----------------------------------------------------------------

// A complete `arity`-ary tree with arity^levels processors as leaves; capacities[i-1] lanes between levels i-1 and i,
// each direction, not decreasing. Switch (i, j), 1 <= i <= levels, is the root of leaves j·arity^i … (j+1)·arity^i - 1.
// Switches are numbered after the processors, level 1 first, left to right; the root is the last node.
struct FatTreeShape {
  std::uint32_t arity = 2;
  std::vector<std::uint32_t> capacities;  // one per level
  bool operator==(const FatTreeShape&) const = default;
};

// Processors at the points of a grid, the last coordinate counting fastest: (x0, x1) is x0·extents[1] + x1. `wraps`
// closes every dimension of three or more points to a ring (ring, torus; not line, mesh, hypercube); a hypercube is
// extents 2,2,…,2. Ring and line have one dimension. A dimension of two points has one link, of one point none.
struct GridShape {
  std::string kind;  // "ring", "line", "mesh", "torus" or "hypercube"
  std::vector<std::uint32_t> extents;
  bool wraps = false;
  std::uint32_t capacity = 1;
  bool operator==(const GridShape&) const = default;
};

// Every processor linked to every other.
struct CompleteShape {
  std::uint32_t processors = 0;
  std::uint32_t capacity = 1;
  bool operator==(const CompleteShape&) const = default;
};

// Every processor linked to one switch (1.0), nothing else.
struct StarShape {
  std::uint32_t processors = 0;
  std::uint32_t capacity = 1;
  bool operator==(const StarShape&) const = default;
};

// Any graph: nodes 0 … processors-1 are processors, the rest switches. Switch names consist of letters, digits, `_`,
// `-` and `.`, and are not all digits. Where there is a channel u->v there is v->u, perhaps of another capacity.
struct GraphShape {
  std::uint32_t processors = 0;
  std::vector<std::string> switch_names;
  std::vector<Channel> channels;  // both directions listed, in any order; level 0
  bool operator==(const GraphShape&) const = default;
};

using Shape = std::variant<FatTreeShape, GridShape, CompleteShape, StarShape, GraphShape>;

// --- the fabric -------------------------------------------------------------------------------------------------

// Immutable; copying is cheap (the copies share their tables). Nodes, channels and lanes are numbered from 0 without
// gaps; channels by (from, to) ascending. So a tree node's channels go to its children, left to right, then to its
// parent.
class Fabric {
 public:
  // A fabric of the given shape, or what is wrong with the shape (no processor, a capacity of 0 or decreasing, more
  // than 2^26 nodes or channels, a channel to nowhere, …). The diagnostics carry `where`.
  static Result<Fabric> make(Shape shape, Rules rules, Span where = {});

  const Shape& shape() const;  // a graph's channels are sorted here
  const Rules& rules() const;

  std::uint32_t processors() const;  // n
  std::uint32_t nodes() const;       // processors and switches
  std::uint32_t channels() const;
  std::uint64_t lanes() const;  // the sum of all capacities

  bool is_processor(NodeId node) const { return node.value < processors(); }
  const Channel& channel(ChannelId id) const;
  std::span<const Channel> all_channels() const;
  std::optional<ChannelId> channel_between(NodeId from, NodeId to) const;
  std::span<const ChannelId> channels_from(NodeId node) const;  // by increasing head
  std::span<const ChannelId> channels_to(NodeId node) const;    // by increasing tail
  ChannelId reverse(ChannelId id) const;                        // the link's other direction

  // The number of a lane among all the fabric's lanes: 0 … lanes()-1. Requires lane < capacity.
  std::uint64_t lane_number(ChannelId channel, LaneId lane) const;

  // Trees and stars: 0 for a processor, i for a switch of level i. Graphs: 0 for a processor, 1 for a switch.
  std::uint32_t level(NodeId node) const;
  std::uint32_t levels() const;  // the highest level; 0 where there are no switches

  // "5" for a processor, "2.0" for switch 0 of level 2, the given name for a graph's switch; and back.
  std::string name(NodeId node) const;
  std::string name(ChannelId channel) const;  // "0->1.0"
  std::optional<NodeId> node_named(std::string_view name) const;

  // Switch j of level i of a tree or star. Nothing if there is none.
  std::optional<NodeId> switch_at(std::uint32_t level, std::uint64_t j) const;

  // The one notation of the command line, table headers and messages (fabric_notation.h).
  std::string notation() const;

  // The same shape and rules, so the same nodes, channels and names.
  bool operator==(const Fabric& other) const;

 private:
  struct Tables;
  explicit Fabric(std::shared_ptr<const Tables> tables) : tables_(std::move(tables)) {}
  std::shared_ptr<const Tables> tables_;
};

}  // namespace quadrille
