// Idea: a switch that reduces holds a partial reduction for each target and part, so it can hold all results at once.
// In the first round, each processor sends its contributions there, for all who want them. In the second, one message
// to each target brings the result. Messages that end or begin at a switch take no port of it.
//
//   allreduce of 4 around a switch, single ports: 0 sends for 1, 2 and 3, and so on; then all have the sums of others
//
// Cost: a breadth-first search each way, and the packets.
#include "verifier/search/rounds/hub.h"

#include <map>
#include <utility>
#include <vector>

#include "model/route.h"
#include "verifier/search/rounds/joins.h"

namespace quadrille::searching {
namespace {

constexpr std::uint64_t most_packets = std::uint64_t{1} << 18;

class Hub {
 public:
  Hub(const Fabric& fabric, const Collective& collective, NodeId hub)
      : fabric_(fabric), collective_(collective), hub_(hub), router_(fabric) {}

  std::optional<SendTable> table() {
    if (!sort_packets()) return std::nullopt;
    std::vector<JoiningMessage> messages;
    for (auto& [p, packets] : to_hub_) {
      if (!add(1, p, hub_, std::move(packets), messages)) return std::nullopt;
    }
    used_.clear();
    for (auto& [p, packets] : from_hub_) {
      if (!add(2, hub_, p, std::move(packets), messages)) return std::nullopt;
    }
    return joined_table(fabric_, collective_, "hub", std::move(messages));
  }

 private:
  bool sort_packets() {
    for (std::uint64_t number = 0; number < collective_.demands(); ++number) {
      const auto [chunk, target] = collective_.demand_at(number);
      const auto value = static_cast<std::uint32_t>(chunk.value);
      const auto wanted = collective_.wanted_contributions(value, target);
      if (!wanted) continue;
      std::optional<ChunkId> any;
      for (std::uint32_t q = wanted->first; q <= wanted->second; ++q) {
        if (q == target.value) continue;
        const auto packet = collective_.chunk({q, target.value, value});
        if (!packet) return false;
        to_hub_[NodeId(q)].push_back(*packet);
        any = packet;
      }
      if (any) from_hub_[target].push_back(*any);
    }
    return true;
  }

  bool add(std::uint32_t round, NodeId from, NodeId to, std::vector<ChunkId> packets,
           std::vector<JoiningMessage>& messages) {
    std::vector<ChannelId> path;
    if (!router_.append_route(from, to, path) || path.empty()) return false;
    JoiningMessage message{round, to, {}, {}};
    const bool held = fabric_.rules().paths == quadrille::Paths::held;
    for (const ChannelId e : path) message.ways.emplace_back(e, LaneId(held ? used_[e]++ : 0));
    message.packets[from] = std::move(packets);
    messages.push_back(std::move(message));
    return true;
  }

  const Fabric& fabric_;
  const Collective& collective_;
  NodeId hub_;
  Router router_;
  std::map<NodeId, std::vector<ChunkId>> to_hub_;
  std::map<NodeId, std::vector<ChunkId>> from_hub_;
  std::map<ChannelId, std::uint32_t> used_;  // lanes taken in the current round
};

}  // namespace

std::optional<SendTable> hub_table(const Fabric& fabric, const Collective& collective, NodeId hub) {
  if (collective.leaves_own_out()) return std::nullopt;
  if (collective.demands() * fabric.processors() > most_packets) return std::nullopt;
  return Hub(fabric, collective, hub).table();
}

}  // namespace quadrille::searching
