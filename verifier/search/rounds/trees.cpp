// Idea: in rounds messages may have any length. So one tree towards a root serves all values, or chunks, at once, and
// one tree from the root brings everything to where it is wanted. Copies that are of no use are left out (tables.h).
// Contributions are combined on the way to the root, and results go out whole.
//
//   allreduce of 16 with single ports, all neighbours: 4 rounds to the root, and 4 back
//
// Cost: that of two trees (Spread) for each root and shape, and of their tables.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "model/distances.h"
#include "model/fabric.h"
#include "verifier/search/heuristics/schedules.h"
#include "verifier/search/rounds/rounds.h"
#include "verifier/search/rounds/tables.h"

namespace quadrille::searching {
namespace {

struct SpreadTree {
  std::uint32_t round = 1;
  NodeId known;              // at one end: a processor that was reached before
  std::vector<NodeId> news;  // at the other: the processors that it reaches; several where it branches
  std::vector<std::pair<ChannelId, LaneId>> ways;
};

// Spread reaches all processors from one, in rounds, message by message; or, with the messages turned round, gathers
// from all. In each round, everybody who has been reached sends on, in the order in which they were reached, while
// paths and ports are free. Each path is found by a breadth-first search over free channels. It leads to one processor,
// or, where messages branch, to all that it reaches through switches.
//
//   two servers of four behind a switch, single ports: 0 reaches one of the other server first, as that is the
//   farthest; then both reach others of their own, and in the third round all are reached
//
// Cost: for each message, a look at each channel; twice that where the farthest processor is taken next.
class Spread {
 public:
  Spread(const Fabric& fabric, NodeId root, Direction direction, bool branches, Next next, Watch& watch)
      : fabric_(fabric),
        direction_(direction),
        branches_(branches),
        next_(next),
        watch_(watch),
        held_(fabric.rules().paths == quadrille::Paths::held),
        half_(fabric.rules().duplex == Duplex::half),
        single_(fabric.rules().ports == Ports::single),
        reached_{root},
        is_reached_(fabric.nodes()) {
    is_reached_[root.value] = true;
  }

  // The messages by which `root` reaches all. The processor that is reached next is the one nearest to the sender, or
  // the one farthest from all that have been reached. Direction::to: all messages run the other way, towards the root;
  // then the first round is the last one. `branches`: whether messages branch, or join, at switches. Nothing if some
  // processor is not reached.
  std::optional<std::vector<SpreadTree>> run() {
    for (round_ = 1; reached_.size() < fabric_.processors(); ++round_) {
      used_.assign(fabric_.channels(), 0);
      const std::size_t before = reached_.size();
      // With single ports everybody sends one message; otherwise, one after another while there is room.
      for (bool more = true; more;) {
        more = false;
        for (std::size_t i = 0; i < before; ++i) {
          watch_.require_open();
          more = (branches_ ? send_to_many(reached_[i]) : send_to_one(reached_[i])) || more;
        }
        more = more && !single_;
      }
      if (reached_.size() == before) return std::nullopt;
    }
    return std::move(messages_);
  }

 private:
  using Into = std::vector<std::optional<ChannelId>>;  // by node: the channel by which the search came to it

  ChannelIds channels_at(NodeId node) const {
    return direction_ == Direction::from ? fabric_.channels_from(node) : fabric_.channels_to(node);
  }
  NodeId beyond(ChannelId e) const {
    return direction_ == Direction::from ? fabric_.channel(e).to : fabric_.channel(e).from;
  }
  NodeId before(ChannelId e) const {
    return direction_ == Direction::from ? fabric_.channel(e).from : fabric_.channel(e).to;
  }

  bool free(ChannelId e) const {
    if (!held_) return true;
    if (used_[e.value] >= fabric_.channel(e).capacity) return false;
    const auto back = half_ ? fabric_.reverse(e) : std::nullopt;
    return !back || used_[e.value] + used_[back->value] < fabric_.channel(fabric_.link(e)).capacity;
  }

