// What may be wrong with a graph that a person wrote, and its channels in order.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "model/fabric_shapes.h"

namespace quadrille {
namespace {

constexpr std::size_t most_faults = 10;  // that one graph is told of

bool legal_switch_name(std::string_view name) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto legal = [&](char c) {
    return digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-' || c == '.';
  };
  return std::all_of(name.begin(), name.end(), legal) && !std::all_of(name.begin(), name.end(), digit);
}

std::string node_text(const GraphShape& shape, NodeId node) {
  if (node.value < shape.processors) return fmt::format("{}", node.value);
  const std::size_t index = node.value - shape.processors;
  return index < shape.switch_names.size() ? shape.switch_names[index] : fmt::format("node {}", node.value);
}

std::string channel_text(const GraphShape& shape, NodeId from, NodeId to) {
  return fmt::format("channel {}->{}", node_text(shape, from), node_text(shape, to));
}

Diagnostics faults_of_switch_names(const GraphShape& shape, Span where) {
  Diagnostics faults;
  std::unordered_map<std::string_view, std::size_t> seen;
  for (const std::string& name : shape.switch_names) {
    if (faults.size() == most_faults) break;
    if (!legal_switch_name(name)) {
      faults.push_back(error_at(where, fmt::format("switch name `{}`; expected letters, digits, `_`, `-` and `.`, and "
                                                   "not digits alone",
                                                   name)));
    } else if (++seen[name] == 2) {
      faults.push_back(error_at(where, fmt::format("two switches are named `{}`", name)));
    }
  }
  return faults;
}

// Faults that a channel has by itself.
Diagnostics faults_of_channels(const GraphShape& shape, std::uint64_t nodes, Span where) {
  Diagnostics faults;
  for (const Channel& c : shape.channels) {
    if (faults.size() == most_faults) break;
    const auto name = [&] { return channel_text(shape, c.from, c.to); };
    if (std::max(c.from, c.to).value >= nodes) {
      faults.push_back(error_at(where, fmt::format("{} ends nowhere; the nodes are 0 to {}", name(), nodes - 1)));
    } else if (c.from == c.to) {
      faults.push_back(error_at(where, fmt::format("{} leads back to its own node", name())));
    } else if (c.capacity == 0) {
      faults.push_back(error_at(where, fmt::format("{} has capacity 0; expected at least 1", name())));
    }
  }
  return faults;
}

bool by_ends(const Channel& a, const Channel& b) { return std::tie(a.from, a.to) < std::tie(b.from, b.to); }

// Faults that sorted channels have among one another: listed twice, or in one direction only.
Diagnostics faults_of_pairs(const GraphShape& shape, const std::vector<Channel>& sorted, Span where) {
  Diagnostics faults;
  for (std::size_t i = 0; i < sorted.size() && faults.size() < most_faults; ++i) {
    const Channel& c = sorted[i];
    if (i > 0 && !by_ends(sorted[i - 1], c)) {
      faults.push_back(error_at(where, fmt::format("{} is listed twice", channel_text(shape, c.from, c.to))));
    } else if (!std::binary_search(sorted.begin(), sorted.end(), Channel{c.to, c.from}, by_ends)) {
      faults.push_back(
          error_at(where, fmt::format("{} goes one way only; expected {} too", channel_text(shape, c.from, c.to),
                                      channel_text(shape, c.to, c.from))));
    }
  }
  return faults;
}

}  // namespace

Result<Wiring> lay_out_graph(const GraphShape& shape, Span where) {
  if (shape.processors == 0) return error_at(where, "a graph has no processors; expected at least 1");
  const std::uint64_t nodes = shape.processors + std::uint64_t{shape.switch_names.size()};
  if (nodes > max_fabric_size || shape.channels.size() > max_fabric_size) {
    return too_large(where, fmt::format("a graph of {} nodes and {} channels", nodes, shape.channels.size()));
  }
  if (auto faults = faults_of_switch_names(shape, where); !faults.empty()) return faults;
  if (auto faults = faults_of_channels(shape, nodes, where); !faults.empty()) return faults;

  Wiring layout;
  layout.processors = shape.processors;
  layout.nodes = static_cast<std::uint32_t>(nodes);
  layout.channels = shape.channels;
  for (Channel& c : layout.channels) c.level = 0;
  std::sort(layout.channels.begin(), layout.channels.end(), by_ends);
  if (auto faults = faults_of_pairs(shape, layout.channels, where); !faults.empty()) return faults;
  return layout;
}

}  // namespace quadrille
