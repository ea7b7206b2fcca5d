// The nodes and channels of a fabric as flat tables. Channels are numbered by (from, to), so those out of a node are
// consecutive numbers; those into it are sorted by counting, which keeps them in the order of their tails. A channel
// and its reverse are found by going through both lists of a node side by side.
//
// For example, the channels 0->1, 0->2, 1->0, 1->2 are numbered 0 to 3: out of node 1 go 2 and 3, into it comes 0. Of
// node 1's neighbours, 0 is in both lists: 2 and 0 are each other's reverses; 1 and 3 go one way. Cost: linear in nodes
// and channels to make; the channel between two nodes is a binary search among those out of one, a level a walk over
// the levels, all else a look-up.
//
// A complete graph has no tables: n(n - 1) channels would be too many, and all of it is arithmetic
// (model/channel_lists.h).
#include "model/fabric.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include "model/text/number_in.h"
#include "model/topology.h"

namespace quadrille {

struct Fabric::Tables {
  std::shared_ptr<const Topology> topology;
  std::uint32_t processors = 0;
  std::uint32_t nodes = 0;
  std::vector<std::uint32_t> level_starts;  // as in Wiring
  std::vector<std::string> switch_names;    // likewise
  std::uint32_t all_to_all = 0;             // as in Wiring; if not 0, all that is by channel is empty
  std::uint32_t largest_capacity = 0;
  std::uint32_t least_capacity = 0;
  std::vector<Channel> channels;
  std::vector<std::uint32_t> first_from;  // the first channel out of each node; then channels.size()
  std::vector<ChannelId> by_head;         // by (to, from): channels_to are pieces of it
  std::vector<std::uint32_t> first_to;    // as first_from, in by_head
  std::vector<ChannelId> partners;  // the reverse of each channel, or itself; empty if all have one: see partner()
  std::vector<std::uint64_t> first_lane;                     // the first lane of each channel; then the number of lanes
  std::unordered_map<std::string, NodeId> switches_by_name;  // if they have names

  // Makes all that is by channel. Requires `nodes`.
  void list(std::vector<Channel> listed);

  // The channel's reverse, or itself. Where all links go both ways, the channels by (to, from) are the reverses of
  // those by (from, to), place by place.
  ChannelId partner(ChannelId id) const {
    if (all_to_all != 0) {
      const Channel channel = all()[id.value];
      return to_all(channel.to, channel.from);
    }
    return partners.empty() ? by_head[id.value] : partners[id.value];
  }

  ChannelList all() const {
    return all_to_all != 0 ? ChannelList::complete(nodes, all_to_all)
                           : ChannelList(channels.data(), static_cast<std::uint32_t>(channels.size()));
  }

