// Fabric: the machine that a schedule runs on: nodes, directed channels with capacities, and its port and queue rules.
// (semantics: Communications in Binary Fat Trees, §2, widened to any graph)
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "model/ids.h"
#include "model/limits/limits.h"
#include "model/rules.h"
#include "model/text/quantity.h"
#include "model/text/result.h"

namespace quadrille {

// The most nodes that a fabric has, and the most channels.
inline constexpr std::uint32_t max_fabric_size = 1U << 26;

// One direction of a link; all of it, if the link goes one way.
struct Channel {
  NodeId from;
  NodeId to;
  std::uint32_t capacity = 1;  // lanes, at least 1
  std::uint32_t level = 0;     // in a complete tree: i for the channel between levels i-1 and i; elsewhere 0
  bool operator==(const Channel&) const = default;
};

class Topology;

// Immutable; copying is cheap (the copies share their tables). Nodes, channels and lanes are numbered from 0 without
// gaps; channels by (from, to) ascending. So a tree node's channels go to its children, left to right, then to its
// parent.
class Fabric {
 public:
  // A fabric of the given topology, or what is wrong with the topology (no processor, a capacity of 0 or decreasing,
  // more than 2^26 nodes or channels, a channel to nowhere, …). The diagnostics carry `where`. Tables
  // that would take more memory than the limits are not begun (Code::limit).
  static Result<Fabric> make(std::shared_ptr<const Topology> topology, Rules rules, Span where = {},
                             const Limits& limits = {});

  // The same from a topology's value: Fabric::make(FatTree(2, {1, 2, 4}), {}).
  template <class Value>
  requires std::is_base_of_v<Topology, Value>
  static Result<Fabric> make(Value topology, Rules rules, Span where = {}, const Limits& limits = {}) {
    return make(std::shared_ptr<const Topology>(std::make_shared<const Value>(std::move(topology))), rules, where,
                limits);
  }

  // The same nodes and channels under other rules.
  Fabric with_rules(Rules rules) const;

  const Topology& topology() const;  // the judges do not ask it anything (tests/checks/folders)
  const Rules& rules() const;
  bool in_rounds() const { return rules().in_rounds(); }
  bool switches_forward() const { return rules().switches_forward(); }  // if there are any; likewise
  bool switches_reduce() const { return rules().switches_reduce(); }

  std::uint32_t processors() const;  // n
  std::uint32_t nodes() const;       // processors and switches
  bool has_switches() const { return nodes() > processors(); }
  std::uint32_t channels() const;
  std::uint64_t lanes() const;  // the sum of all capacities

  bool is_processor(NodeId node) const { return node.value < processors(); }
  const Channel& channel(ChannelId id) const;
  std::span<const Channel> all_channels() const;
  std::optional<ChannelId> channel_between(NodeId from, NodeId to) const;
  std::span<const ChannelId> channels_from(NodeId node) const;  // by increasing head
  std::span<const ChannelId> channels_to(NodeId node) const;    // by increasing tail

  // The link's other direction; nothing where it goes one way.
  std::optional<ChannelId> reverse(ChannelId id) const;
  // The channel that stands for the link: of its two directions that of the lower number, or the only one.
  ChannelId link(ChannelId id) const;
  bool has_one_way_links() const;

  // By channel; empty if the topology says no speed of any.
  std::vector<LinkSpeed> link_speeds() const;

  // What its tables take, in bytes.
  std::uint64_t memory() const;

  // The number of a lane among all the fabric's lanes: 0 … lanes()-1. Requires lane < capacity.
  std::uint64_t lane_number(ChannelId channel, LaneId lane) const;

  // Trees and stars: 0 for a processor, i for a switch of level i. Elsewhere: 0 for a processor, 1 for a switch.
  std::uint32_t level(NodeId node) const;
  std::uint32_t levels() const;  // the highest level; 0 where there are no switches

  // "5" for a processor, "2.0" for switch 0 of level 2, or the name that the topology gives a switch; and back.
  std::string name(NodeId node) const;
  std::string name(ChannelId channel) const;  // "0->1.0"
  std::optional<NodeId> node_named(std::string_view name) const;

  // Switch j of level i. Nothing if there is none, or switches have names of their own.
  std::optional<NodeId> switch_at(std::uint32_t level, std::uint64_t j) const;

  // The one notation of the command line, table headers and messages (fabric_notation.h).
  std::string notation() const;

  // What texts call it: its notation, or where the topology has a shorter name, that with the rules.
  std::string title() const;

  // The same topology and rules, so the same nodes, channels and names.
  bool operator==(const Fabric& other) const;

 private:
  struct Tables;
  Fabric(std::shared_ptr<const Tables> tables, Rules rules) : tables_(std::move(tables)), rules_(rules) {}
  std::shared_ptr<const Tables> tables_;
  Rules rules_;
};

}  // namespace quadrille
