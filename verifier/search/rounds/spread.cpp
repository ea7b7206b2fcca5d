// Idea: in each round, everybody who has been reached sends on, in the order in which they were reached, while paths
// and ports are free. Each path is found by a breadth-first search over free channels. It leads to one processor, or,
// where messages branch, to all that it reaches through switches.
//
//   two servers of four behind a switch, single ports: 0 reaches one of the other server first, as that is the
//   farthest; then both reach others of their own, and in the third round all are reached
//
// Cost: for each message, a look at each channel; twice that where the farthest processor is taken next.
#include "verifier/search/rounds/spread.h"

#include <algorithm>

namespace quadrille::searching {
namespace {

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

  std::optional<std::vector<SpreadMessage>> run() {
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
    SpreadMessage message{round_, from, news, {}};
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
  std::vector<SpreadMessage> messages_;
};

}  // namespace

std::optional<std::vector<SpreadMessage>> spread(const Fabric& fabric, NodeId root, Direction direction, bool branches,
                                                 Next next, Watch& watch) {
  return Spread(fabric, root, direction, branches, next, watch).run();
}

}  // namespace quadrille::searching