  // The channel of a complete graph. Requires from != to.
  ChannelId to_all(NodeId from, NodeId to) const {
    return ChannelId(from.value * (nodes - 1) + (to < from ? to.value : to.value - 1));
  }
};

namespace {

static_assert(max_fabric_size == most_listed_channels);

// For each node the number of channels whose `end` is a node before it; then that of all channels.
std::vector<std::uint32_t> first_channels(const std::vector<Channel>& channels, NodeId Channel::*end,
                                          std::uint32_t nodes) {
  std::vector<std::uint32_t> first(nodes + std::size_t{1}, 0);
  for (const Channel& channel : channels) ++first[(channel.*end).value + std::size_t{1}];
  std::partial_sum(first.begin(), first.end(), first.begin());
  return first;
}

// Going through the channels in order, the channels into a node come by increasing tail.
std::vector<ChannelId> channels_by_head(const std::vector<Channel>& channels, std::vector<std::uint32_t> next) {
  std::vector<ChannelId> by_head(channels.size());
  for (std::uint32_t i = 0; i < channels.size(); ++i) by_head[next[channels[i].to.value]++] = ChannelId(i);
  return by_head;
}

bool all_go_both_ways(const std::vector<Channel>& channels, const std::vector<ChannelId>& by_head) {
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const Channel& back = channels[by_head[i].value];
    if (back.from != channels[i].to || back.to != channels[i].from) return false;
  }
  return true;
}

// Of each channel its reverse, or itself. The channels into a node come by increasing tail, and those out of it by
// increasing head, so that what is met twice is met at once.
std::vector<ChannelId> partners_of(const std::vector<Channel>& channels, const std::vector<std::uint32_t>& first_from,
                                   const std::vector<ChannelId>& by_head) {
  std::vector<ChannelId> partners(channels.size());
  std::uint32_t out = 0;
  for (const ChannelId in : by_head) {
    const Channel& channel = channels[in.value];
    const std::uint32_t end = first_from[channel.to.value + std::size_t{1}];
    out = std::max(out, first_from[channel.to.value]);
    while (out < end && channels[out].to < channel.from) ++out;
    partners[in.value] = out < end && channels[out].to == channel.from ? ChannelId(out) : in;
  }
  return partners;
}

std::vector<std::uint64_t> first_lanes(const std::vector<Channel>& channels) {
  std::vector<std::uint64_t> first;
  first.reserve(channels.size() + 1);
  std::uint64_t lanes = 0;
  for (const Channel& channel : channels) {
    first.push_back(lanes);
    lanes += channel.capacity;
  }
  first.push_back(lanes);
  return first;
}

std::unordered_map<std::string, NodeId> numbers_by_name(const std::vector<std::string>& names, NodeId first) {
  std::unordered_map<std::string, NodeId> numbers;
  NodeId node = first;
  for (const std::string& name : names) {
    numbers.emplace(name, node);
    ++node.value;
  }
  return numbers;
}

// What a topology promises of its wiring, and a linked program's may not keep; empty if all is well.
std::string fault_of(const Wiring& wiring) {
  const std::vector<Channel>& channels = wiring.channels;
  for (std::size_t i = 1; i < channels.size(); ++i) {
    const Channel& before = channels[i - 1];
    if (std::tie(before.from, before.to) < std::tie(channels[i].from, channels[i].to)) continue;
    return "lists its channels out of order";
  }
  for (const Channel& c : channels) {
    if (c.from == c.to || c.capacity == 0) return "has a channel to its own node, or without lanes";
  }
  if (wiring.all_to_all != 0 && (!channels.empty() || wiring.nodes > max_complete_size)) {
    return "lists channels beside those from every node to every other, or has more than 2^16 nodes";
  }
  if (!wiring.switch_names.empty() && wiring.switch_names.size() != wiring.nodes - wiring.processors) {
    return "does not name every switch";
  }
  return {};
}

bool ends_nowhere(const Wiring& wiring) {
  return std::any_of(wiring.channels.begin(), wiring.channels.end(),
                     [&](const Channel& c) { return std::max(c.from, c.to).value >= wiring.nodes; });
}

// A number as name() writes it: digits only, no leading zeros.
std::optional<std::uint32_t> plain_number(std::string_view text) {
  if (text.size() > 1 && text.front() == '0') return std::nullopt;
  return number_in<std::uint32_t>(text);
}

// What Tables take for so many nodes and channels, the most that there is of them while they are made, where some links
// go one way.
std::uint64_t bytes_of(const WiringSize& size) {
  constexpr std::uint64_t per_channel = sizeof(Channel) + 2 * sizeof(ChannelId) + sizeof(std::uint64_t);
  constexpr std::uint64_t per_node = 3 * sizeof(std::uint32_t);
  if (!size.listed) return 0;
  return size.channels * per_channel + size.nodes * per_node;
}

// What is too large at all, its wiring refuses in its own words. Small fabrics are made whatever the time is.
std::optional<Diagnostic> reached(const Limits& limits, const Topology& topology, Span where) {
  constexpr std::uint64_t some_time = std::uint64_t{16} << 20;  // bytes whose making takes some hundredths of a second
  const std::optional<WiringSize> size = topology.size();
  if (!size || size->too_large()) return std::nullopt;
  const Reason reason = bytes_of(*size) > some_time ? limits.reached() : Reason::none;
  if (reason != Reason::none) {
    const std::string_view what = reason == Reason::timeout ? "time ran out"
                                  : reason == Reason::limit ? "memory ran out"
                                                            : "stopped";
    return error_at(where, fmt::format("{} while making the fabric", what), code_of(reason));
  }
  if (bytes_of(*size) <= limits.memory) return std::nullopt;
  return error_at(where,
                  fmt::format("a fabric of {} nodes and {} channels needs {} MiB of memory; there are {}", size->nodes,
                              size->channels, bytes_of(*size) >> 20, limits.memory >> 20),
                  Code::limit);
}

// What is not listed may be more than whoever asked has room for.
std::optional<Diagnostic> too_many(const Wiring& wiring, const Limits& limits, const Topology& topology, Span where) {
  if (wiring.all_to_all == 0 || wiring.nodes > max_complete_size) return std::nullopt;
  const std::uint32_t channels = ChannelList::complete(wiring.nodes, wiring.all_to_all).size();
  if (channels <= limits.channels) return std::nullopt;
  return error_at(
      where,
      fmt::format("{} has {} channels; more than {} are for `check`, `compile` and `bounds` alone, without pages",
                  topology.title(), channels, limits.channels),
      Code::limit);
}

}  // namespace

