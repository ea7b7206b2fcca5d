// Idea: a message may bring everything that its sender has; the packets that are needed are found from the end. For a
// chunk to be where it is wanted, the message that first brought it is needed, and so is the chunk at its sender.
// Time-reversed, this gives a tree for each value of a reduction: a processor sends its partial reduction in the last
// round from which it can still get to the target. Where partial reductions made on the way might be wrong,
// contributions go one by one, as chunks do, and are kept.
//
//   messages 0->1, then 1->2 and 0->2: the chunk of 0 can come to 2 by either. 1->2 is looked at first and takes it;
//   0->2 is left out if it carries nothing else
//
// Cost: messages x origins, and the path of each demand.
#include "verifier/search/rounds/tables.h"

#include <algorithm>
#include <map>
#include <memory>
#include <queue>
#include <set>

#include "verifier/search/problem/moves.h"

namespace quadrille::searching {
namespace {

constexpr std::uint64_t most_direct = std::uint64_t{1} << 16;  // packets: a moment

struct Load {
  std::set<ChunkId> chunks;
  std::set<NodeId> receivers;
};

using Messages = std::vector<DrawnMessage>;
using Loads = std::vector<Load>;  // by message

// --- what messages carry --------------------------------------------------------------------------------------------

bool load_copies(const Fabric& fabric, const Collective& collective, const Messages& messages, Loads& loads) {
  // Where messages may carry anything, chunks that start at the same processors travel together.
  const bool together = std::ranges::all_of(messages, [](const DrawnMessage& it) { return it.values.empty(); });
  std::map<std::pair<std::vector<std::uint32_t>, ChunkId>, std::vector<std::size_t>> arrivals;
  std::map<ChunkId, std::vector<std::uint32_t>> starts;
  for (std::uint64_t number = 0; number < collective.demands(); ++number) {
    auto [chunk, at] = collective.demand_at(number);
    auto known = starts.find(chunk);
    if (known == starts.end()) known = starts.emplace(chunk, starts_of(collective, chunk)).first;
    const std::pair key(known->second, together ? ChunkId(0) : chunk);
    auto by = arrivals.find(key);
    if (by == arrivals.end()) {
      by = arrivals.emplace(key, first_arrivals(messages, known->second, chunk.value, fabric.nodes())).first;
    }
    while (!std::ranges::binary_search(known->second, at.value)) {
      const std::size_t m = by->second[at.value];
      if (m == no_message) return false;
      loads[m].chunks.insert(chunk);
      loads[m].receivers.insert(at);
      at = messages[m].sender;
    }
  }
  return true;
}

// The message by which each node sends on its partial reduction of the value: the last from which it reaches the
// target.
std::vector<std::size_t> last_departures(const Messages& messages, std::uint32_t value, NodeId target,
                                         std::uint32_t nodes) {
  std::vector<std::size_t> by(nodes, no_message);
  std::vector<std::uint32_t> leaves(nodes, 0);
  leaves[target.value] = max_step;
  for (std::size_t m = messages.size(); m-- > 0;) {
    const DrawnMessage& it = messages[m];
    if (!it.may_carry(value)) continue;
    if (leaves[it.sender.value] != 0 || leaves[it.receivers.front().value] <= it.round) continue;
    leaves[it.sender.value] = it.round;
    by[it.sender.value] = m;
  }
  return by;
}

bool load_reduction(const Fabric& fabric, const Collective& collective, std::uint32_t value, NodeId target,
                    const Messages& messages, Loads& loads) {
  const std::vector<std::size_t> by = last_departures(messages, value, target, fabric.nodes());
  for (std::uint32_t p = 0; p < fabric.processors(); ++p) {
    if (p == target.value) continue;
    std::vector<std::size_t> way;
    NodeId at(p);
    do {
      const std::size_t m = by[at.value];
      if (m == no_message) return false;
      way.push_back(m);
      at = messages[m].receivers.front();
    } while (!fabric.is_processor(at));
    const auto packet = collective.chunk({p, at.value, value});
    if (!packet) return false;
    for (const std::size_t m : way) loads[m].chunks.insert(*packet);
  }
  return true;
}

// Loads every value of every packet that a message can carry on; out of a processor, packets to any other processor.
void load_everything(const Fabric& fabric, const Collective& collective, const Messages& messages, Loads& loads) {
  std::vector<std::set<ChunkId>> waiting(fabric.nodes());  // in switches
  std::vector<std::pair<std::uint32_t, std::set<ChunkId>>> arriving;
  for (std::size_t m = 0; m < messages.size(); ++m) {
    const DrawnMessage& it = messages[m];
    if (m > 0 && messages[m - 1].round < it.round) {
      for (auto& [node, packets] : arriving) waiting[node].merge(packets);
      arriving.clear();
    }
    const NodeId to = it.receivers.front();
    const auto fits = [&](std::uint32_t target) { return !fabric.is_processor(to) || target == to.value; };
    for (const ChunkId packet : waiting[it.sender.value]) {
      const ChunkName name = collective.name(packet);
      if (fits(name.target.value()) && it.may_carry(name.part)) loads[m].chunks.insert(packet);
    }
    for (std::uint32_t p = 0; fabric.is_processor(it.sender) && p < fabric.processors(); ++p) {
      for (std::uint32_t value = 0; fits(p) && value < collective.values(); ++value) {
        if (!it.may_carry(value)) continue;
        if (const auto packet = collective.chunk({it.sender.value, p, value})) loads[m].chunks.insert(*packet);
      }
    }
    if (!fabric.is_processor(to)) arriving.emplace_back(to.value, loads[m].chunks);
  }
}

// Loads each contribution, as a packet of its own, for those who want it, into the messages that bring it first. It
// is kept where it arrives, so every processor sends only its own contribution.
bool load_each(const Fabric& fabric, const Collective& collective, const Messages& messages, Loads& loads) {
  for (std::uint32_t value = 0; value < collective.values(); ++value) {
    for (std::uint32_t p = 0; p < fabric.processors(); ++p) {
      const auto by = first_arrivals(messages, {p}, value, fabric.nodes());
      for (std::uint32_t target = 0; target < fabric.processors(); ++target) {
        const auto wanted = collective.wanted_contributions(value, NodeId(target));
        if (p == target || !wanted || p < wanted->first || p > wanted->second) continue;
        const ChunkId packet = collective.chunk({p, target, value}).value();
        for (NodeId at(target); at != NodeId(p); at = messages[by[at.value]].sender) {
          if (by[at.value] == no_message) return false;
          loads[by[at.value]].chunks.insert(packet);
        }
      }
    }
  }
  return true;
}

// Whether partial reductions that are made on the way might be wrong. With an ordered operation they may have gaps.
// If several processors want a value, no contribution may arrive twice unless the operation is idempotent, and some
// may want less than all. A switch that forwards has one copy for each packet that came.
bool goes_one_by_one(const Fabric& fabric, const Collective& collective) {
  if (!collective.combining()) return false;
  const bool switches = fabric.has_switches();
  if (collective.ordered() || (switches && fabric.switches_forward())) return true;
  for (std::uint32_t value = 0; value < collective.values(); ++value) {
    if (target_of(collective, value)) continue;
    if (!collective.idempotent()) return true;
    for (std::uint32_t p = 0; p < collective.processors(); ++p) {
      const auto wanted = collective.wanted_contributions(value, NodeId(p));
      if (wanted && wanted->second - wanted->first + 1 < collective.processors()) return true;
    }
  }
  return false;
}

bool load_contributions(const Fabric& fabric, const Collective& collective, const Messages& messages, Loads& loads) {
  for (std::size_t m = 0; m < messages.size(); ++m) {
    if (messages[m].receivers.size() != 1) return false;
    loads[m].receivers.insert(messages[m].receivers.front());
  }
  if (goes_one_by_one(fabric, collective)) return load_each(fabric, collective, messages, loads);
  std::vector<std::pair<std::uint32_t, NodeId>> targets;
  for (std::uint32_t value = 0; value < collective.values(); ++value) {
    const auto target = target_of(collective, value);
    if (target) targets.emplace_back(value, *target);
  }
  if (targets.size() < collective.values()) {
    load_everything(fabric, collective, messages, loads);
    return true;
  }
  return std::ranges::all_of(targets, [&](const auto& it) {
    return load_reduction(fabric, collective, it.first, it.second, messages, loads);
  });
}

// --- where they go --------------------------------------------------------------------------------------------------

std::optional<SendTable> loaded_table(const Fabric& fabric, const Collective& collective, std::string name,
                                      const Messages& messages, const Loads& loads, bool kept = false) {
  std::vector<StoredRows::StepRow> rows;
  std::vector<MessageId> numbers;
  std::vector<ReductionUse> words;
  std::map<std::uint32_t, std::uint32_t> next;  // next message number, by round
  for (std::size_t m = 0; m < messages.size(); ++m) {
    if (loads[m].chunks.empty()) continue;
    const auto tree = tree_of(fabric, messages[m], loads[m].receivers);
    if (tree.empty()) return std::nullopt;
    const MessageId number(next[messages[m].round]++);
    for (const ChunkId chunk : loads[m].chunks) {
      for (const auto& [channel, lane] : tree) {
        rows.push_back({StepId{messages[m].round}, {channel, lane, chunk}});
        numbers.push_back(number);
      }
    }
  }
  // If the collective leaves a processor's own contribution out, the partial reduction that it wants is kept apart.
  if (kept || collective.leaves_own_out()) words.resize(rows.size(), {{}, Arrival::kept});
  auto stored = words.empty() ? std::make_shared<StoredRows>(std::move(rows), numbers)
                              : std::make_shared<StoredRows>(std::move(rows), numbers, words);
  return SendTable{fabric, collective, std::move(name), {}, std::move(stored)};
}

void add_direct(NodeId from, NodeId to, ChunkId chunk, std::map<std::pair<NodeId, NodeId>, std::set<ChunkId>>& pairs) {
  if (from != to) pairs[{from, to}].insert(chunk);
}

}  // namespace

std::vector<std::size_t> first_arrivals(const std::vector<DrawnMessage>& messages,
                                        const std::vector<std::uint32_t>& starts, std::uint64_t value,
                                        std::uint32_t nodes) {
  std::vector<std::size_t> by(nodes, no_message);
  std::vector<std::uint32_t> since(nodes, max_step);
  for (const std::uint32_t p : starts) since[p] = 0;
  for (std::size_t m = 0; m < messages.size(); ++m) {
    if (since[messages[m].sender.value] >= messages[m].round || !messages[m].may_carry(value)) continue;
    for (const NodeId to : messages[m].receivers) {
      if (since[to.value] != max_step) continue;
      since[to.value] = messages[m].round;
      by[to.value] = m;
    }
  }
  return by;
}

std::optional<NodeId> target_of(const Collective& collective, std::uint32_t value) {
  std::optional<NodeId> target;
  for (std::uint32_t p = 0; p < collective.processors(); ++p) {
    if (!collective.wanted_contributions(value, NodeId(p))) continue;
    if (target) return std::nullopt;
    target = NodeId(p);
  }
  return target;
}

std::vector<std::pair<ChannelId, LaneId>> tree_of(const Fabric& fabric, const DrawnMessage& message,
                                                  const std::set<NodeId>& receivers) {
  std::map<NodeId, std::pair<ChannelId, LaneId>> into;
  std::queue<NodeId> waiting({message.sender});
  const auto enter = [&](ChannelId channel, LaneId lane) {
    const NodeId to = fabric.channel(channel).to;
    if (to != message.sender && into.try_emplace(to, channel, lane).second) waiting.push(to);
  };
  for (; !waiting.empty(); waiting.pop()) {
    const NodeId at = waiting.front();
    if (message.ways.empty()) {
      for (const ChannelId e : fabric.channels_from(at)) enter(e, LaneId(0));
    }
    for (const auto& [channel, lane] : message.ways) {
      if (fabric.channel(channel).from == at) enter(channel, lane);
    }
  }
  std::set<std::pair<ChannelId, LaneId>> kept;
  for (const NodeId receiver : receivers) {
    for (NodeId at = receiver; at != message.sender;) {
      const auto found = into.find(at);
      if (found == into.end()) return {};
      kept.insert(found->second);
      at = fabric.channel(found->second.first).from;
    }
  }
  return {kept.begin(), kept.end()};
}

std::optional<SendTable> round_table(const Fabric& fabric, const Collective& collective, std::string name,
                                     std::vector<DrawnMessage> messages) {
  std::ranges::stable_sort(messages, {}, &DrawnMessage::round);
  Loads loads(messages.size());
  const bool loaded = collective.combining() ? load_contributions(fabric, collective, messages, loads)
                                             : load_copies(fabric, collective, messages, loads);
  if (!loaded) return std::nullopt;
  return loaded_table(fabric, collective, std::move(name), messages, loads, goes_one_by_one(fabric, collective));
}

std::optional<SendTable> direct_table(const Fabric& fabric, const Collective& collective) {
  if (collective.demands() * (collective.combining() ? collective.processors() : 1) > most_direct) return std::nullopt;
  std::map<std::pair<NodeId, NodeId>, std::set<ChunkId>> pairs;
  for (std::uint64_t number = 0; number < collective.demands(); ++number) {
    const auto [chunk, to] = collective.demand_at(number);
    if (!collective.combining()) {
      add_direct(NodeId(starts_of(collective, chunk).front()), to, chunk, pairs);
      continue;
    }
    const auto value = static_cast<std::uint32_t>(chunk.value);
    const auto range = collective.wanted_contributions(value, to);
    for (std::uint32_t q = range->first; q <= range->second; ++q) {
      const auto packet = collective.chunk({q, to.value, value});
      if (packet) add_direct(NodeId(q), to, *packet, pairs);
    }
  }
  Messages messages;
  Loads loads;
  for (auto& [pair, chunks] : pairs) {
    messages.push_back({1, 0, pair.first, {pair.second}, {}});
    loads.push_back({std::move(chunks), {pair.second}});
  }
  return loaded_table(fabric, collective, "direct", messages, loads);
}

}  // namespace quadrille::searching
