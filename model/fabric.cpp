// The nodes and channels of a fabric as flat tables. Because channels are numbered by (from, to) and come in pairs, the
// channels out of a node are consecutive numbers, and their reverses, in the same order, are the channels into it.
#include "model/fabric.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <numeric>
#include <unordered_map>

#include "model/fabric_shapes.h"

namespace quadrille {

struct Fabric::Tables {
  Shape shape;
  Rules rules;
  std::uint32_t processors = 0;
  std::uint32_t nodes = 0;
  std::vector<std::uint32_t> level_starts;  // as in Wiring
  std::vector<Channel> channels;
  std::vector<ChannelId> ids;                                // 0, 1, 2, …: channels_from are pieces of it
  std::vector<ChannelId> reverses;                           // of each channel
  std::vector<std::uint32_t> first_from;                     // the first channel out of each node; then channels.size()
  std::vector<std::uint64_t> first_lane;                     // the first lane of each channel; then the number of lanes
  std::unordered_map<std::string, NodeId> switches_by_name;  // graphs only
};

namespace {

std::vector<std::uint32_t> first_channels(const std::vector<Channel>& channels, std::uint32_t nodes) {
  std::vector<std::uint32_t> first(nodes + std::size_t{1}, 0);
  for (const Channel& channel : channels) ++first[channel.from.value + std::size_t{1}];
  std::partial_sum(first.begin(), first.end(), first.begin());
  return first;
}

// Going through the channels in order, the channels into a node come in the order of the channels out of it.
std::vector<ChannelId> reverse_channels(const std::vector<Channel>& channels, std::vector<std::uint32_t> next) {
  std::vector<ChannelId> reverses;
  reverses.reserve(channels.size());
  for (const Channel& channel : channels) reverses.emplace_back(next[channel.to.value]++);
  return reverses;
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

std::unordered_map<std::string, NodeId> switches_of(const GraphShape& graph) {
  std::unordered_map<std::string, NodeId> switches;
  NodeId node(graph.processors);
  for (const std::string& name : graph.switch_names) {
    switches.emplace(name, node);
    ++node.value;
  }
  return switches;
}

// A number as name() writes it: digits only, no leading zeros.
std::optional<std::uint32_t> plain_number(std::string_view text) {
  if (text.empty() || (text.size() > 1 && text.front() == '0')) return std::nullopt;
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

Result<Fabric> Fabric::make(Shape shape, Rules rules, Span where) {
  Result<Wiring> layout = lay_out(shape, where);
  if (!layout) return layout.diagnostics();

  auto tables = std::make_shared<Tables>();
  tables->rules = rules;
  tables->processors = layout->processors;
  tables->nodes = layout->nodes;
  tables->level_starts = std::move(layout->level_starts);
  tables->channels = std::move(layout->channels);
  tables->first_from = first_channels(tables->channels, tables->nodes);
  tables->reverses = reverse_channels(tables->channels, tables->first_from);
  tables->first_lane = first_lanes(tables->channels);
  tables->ids.reserve(tables->channels.size());
  for (std::uint32_t i = 0; i < tables->channels.size(); ++i) tables->ids.emplace_back(i);
  if (auto* graph = std::get_if<GraphShape>(&shape)) {
    graph->channels = tables->channels;
    tables->switches_by_name = switches_of(*graph);
  }
  tables->shape = std::move(shape);
  return Fabric(std::move(tables));
}

const Shape& Fabric::shape() const { return tables_->shape; }
const Rules& Fabric::rules() const { return tables_->rules; }
std::uint32_t Fabric::processors() const { return tables_->processors; }
std::uint32_t Fabric::nodes() const { return tables_->nodes; }
std::uint32_t Fabric::channels() const { return static_cast<std::uint32_t>(tables_->channels.size()); }
std::uint64_t Fabric::lanes() const { return tables_->first_lane.back(); }
const Channel& Fabric::channel(ChannelId id) const { return tables_->channels[id.value]; }
std::span<const Channel> Fabric::all_channels() const { return tables_->channels; }
ChannelId Fabric::reverse(ChannelId id) const { return tables_->reverses[id.value]; }

std::span<const ChannelId> Fabric::channels_from(NodeId node) const {
  const std::uint32_t begin = tables_->first_from[node.value];
  return std::span(tables_->ids).subspan(begin, tables_->first_from[node.value + std::size_t{1}] - begin);
}

std::span<const ChannelId> Fabric::channels_to(NodeId node) const {
  const std::uint32_t begin = tables_->first_from[node.value];
  return std::span(tables_->reverses).subspan(begin, tables_->first_from[node.value + std::size_t{1}] - begin);
}

std::optional<ChannelId> Fabric::channel_between(NodeId from, NodeId to) const {
  if (from.value >= nodes()) return std::nullopt;
  const auto begin = tables_->channels.begin() + tables_->first_from[from.value];
  const auto end = tables_->channels.begin() + tables_->first_from[from.value + std::size_t{1}];
  const auto found = std::lower_bound(begin, end, to, [](const Channel& c, NodeId head) { return c.to < head; });
  if (found == end || found->to != to) return std::nullopt;
  return ChannelId(static_cast<std::uint32_t>(found - tables_->channels.begin()));
}

std::uint64_t Fabric::lane_number(ChannelId channel, LaneId lane) const {
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
  if (tables_->level_starts.empty()) return nodes() > processors() ? 1 : 0;
  return static_cast<std::uint32_t>(tables_->level_starts.size() - 2);
}

std::string Fabric::name(NodeId node) const {
  if (is_processor(node)) return fmt::format("{}", node.value);
  if (const auto* graph = std::get_if<GraphShape>(&shape())) return graph->switch_names[node.value - processors()];
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
  if (std::holds_alternative<GraphShape>(shape())) {
    const auto found = tables_->switches_by_name.find(std::string(name));
    return found == tables_->switches_by_name.end() ? std::nullopt : std::optional(found->second);
  }
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
  return tables_ == other.tables_ || (shape() == other.shape() && rules() == other.rules());
}

}  // namespace quadrille
