// Makes a graph of the remaining channels. A switch's name stands for all of its links. A link's text is split at the
// sign. As a switch's name may contain signs
// ("spine--1"), it is split at the first one with a node's name on either side. Cost: the fabric's channels, for each
// link.
#include "model/topologies/without_links.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>

#include "model/described.h"
#include "model/text/diagnostic.h"
#include "model/topologies/graph.h"

namespace quadrille {
namespace {

constexpr std::size_t longest_name = 80;  // of a graph (graph_json.cpp)

struct Link {
  NodeId from;
  NodeId to;
  bool one_way = false;
  bool all_of_switch = false;  // every link of `from`
};

// The text before and after a sign.
struct Split {
  std::string_view from;
  std::string_view to;
  bool one_way = false;
};

std::vector<Split> splits(std::string_view text) {
  std::vector<Split> all;
  for (std::size_t at = 0; at + 1 < text.size(); ++at) {
    const std::string_view sign = text.substr(at, 2);
    if (sign == "--" || sign == "->") all.push_back({text.substr(0, at), text.substr(at + 2), sign == "->"});
  }
  return all;
}

Diagnostic fault(std::string_view text, const std::string& what, Code code) {
  return error_at({}, fmt::format("`{}`: {}", text, what), code);
}

Diagnostic no_such_node(const Fabric& fabric, std::string_view text, std::string_view name) {
  std::vector<std::string> switches;
  for (NodeId v(fabric.processors()); v.value < fabric.nodes(); ++v.value) switches.push_back(fabric.name(v));
  const auto near = nearest(name, switches);
  const std::string others = near ? fmt::format("did you mean `{}`?", *near)
                                  : fmt::format("its processors are 0 to {}", fabric.processors() - 1);
  return fault(text, fmt::format("there is no node `{}` in {}; {}", name, described(fabric), others), Code::name);
}

Diagnostic no_such_link(const Fabric& fabric, std::string_view text, const Link& link) {
  constexpr std::size_t most = 8;  // that are named
  std::vector<std::string> names;
  for (const ChannelId id : fabric.channels_from(link.from)) names.push_back(fabric.name(fabric.channel(id).to));
  const bool more = names.size() > most;
  if (more) names.resize(most);
  const std::string there = names.empty() ? "no link leads from there"
                                          : fmt::format("from {} links lead to {}{}", fabric.name(link.from),
                                                        fmt::join(names, ", "), more ? ", …" : "");
  return fault(text, fmt::format("{} has no link {}; {}", described(fabric), text, there), Code::name);
}

bool takes_away(const Link& link, const Channel& channel) {
  if (link.all_of_switch) return channel.from == link.from || channel.to == link.from;
  const auto leads = [&](NodeId from, NodeId to) { return channel.from == from && channel.to == to; };
  return leads(link.from, link.to) || (!link.one_way && leads(link.to, link.from));
}

Result<Link> read_link(const Fabric& fabric, const std::string& text) {
  const std::vector<Split> all = splits(text);
  for (const Split& split : all) {
    const auto from = fabric.node_named(split.from);
    const auto to = fabric.node_named(split.to);
    if (!from || !to) continue;
    const Link link{*from, *to, split.one_way};
    const bool there = fabric.channel_between(*from, *to) || (!split.one_way && fabric.channel_between(*to, *from));
    if (!there) return no_such_link(fabric, text, link);
    return link;
  }
  const auto node = fabric.node_named(text);
  if (node && !fabric.is_processor(*node)) return Link{*node, *node, false, true};
  if (all.empty()) {
    return fault(text,
                 fmt::format("this is {}; expected two nodes, such as 0--1, or 0->1 for one direction, or a switch",
                             node ? "a processor" : "no link"),
                 Code::syntax);
  }
  const bool tail_known = fabric.node_named(all.front().from).has_value();
  return no_such_node(fabric, text, tail_known ? all.front().to : all.front().from);
}

// Of the channels that stay.
void keep_speeds(const Fabric& fabric, Graph& graph) {
  const std::vector<LinkSpeed> speeds = fabric.link_speeds();
  if (speeds.empty()) return;
  for (const Channel& channel : graph.channels) {
    const LinkSpeed& speed = speeds[fabric.channel_between(channel.from, channel.to)->value];
    if (speed != LinkSpeed{}) graph.speeds.push_back({channel.from, channel.to, speed});
  }
}

// "torus:4x4 without 0--1, 4->5"; empty, and so a graph is called by its size, where that is too long for a name.
std::string name_without(const Fabric& fabric, const std::vector<std::string>& links) {
  const std::string whole = fabric.topology().title();
  if (whole.find('{') != std::string::npos) return {};
  const std::string all = fmt::format("{} without {}", whole, fmt::join(links, ", "));
  const std::string counted = fmt::format("{} without {} links", whole, links.size());
  return all.size() <= longest_name ? all : counted.size() <= longest_name ? counted : std::string();
}

}  // namespace

Result<std::vector<ChannelId>> channels_of_link(const Fabric& fabric, const std::string& link) {
  const Result<Link> read = read_link(fabric, link);
  if (!read) return read.diagnostics();
  std::vector<ChannelId> channels;
  if (read->all_of_switch) {
    std::ranges::copy(fabric.channels_from(read->from), std::back_inserter(channels));
    std::ranges::copy(fabric.channels_to(read->from), std::back_inserter(channels));
    return channels;
  }
  if (const auto there = fabric.channel_between(read->from, read->to)) channels.push_back(*there);
  if (!read->one_way) {
    if (const auto back = fabric.channel_between(read->to, read->from)) channels.push_back(*back);
  }
  return channels;
}

Result<Fabric> without_links(const Fabric& fabric, const std::vector<std::string>& links, const Limits& limits) {
  if (links.empty()) return fabric;
  if (fabric.channels() > max_fabric_size) {
    return error_at({},
                    fmt::format("links can be taken away from at most {} channels; {} has {}", max_fabric_size,
                                fabric.title(), fabric.channels()),
                    Code::limit);
  }
  Diagnostics faults;
  Graph graph;
  graph.processors = fabric.processors();
  for (NodeId v(fabric.processors()); v.value < fabric.nodes(); ++v.value) graph.switch_names.push_back(fabric.name(v));
  graph.channels.assign(fabric.all_channels().begin(), fabric.all_channels().end());
  for (const std::string& text : links) {
    const Result<Link> link = read_link(fabric, text);
    if (!link) {
      faults.insert(faults.end(), link.diagnostics().begin(), link.diagnostics().end());
    } else if (std::erase_if(graph.channels, [&](const Channel& channel) { return takes_away(*link, channel); }) == 0) {
      faults.push_back(fault(text, "this link has been taken away already", Code::duplicate));
    }
  }
  if (!faults.empty()) return faults;
  for (Channel& channel : graph.channels) channel.level = 0;
  keep_speeds(fabric, graph);
  graph.name = name_without(fabric, links);
  return Fabric::make(std::move(graph), fabric.rules(), {}, limits);
}

}  // namespace quadrille
