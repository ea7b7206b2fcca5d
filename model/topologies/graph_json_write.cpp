// Writes graphs as JSON. Each channel is a list, `[0,"a",1]`; or, if the graph states its speed, an object,
// `{"from":0,"to":"a","capacity":1,"latency":"500ns"}`. Cost: linear in the graph, and a sort of the speeds.
#include <fmt/format.h>

#include <iterator>
#include <map>
#include <utility>

#include "model/topologies/graph_json.h"

namespace quadrille {
namespace {

void write_speed(fmt::appender out, const LinkSpeed& speed) {
  if (speed.latency) fmt::format_to(out, ",\"latency\":\"{}\"", latency_text(*speed.latency));
  if (speed.bandwidth) fmt::format_to(out, ",\"bandwidth\":\"{}\"", bandwidth_text(*speed.bandwidth));
}

}  // namespace

std::string write_graph(const Graph& graph) {
  fmt::memory_buffer text;
  const auto out = fmt::appender(text);
  const auto write_node = [&](NodeId node) {
    if (node.value < graph.processors) {
      fmt::format_to(out, "{}", node.value);
    } else {
      fmt::format_to(out, "\"{}\"", graph.switch_names[node.value - graph.processors]);
    }
  };
  fmt::format_to(out, "{{");
  if (!graph.name.empty()) fmt::format_to(out, "\"name\":\"{}\",", graph.name);
  fmt::format_to(out, "\"processors\":{},\"switches\":[", graph.processors);
  for (std::size_t i = 0; i < graph.switch_names.size(); ++i) {
    fmt::format_to(out, "{}\"{}\"", i == 0 ? "" : ",", graph.switch_names[i]);
  }
  fmt::format_to(out, "],\"channels\":[");
  std::map<std::pair<NodeId, NodeId>, LinkSpeed> speeds;
  for (const Graph::ChannelSpeed& it : graph.speeds) speeds[{it.from, it.to}] = it.speed;
  for (std::size_t i = 0; i < graph.channels.size(); ++i) {
    const Channel& channel = graph.channels[i];
    const auto speed = speeds.find({channel.from, channel.to});
    const bool plain = speed == speeds.end();
    fmt::format_to(out, "{}{}", i == 0 ? "" : ",", plain ? "[" : "{\"from\":");
    write_node(channel.from);
    fmt::format_to(out, "{}", plain ? "," : ",\"to\":");
    write_node(channel.to);
    fmt::format_to(out, "{}{}", plain ? "," : ",\"capacity\":", channel.capacity);
    if (!plain) write_speed(out, speed->second);
    fmt::format_to(out, "{}", plain ? "]" : "}");
  }
  fmt::format_to(out, "]}}");
  return fmt::to_string(text);
}

}  // namespace quadrille
