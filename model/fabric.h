// Fabric is the machine that a schedule runs on: nodes, directed channels with capacities, and rules for ports and
// queues. (Semantics: Communications in Binary Fat Trees, §2, extended to any graph.)
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

#include "model/channel_lists.h"
#include "model/ids.h"
#include "model/limits/limits.h"
#include "model/rules.h"
#include "model/text/quantity.h"
#include "model/text/result.h"

namespace quadrille {

class Topology;

// Immutable; copying is cheap (the copies share their tables). Nodes, channels and lanes are numbered from 0 without
// gaps, channels by (from, to) ascending. So a tree node's channels go to its children, left to right, and then to
// its parent.
class Fabric {
 public:
  // A fabric of the given topology. Errors: no processor, a capacity of 0 or decreasing, more than 2^26 nodes or
  // channels, a channel to a node that does not exist, …; the diagnostics carry `where`. Tables that would take more
  // memory than the limits, or channels beyond theirs, are not begun (Code::limit).
  static Result<Fabric> make(std::shared_ptr<const Topology> topology, Rules rules, Span where = {},
                             const Limits& limits = {});

  // The same from a topology's value: Fabric::make(FatTree(2, {1, 2, 4}), {}).
  template <class Value>
  requires std::is_base_of_v<Topology, Value>
  static Result<Fabric> make(Value topology, Rules rules, Span where = {}, const Limits& limits = {}) {
    return make(std::shared_ptr<const Topology>(std::make_shared<const Value>(std::move(topology))), rules, where,
                limits);
  }

  // A fabric with the same nodes and channels under other rules.
  Fabric with_rules(Rules rules) const;

  const Topology& topology() const;  // the judges may not call this (tests/checks/folders)
  const Rules& rules() const;
  bool in_rounds() const { return rules().in_rounds(); }
  bool switches_forward() const { return rules().switches_forward(); }  // if there are any switches; likewise:
  bool switches_reduce() const { return rules().switches_reduce(); }

  std::uint32_t processors() const;  // n
  std::uint32_t nodes() const;       // processors and switches
  bool has_switches() const { return nodes() > processors(); }
  std::uint32_t channels() const;
  std::uint64_t lanes() const;  // the sum of all capacities

  bool is_processor(NodeId node) const { return node.value < processors(); }
  Channel channel(ChannelId id) const;
  ChannelList all_channels() const;  // valid as long as a copy of the fabric; likewise:
  std::optional<ChannelId> channel_between(NodeId from, NodeId to) const;
  ChannelIds channels_from(NodeId node) const;  // by increasing head
  ChannelIds channels_to(NodeId node) const;    // by increasing tail
  // The sum of their capacities.
  std::uint64_t lanes_of(ChannelIds ids) const;

  // Whether the fabric has a table of its channels. A complete graph has none, and may have more channels than a table
  // by channel has room for.
  bool lists_channels() const;
  // The capacities of the widest and of the narrowest channels; 0 if there are no channels.
  std::uint32_t largest_capacity() const;
  std::uint32_t least_capacity() const;

  // The other direction of the link; nothing if it goes one way.
  std::optional<ChannelId> reverse(ChannelId id) const;
  // The channel that stands for the link: of its two directions the one with the lower number, or the only one.
  ChannelId link(ChannelId id) const;
  bool has_one_way_links() const;

  // The speeds by channel; empty if the topology states none.
  std::vector<LinkSpeed> link_speeds() const;

  // The memory that the fabric's tables take, in bytes.
  std::uint64_t memory() const;

  // The number of a lane among all the fabric's lanes: 0 … lanes()-1. Requires lane < capacity.
  std::uint64_t lane_number(ChannelId channel, LaneId lane) const;

  // Trees and stars: 0 for a processor, i for a switch of level i. Elsewhere: 0 for a processor, 1 for a switch.
  std::uint32_t level(NodeId node) const;
  std::uint32_t levels() const;  // the highest level; 0 where there are no switches

  // "5" for a processor; for a switch, "2.0" for switch 0 of level 2, or its name in the topology. node_named() is
  // the inverse.
  std::string name(NodeId node) const;
  std::string name(ChannelId channel) const;  // "0->1.0"
  std::optional<NodeId> node_named(std::string_view name) const;

  // Switch j of level i. Nothing if there is none, or if switches have names of their own.
  std::optional<NodeId> switch_at(std::uint32_t level, std::uint64_t j) const;

  // The single notation of the command line, table headers and messages (fabric_notation.h).
  std::string notation() const;

  // The fabric's name in texts: its notation; or, if the topology has a shorter name, that name and the rules.
  std::string title() const;

  // Whether topology and rules are the same; then nodes, channels and names are the same.
  bool operator==(const Fabric& other) const;

 private:
  struct Tables;
  Fabric(std::shared_ptr<const Tables> tables, Rules rules) : tables_(std::move(tables)), rules_(rules) {}
  std::shared_ptr<const Tables> tables_;
  Rules rules_;
};

}  // namespace quadrille