void Fabric::Tables::list(std::vector<Channel> listed) {
  channels = std::move(listed);
  first_from = first_channels(channels, &Channel::from, nodes);
  first_to = first_channels(channels, &Channel::to, nodes);
  by_head = channels_by_head(channels, first_to);
  if (!all_go_both_ways(channels, by_head)) partners = partners_of(channels, first_from, by_head);
  first_lane = first_lanes(channels);
  if (channels.empty()) return;
  const auto [least, largest] = std::ranges::minmax_element(channels, {}, &Channel::capacity);
  least_capacity = least->capacity;
  largest_capacity = largest->capacity;
}

Result<Fabric> Fabric::make(std::shared_ptr<const Topology> topology, Rules rules, Span where, const Limits& limits) {
  if (const auto refusal = reached(limits, *topology, where)) return *refusal;
  Result<Wiring> wiring = topology->wiring(where);
  if (!wiring) return wiring.diagnostics();
  if (const auto refusal = reached(limits, *topology, where)) return *refusal;
  if (const auto refusal = too_many(*wiring, limits, *topology, where)) return *refusal;

  const auto refused = [&](std::string_view fault) {
    return error_at(where, fmt::format("the topology {} {}", topology->family(), fault), Code::range);
  };
  // Judged before the tables are made, for these are indexed by the ends of channels.
  if (wiring->processors == 0 || wiring->processors > wiring->nodes) return refused("has no processors");
  if (ends_nowhere(*wiring)) return refused("has a channel that ends nowhere");
  if (const std::string fault = fault_of(*wiring); !fault.empty()) return refused(fault);

  auto tables = std::make_shared<Tables>();
  tables->all_to_all = wiring->all_to_all;
  tables->topology = std::move(topology);
  tables->processors = wiring->processors;
  tables->nodes = wiring->nodes;
  tables->level_starts = std::move(wiring->level_starts);
  tables->switch_names = std::move(wiring->switch_names);
  // Switches without levels and names get a level of their own: 1.0, 1.1, …
  if (tables->level_starts.empty() && tables->switch_names.empty() && tables->nodes > tables->processors) {
    tables->level_starts = {0, tables->processors, tables->nodes};
  }
  tables->switches_by_name = numbers_by_name(tables->switch_names, NodeId(tables->processors));
  if (wiring->all_to_all == 0) {
    tables->list(std::move(wiring->channels));
  } else if (wiring->nodes > 1) {
    tables->least_capacity = tables->largest_capacity = wiring->all_to_all;
  }
  return Fabric(std::move(tables), rules);
}

Fabric Fabric::with_rules(Rules rules) const { return {tables_, rules}; }

const Topology& Fabric::topology() const { return *tables_->topology; }
const Rules& Fabric::rules() const { return rules_; }
std::uint32_t Fabric::processors() const { return tables_->processors; }
std::uint32_t Fabric::nodes() const { return tables_->nodes; }
std::uint32_t Fabric::channels() const { return tables_->all().size(); }
std::vector<LinkSpeed> Fabric::link_speeds() const { return topology().link_speeds(*this); }
std::uint64_t Fabric::memory() const { return bytes_of({nodes(), channels(), tables_->all_to_all == 0}); }
Channel Fabric::channel(ChannelId id) const { return tables_->all()[id.value]; }
ChannelList Fabric::all_channels() const { return tables_->all(); }
bool Fabric::lists_channels() const { return tables_->all_to_all == 0; }
std::uint32_t Fabric::largest_capacity() const { return tables_->largest_capacity; }
std::uint32_t Fabric::least_capacity() const { return tables_->least_capacity; }
ChannelId Fabric::link(ChannelId id) const { return std::min(id, tables_->partner(id)); }
bool Fabric::has_one_way_links() const { return !tables_->partners.empty(); }

std::optional<ChannelId> Fabric::reverse(ChannelId id) const {
  const ChannelId partner = tables_->partner(id);
  return partner == id ? std::nullopt : std::optional(partner);
}

std::uint64_t Fabric::lanes() const {
  return tables_->all_to_all != 0 ? std::uint64_t{channels()} * tables_->all_to_all : tables_->first_lane.back();
}