  // The processors, not reached before, that a message can come to if it begins with one of these channels, nearest
  // first. A message that branches goes through switches only.
  std::vector<NodeId> within_reach(NodeId from, ChannelIds first, Into& into) const {
    std::vector<NodeId> found;
    std::vector<NodeId> list;
    const auto look = [&](ChannelId e) {
      const NodeId to = beyond(e);
      if (to == from || into[to.value] || !free(e)) return;
      into[to.value] = e;
      if (!branches_ || !fabric_.is_processor(to)) list.push_back(to);
      if (fabric_.is_processor(to) && !is_reached_[to.value]) found.push_back(to);
    };
    for (const ChannelId e : first) look(e);
    for (std::size_t i = 0; i < list.size(); ++i) {
      for (const ChannelId e : channels_at(list[i])) look(e);
    }
    return found;
  }

  bool send_to_one(NodeId from) {
    Into into(fabric_.nodes());
    const std::vector<NodeId> found = within_reach(from, channels_at(from), into);
    if (found.empty()) return false;
    NodeId to = found.front();
    if (next_ == Next::farthest) {
      const auto away = distances(fabric_, reached_, direction_, [](ChannelId) { return true; });
      to = *std::ranges::max_element(found, {}, [&](NodeId node) { return away[node.value]; });
    }
    send(from, {to}, into);
    return true;
  }

  // Sends out of the processor by the one channel that leads to the most processors.
  bool send_to_many(NodeId from) {
    std::vector<NodeId> most;
    Into by(fabric_.nodes());
    for (const ChannelId e : channels_at(from)) {
      Into into(fabric_.nodes());
      std::vector<NodeId> found = within_reach(from, ChannelIds::consecutive(e.value, 1), into);
      if (found.size() <= most.size()) continue;
      most = std::move(found);
      by = std::move(into);
    }
    if (most.empty()) return false;
    send(from, most, by);
    return true;
  }

  void send(NodeId from, const std::vector<NodeId>& news, const Into& into) {
    SpreadTree message{round_, from, news, {}};
    std::vector<bool> taken(fabric_.channels());
    for (const NodeId end : news) {
      is_reached_[end.value] = true;
      reached_.push_back(end);
      for (NodeId at = end; at != from;) {
        const ChannelId e = into[at.value].value();
        if (!taken[e.value]) message.ways.emplace_back(e, LaneId(held_ ? used_[e.value]++ : 0));
        taken[e.value] = true;
        at = before(e);
      }
    }
    messages_.push_back(std::move(message));
  }

