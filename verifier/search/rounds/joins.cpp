// Idea: consider the messages by which a value's target first reaches every node. Time-reversed, they are a tree by
// which all contributions come to the target, each once. A node that is first reached by some message sends its
// partial reduction by that message only, after everything from the nodes that it reaches in turn has arrived. A
// message may join only what all of its senders have to send. Where that differs from value to value, the message is
// divided; the rules will often forbid that.
//
//   around a switch, 0 reaches 1, 2 and 3 by one message that branches: reversed, a reduction to 0 in one round
//
// Cost: values x messages, and the path of each contribution.
#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "model/route.h"
#include "verifier/search/rounds/tables.h"

namespace quadrille::searching {
namespace {

constexpr std::uint64_t most_direct = std::uint64_t{1} << 16;  // packets: a moment

using Messages = std::vector<DrawnMessage>;  // messages that branch, time-reversed, in the order of their rounds
using Loads = std::vector<std::map<std::uint32_t, std::map<NodeId, ChunkId>>>;  // by message: [value][sender]

// Loads the packets by which a contributor's partial reduction comes to the target. If a node on the way has been
// loaded before, its packet is there already and stays.
bool load_path(const Fabric& fabric, const Collective& collective, std::uint32_t value, NodeId contributor,
               NodeId target, const Messages& messages, const std::vector<std::size_t>& by, Loads& loads) {
  for (NodeId at = contributor; at != target;) {
    const NodeId origin = at;
    std::vector<std::pair<std::size_t, NodeId>> way;  // through switches to the next processor
    do {
      const std::size_t m = by[at.value];
      if (m == no_message) return false;
      way.emplace_back(m, at);
      at = messages[m].sender;
    } while (!fabric.is_processor(at));
    const auto packet = collective.chunk({origin.value, at.value, value});
    if (!packet) return false;
    for (const auto& [m, sender] : way) loads[m][value].try_emplace(sender, *packet);
  }
  return true;
}

bool load(const Fabric& fabric, const Collective& collective, const Messages& messages, Loads& loads) {
  for (std::uint32_t value = 0; value < collective.values(); ++value) {
    const auto target = target_of(collective, value);
    if (!target) return false;
    const auto range = collective.wanted_contributions(value, *target);
    const std::vector<std::size_t> by = first_arrivals(messages, {target->value}, value, fabric.nodes());
    for (std::uint32_t p = range->first; p <= range->second; ++p) {
      if (!load_path(fabric, collective, value, NodeId(p), *target, messages, by, loads)) return false;
    }
  }
  return true;
}

std::vector<std::pair<ChannelId, LaneId>> time_reversed(const Fabric& fabric,
                                                        std::vector<std::pair<ChannelId, LaneId>> ways) {
  for (auto& [channel, lane] : ways) channel = fabric.reverse(channel).value();
  return ways;
}

// Makes one message for each set of senders that all have something of a value to send.
bool divide(const Fabric& fabric, const DrawnMessage& drawn, const Loads::value_type& packets, std::uint32_t last,
            std::vector<JoiningMessage>& joining) {
  std::map<std::set<NodeId>, std::vector<const std::map<NodeId, ChunkId>*>> divided;
  for (const auto& [value, by_sender] : packets) {
    std::set<NodeId> senders;
    for (const auto& [sender, packet] : by_sender) senders.insert(sender);
    divided[std::move(senders)].push_back(&by_sender);
  }
  for (const auto& [senders, values] : divided) {
    JoiningMessage it{last + 1 - drawn.round, drawn.sender, time_reversed(fabric, tree_of(fabric, drawn, senders)), {}};
    if (it.ways.empty()) return false;
    for (const auto* by_sender : values) {
      for (const auto& [sender, packet] : *by_sender) it.packets[sender].push_back(packet);
    }
    joining.push_back(std::move(it));
  }
  return true;
}

// Adds the message's rows: from each sender to the node where another sender's path has passed already.
void add_rows(const Fabric& fabric, const JoiningMessage& message, std::uint32_t round,
              std::vector<StoredRows::StepRow>& rows) {
  std::map<NodeId, std::pair<ChannelId, LaneId>> out;
  for (const auto& way : message.ways) out.emplace(fabric.channel(way.first).from, way);
  for (const auto& [sender, packets] : message.packets) {
    for (NodeId at = sender; at != message.receiver;) {
      const auto found = out.find(at);
      if (found == out.end()) break;
      const auto [channel, lane] = found->second;
      for (const ChunkId packet : packets) rows.push_back({StepId{round}, {channel, lane, packet}});
      out.erase(found);
      at = fabric.channel(channel).to;
    }
  }
}

}  // namespace

bool messages_join(const Fabric& fabric, const Collective& collective) {
  return collective.combining() && fabric.switches_reduce() && fabric.has_switches();
}

SendTable joined_table(const Fabric& fabric, const Collective& collective, std::string name,
                       std::vector<JoiningMessage> messages) {
  std::ranges::stable_sort(messages, {}, &JoiningMessage::round);
  std::vector<StoredRows::StepRow> rows;
  std::vector<MessageId> numbers;
  std::uint32_t round = 0;
  std::uint32_t number = 0;
  for (std::size_t m = 0; m < messages.size(); ++m) {
    const bool next = m == 0 || messages[m - 1].round < messages[m].round;
    round += next ? 1 : 0;
    number = next ? 0 : number + 1;
    add_rows(fabric, messages[m], round, rows);
    numbers.resize(rows.size(), MessageId(number));
  }
  auto stored = std::make_shared<StoredRows>(std::move(rows), numbers);
  return SendTable{fabric, collective, std::move(name), {}, std::move(stored)};
}

std::optional<SendTable> time_reversed_table(const Fabric& fabric, const Collective& collective, std::string name,
                                             std::vector<DrawnMessage> branching) {
  std::ranges::stable_sort(branching, {}, &DrawnMessage::round);
  Loads loads(branching.size());
  if (!load(fabric, collective, branching, loads)) return std::nullopt;
  std::vector<JoiningMessage> joining;
  const std::uint32_t last = branching.empty() ? 0 : branching.back().round;
  for (std::size_t m = 0; m < branching.size(); ++m) {
    if (!divide(fabric, branching[m], loads[m], last, joining)) return std::nullopt;
  }
  return joined_table(fabric, collective, std::move(name), std::move(joining));
}

std::optional<SendTable> direct_joined_table(const Fabric& fabric, const Collective& collective) {
  if (std::uint64_t{collective.values()} * fabric.nodes() > most_direct) return std::nullopt;
  std::map<NodeId, DrawnMessage> branching;  // by target
  for (std::uint32_t value = 0; value < collective.values(); ++value) {
    const auto target = target_of(collective, value);
    if (!target) return std::nullopt;
    DrawnMessage& it = branching[*target];
    it.sender = *target;
    it.values.insert(value);
    if (!it.receivers.empty()) continue;
    for (std::uint32_t p = 0; p < fabric.processors(); ++p) {
      if (p != target->value) it.receivers.emplace_back(p);
    }
  }
  std::vector<DrawnMessage> drawn;
  for (auto& [target, message] : branching) drawn.push_back(std::move(message));
  return time_reversed_table(fabric, collective, "direct", std::move(drawn));
}

// Idea: a switch that reduces holds a partial reduction for each target and part, so it can hold all results at once.
// In the first round, each processor sends its contributions there, for all who want them. In the second, one message
// to each target brings the result. Messages that end or begin at a switch take no port of it.
//
//   allreduce of 4 around a switch, single ports: 0 sends for 1, 2 and 3, and so on; then all have the sums of others
//
// Cost: a breadth-first search each way, and the packets.

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