std::uint64_t Fabric::lanes_of(ChannelIds ids) const {
  if (least_capacity() == largest_capacity()) return std::uint64_t{ids.size()} * largest_capacity();
  std::uint64_t lanes = 0;
  for (const ChannelId id : ids) lanes += channel(id).capacity;
  return lanes;
}

ChannelIds Fabric::channels_from(NodeId node) const {
  if (tables_->all_to_all != 0) return ChannelIds::consecutive(node.value * (nodes() - 1), nodes() - 1);
  const std::uint32_t begin = tables_->first_from[node.value];
  return ChannelIds::consecutive(begin, tables_->first_from[node.value + std::size_t{1}] - begin);
}

ChannelIds Fabric::channels_to(NodeId node) const {
  // Out of a node before this one leads its channel node - 1, out of a node behind it its channel node.
  if (tables_->all_to_all != 0) {
    return ChannelIds::spaced(node.value - 1, nodes() - 1, nodes() - 1, node.value, nodes());
  }
  const std::uint32_t begin = tables_->first_to[node.value];
  return std::span(tables_->by_head).subspan(begin, tables_->first_to[node.value + std::size_t{1}] - begin);
}

std::optional<ChannelId> Fabric::channel_between(NodeId from, NodeId to) const {
  if (from.value >= nodes()) return std::nullopt;
  if (tables_->all_to_all != 0) {
    return to.value < nodes() && from != to ? std::optional(tables_->to_all(from, to)) : std::nullopt;
  }
  const auto begin = tables_->channels.begin() + tables_->first_from[from.value];
  const auto end = tables_->channels.begin() + tables_->first_from[from.value + std::size_t{1}];
  const auto found = std::lower_bound(begin, end, to, [](const Channel& c, NodeId head) { return c.to < head; });
  if (found == end || found->to != to) return std::nullopt;
  return ChannelId(static_cast<std::uint32_t>(found - tables_->channels.begin()));
}

std::uint64_t Fabric::lane_number(ChannelId channel, LaneId lane) const {
  if (tables_->all_to_all != 0) return std::uint64_t{channel.value} * tables_->all_to_all + lane.value;
  return tables_->first_lane[channel.value] + lane.value;
}

std::uint32_t Fabric::level(NodeId node) const {
  if (is_processor(node)) return 0;
  if (tables_->level_starts.empty()) return 1;
  std::uint32_t level = 1;
  while (node.value >= tables_->level_starts[level + std::size_t{1}]) ++level;
  return level;
}

std::uint32_t Fabric::levels() const {
  if (tables_->level_starts.empty()) return has_switches() ? 1 : 0;
  return static_cast<std::uint32_t>(tables_->level_starts.size() - 2);
}

std::string Fabric::name(NodeId node) const {
  if (is_processor(node)) return fmt::format("{}", node.value);
  if (!tables_->switch_names.empty()) return tables_->switch_names[node.value - processors()];
  const std::uint32_t i = level(node);
  return fmt::format("{}.{}", i, node.value - tables_->level_starts[i]);
}

std::string Fabric::name(ChannelId id) const {
  return fmt::format("{}->{}", name(channel(id).from), name(channel(id).to));
}

std::optional<NodeId> Fabric::node_named(std::string_view name) const {
  if (const auto processor = plain_number(name)) {
    return *processor < processors() ? std::optional(NodeId(*processor)) : std::nullopt;
  }
  if (!tables_->switch_names.empty()) {
    const auto found = tables_->switches_by_name.find(std::string(name));
    return found == tables_->switches_by_name.end() ? std::nullopt : std::optional(found->second);
  }
  // "level.number", as name() writes it.
  const std::size_t point = name.find('.');
  if (point == std::string_view::npos) return std::nullopt;
  const auto i = plain_number(name.substr(0, point));
  const auto j = plain_number(name.substr(point + 1));
  return i && j ? switch_at(*i, *j) : std::nullopt;
}

std::optional<NodeId> Fabric::switch_at(std::uint32_t level, std::uint64_t j) const {
  const std::vector<std::uint32_t>& starts = tables_->level_starts;
  if (level == 0 || starts.empty() || level > levels()) return std::nullopt;
  if (j >= starts[level + std::size_t{1}] - starts[level]) return std::nullopt;
  return NodeId(starts[level] + static_cast<std::uint32_t>(j));
}

bool Fabric::operator==(const Fabric& other) const {
  return rules_ == other.rules_ && (tables_ == other.tables_ || topology().same_as(other.topology()));
}

}  // namespace quadrille