  const Fabric& fabric_;
  Direction direction_;
  bool branches_;
  Next next_;
  Watch& watch_;
  bool held_;
  bool half_;
  bool single_;
  std::vector<NodeId> reached_;  // in this order
  std::vector<bool> is_reached_;
  std::vector<std::uint32_t> used_;  // by channel: lanes taken in this round
  std::uint32_t round_ = 1;
  std::vector<SpreadTree> messages_;
};

constexpr std::uint64_t most_tree_looks = std::uint64_t{1} << 22;  // at channels, for one tree: a moment
constexpr std::uint64_t most_rows = std::uint64_t{1} << 18;

using SpreadMessages = std::vector<SpreadTree>;

struct TwoTrees {
  SpreadMessages in;   // towards the root; the last round first
  SpreadMessages out;  // from the root
};

std::uint32_t rounds_of(const SpreadMessages& messages) { return messages.empty() ? 0 : messages.back().round; }

std::optional<TwoTrees> two_trees(const Fabric& fabric, const Collective& collective, NodeId root, Next next,
                                  Watch& watch) {
  const auto& shape = collective.shape();
  const bool only_out = shape && shape->suppliers == DemandShape::Ends::root;
  const bool only_in = shape && shape->wanters == DemandShape::Ends::root;
  const bool branches = !collective.combining() && !fabric.switches_forward() && fabric.has_switches();
  TwoTrees trees;
  if (!only_out) {
    auto in = Spread(fabric, root, Direction::to, messages_join(fabric, collective), next, watch).run();
    if (!in) return std::nullopt;
    trees.in = *std::move(in);
  }
  if (!only_in) {
    auto out = Spread(fabric, root, Direction::from, branches, next, watch).run();
    if (!out) return std::nullopt;
    trees.out = *std::move(out);
  }
  return trees;
}

std::optional<SendTable> copied(const Fabric& fabric, const Collective& collective, const TwoTrees& trees) {
  std::vector<DrawnMessage> drawn;
  const std::uint32_t turn = rounds_of(trees.in);
  std::uint32_t number = 0;
  for (const SpreadTree& it : trees.in) {
    drawn.push_back({turn + 1 - it.round, number++, it.news.front(), {it.known}, it.ways});
  }
  for (const SpreadTree& it : trees.out) {
    drawn.push_back({turn + it.round, number++, it.known, it.news, it.ways});
  }
  return round_table(fabric, collective, "trees", std::move(drawn));
}

// The values that are wanted at each processor, or beyond it in the tree.
std::vector<std::set<std::uint32_t>> wanted_beyond(const Collective& collective, const SpreadMessages& out) {
  std::vector<std::set<std::uint32_t>> wanted(collective.processors());
  for (std::uint64_t number = 0; number < collective.demands(); ++number) {
    const auto [value, processor] = collective.demand_at(number);
    wanted[processor.value].insert(static_cast<std::uint32_t>(value.value));
  }
  for (auto it = out.rbegin(); it != out.rend(); ++it) {
    for (const NodeId end : it->news)
      wanted[it->known.value].insert(wanted[end.value].begin(), wanted[end.value].end());
  }
  return wanted;
}

template <class Values>
bool name_packets(const Collective& collective, NodeId from, NodeId to, const Values& values, JoiningMessage& message) {
  for (const std::uint32_t value : values) {
    const auto packet = collective.chunk({from.value, to.value, value});
    if (!packet) return false;
    message.packets[from].push_back(*packet);
  }
  return true;
}

std::optional<SendTable> combined(const Fabric& fabric, const Collective& collective, const TwoTrees& trees) {
  std::set<std::uint32_t> all;
  for (std::uint32_t value = 0; value < collective.values(); ++value) all.insert(value);
  std::vector<JoiningMessage> messages;
  const std::uint32_t turn = rounds_of(trees.in);
  for (const SpreadTree& it : trees.in) {
    JoiningMessage message{turn + 1 - it.round, it.known, it.ways, {}};
    for (const NodeId end : it.news) {
      if (!name_packets(collective, end, it.known, all, message)) return std::nullopt;
    }
    messages.push_back(std::move(message));
  }
  const auto wanted = wanted_beyond(collective, trees.out);
  for (const SpreadTree& it : trees.out) {
    JoiningMessage message{turn + it.round, it.news.front(), it.ways, {}};
    if (!name_packets(collective, it.known, message.receiver, wanted[message.receiver.value], message)) {
      return std::nullopt;
    }
    if (!message.packets.empty()) messages.push_back(std::move(message));
  }
  return joined_table(fabric, collective, "trees", std::move(messages));
}

bool has_trees(const Fabric& fabric, const Collective& collective) {
  const std::uint64_t n = fabric.processors();
  if (n < 2 || n * (fabric.channels() + fabric.nodes()) > most_tree_looks) return false;
  if (collective.demands() > most_rows) return false;
  if (!collective.combining()) return true;
  return n * collective.values() <= most_rows && !collective.shape()->by_rank();
}

}  // namespace

void for_round_trees(const Fabric& fabric, const Collective& collective, Watch& watch,
                     const std::function<bool(SendTable table)>& take) {
  if (!has_trees(fabric, collective)) return;
  const auto& shape = collective.shape();
  std::set<std::uint32_t> roots{0, fabric.processors() / 2};
  if (shape && shape->rooted()) roots = {shape->root};
  for (const Next next : {Next::farthest, Next::nearest}) {
    for (const std::uint32_t root : roots) {
      const auto trees = two_trees(fabric, collective, NodeId(root), next, watch);
      if (!trees) continue;
      auto table = collective.combining() ? combined(fabric, collective, *trees) : copied(fabric, collective, *trees);
      if (table && !take(*std::move(table))) return;
    }
  }
}

}  // namespace quadrille::searching
