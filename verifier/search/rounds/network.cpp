// The strands are chosen so that a schedule of T rounds exists exactly where one over strands does:
// * Paths held: a strand for each lane of each channel. If every processor has a channel to every other, and links
//   are full duplex or ports single, a message needs one channel only. For two messages from a to b are as good as
//   one of everything that a has. And messages between different pairs can each have the channel of their pair:
//   single ports and half duplex leave no two for one link.
// * Paths shared: only the existence of a path matters, so there is a strand for each pair of nodes with a path. But
//   a processor with a single port reaches several others with one message if it branches at switches. Then strands
//   are channels, and each sender has its own. A switch needs no port to send, so it sends each receiver a message of
//   its own.
//
//   star of 3, held, full duplex: strands 0->s, 1->s, 2->s and s->0, s->1, s->2; the latter may each go on with any
//   strand into s but that of the same processor
//
// Where lengths count, a message cannot bring more than is needed, and messages cannot stand for one another. So the
// strands are:
// * Paths held: a strand for each lane of each channel, as two messages from a to b may be shorter than one. With
//   single ports there is only one message.
// * Paths shared, single ports: strands of its own for each processor's message, one for each channel.
// * Paths shared, multiple ports: a message may as well be of one chunk, as only loads count, and a node gets each
//   chunk once. So each chunk has one set of strands for each node that is the lowest receiver of a message. If the
//   chunk is wanted once, one set is enough, for one path is enough. Partial reductions of a value with one target
//   leave each processor once; others leave it once for each receiver.
//
//   ring of 4, shared, broadcast from 0: for each of the receivers 1, 2, 3, six of the eight channels at most: none
//   into 0, none out of the receiver
//
// Cost: strands x (strands into the node where they begin).
#include "verifier/search/rounds/network.h"

#include <algorithm>
#include <map>

namespace quadrille::searching {
namespace {

constexpr std::uint64_t most_pairs = std::uint64_t{1} << 22;  // pairs of consecutive strands

// The nodes, by number, that a path from `node` leads to, except itself.
std::vector<bool> reached_from(const Fabric& fabric, NodeId node) {
  std::vector<bool> reached(fabric.nodes());
  std::vector<NodeId> waiting{node};
  reached[node.value] = true;
  while (!waiting.empty()) {
    const NodeId at = waiting.back();
    waiting.pop_back();
    for (const ChannelId e : fabric.channels_from(at)) {
      const NodeId to = fabric.channel(e).to;
      if (reached[to.value]) continue;
      reached[to.value] = true;
      waiting.push_back(to);
    }
  }
  reached[node.value] = false;
  return reached;
}

void require_room(std::uint64_t pairs) {
  if (pairs > most_pairs) throw Ended{Reason::limit};
}

// Whether a message from a to b, of any length, never needs more than the channel from a to b, as the head of this file
// explains. Lanes are left aside.
bool all_are_neighbours(const Fabric& fabric) {
  if (fabric.has_switches()) return false;
  const Rules& rules = fabric.rules();
  if (rules.duplex == Duplex::half && rules.ports == Ports::multi) return false;
  const std::uint64_t n = fabric.processors();
  return fabric.channels() == n * (n - 1);
}

// Fills in which of the strands from `first` on may go on with which. A message does not go back to where it has just
// been. `pairs` is the number of such pairs so far.
void add_what_follows(RoundNetwork& network, std::size_t first, std::uint64_t& pairs, Watch& watch) {
  std::map<NodeId, std::vector<std::uint32_t>> into;
  for (std::size_t i = first; i < network.strands.size(); ++i) {
    into[network.strands[i].to].push_back(static_cast<std::uint32_t>(i));
  }
  for (std::size_t i = first; i < network.strands.size(); ++i) {
    watch.require_open();
    Strand& strand = network.strands[i];
    if (strand.from.value == strand.sender) continue;  // a message passes its sender only at its beginning
    for (const std::uint32_t before : into[strand.from]) {
      if (network.strands[before].from != strand.to) strand.after.push_back(before);
    }
    require_room(pairs += strand.after.size());
  }
}

// Removes strands whose predecessors are all removed. The strands that remain, if any, lead in circles.
bool leads_in_circles(const RoundNetwork& network) {
  const std::size_t count = network.strands.size();
  std::vector<std::size_t> before(count);
  std::vector<std::vector<std::uint32_t>> next(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    before[i] = network.strands[i].after.size();
    for (const std::uint32_t j : network.strands[i].after) next[j].push_back(i);
  }
  std::vector<std::uint32_t> free;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (before[i] == 0) free.push_back(i);
  }
  std::size_t gone = 0;
  while (!free.empty()) {
    const std::uint32_t i = free.back();
    free.pop_back();
    ++gone;
    for (const std::uint32_t j : next[i]) {
      if (--before[j] == 0) free.push_back(j);
    }
  }
  return gone < count;
}

constexpr std::uint64_t most_carried = std::uint64_t{1} << 23;  // pairs of strands and what they may carry

class RoundNetworkBuilder {
 public:
  // `origins`: where lengths count, else none.
  RoundNetworkBuilder(const Fabric& fabric, bool branches, const std::vector<Origin>& origins, Watch& watch)
      : fabric_(fabric), origins_(origins), watch_(watch), held_(fabric.rules().paths == quadrille::Paths::held) {
    it_.branches = branches && fabric.has_switches();
    it_.single = fabric.rules().ports == Ports::single;
    it_.half = fabric.rules().duplex == Duplex::half;
  }

  RoundNetwork of_rounds() {
    if (held_) {
      const bool direct = all_are_neighbours(fabric_);
      require_room_of_lanes(direct);
      add_lanes(direct);
    } else if (it_.single && it_.branches) {
      it_.once = true;
      require_room(std::uint64_t{fabric_.processors()} * fabric_.channels());
      add_by_sender();
      add_ways(fabric_.processors());
    } else {
      add_ways(0);
    }
    return finished();
  }

  RoundNetwork of_volume(bool combining) {
    const bool direct = it_.single && all_are_neighbours(fabric_) && (held_ || all_alike());
    if (direct || held_) {
      add_lanes(direct);
    } else if (it_.single) {
      add_by_sender();
    } else if (combining) {
      add_by_value();
    } else {
      for (const Origin& it : origins_) add_by_receiver(it);
    }
    held_ ? weigh_strands() : weigh_channels();
    return finished();
  }

 private:
  RoundNetwork finished() {
    if (leads_in_circles(it_)) it_.depth = fabric_.nodes() - 1;
    return std::move(it_);
  }

  bool all_alike() const {
    return std::ranges::all_of(fabric_.all_channels(), [&](const Channel& channel) {
      return channel.capacity == fabric_.channel(ChannelId(0)).capacity;
    });
  }

  void require_room_of_lanes(bool direct) const {
    std::uint64_t pairs = 0;
    for (std::uint32_t v = 0; v < fabric_.nodes(); ++v) {
      const std::uint64_t in = fabric_.lanes_of(fabric_.channels_to(NodeId(v)));
      const std::uint64_t out = fabric_.lanes_of(fabric_.channels_from(NodeId(v)));
      require_room(pairs += direct ? out : in * out);
    }
  }

  void add(Strand strand) {
    if (it_.strands.size() * origins_.size() > most_carried) throw Ended{Reason::limit};
    it_.strands.push_back(std::move(strand));
  }

  // Adds a strand for each lane. `direct`: one message between neighbours is enough, whatever the capacity is.
  void add_lanes(bool direct) {
    for (std::uint32_t e = 0; e < fabric_.channels(); ++e) {
      const Channel& channel = fabric_.channel(ChannelId(e));
      for (std::uint32_t lane = 0; lane < (direct ? 1 : channel.capacity); ++lane) {
        add({channel.from, channel.to, ChannelId(e), LaneId(lane)});
      }
    }
    if (direct) return;
    add_what_follows(it_, 0, pairs_, watch_);
    for (std::uint32_t e = 0; it_.half && e < fabric_.channels(); ++e) {
      const auto back = fabric_.reverse(ChannelId(e));
      if (back && back->value > e) it_.links.push_back(strands_of(ChannelId(e), back));
    }
  }

  // The strands of a channel, and of the opposite channel if given.
  SharedLink strands_of(ChannelId e, std::optional<ChannelId> back) const {
    SharedLink link{fabric_.channel(e).capacity, {}};
    for (std::uint32_t i = 0; i < it_.strands.size(); ++i) {
      const auto channel = it_.strands[i].channel;
      if (channel == e || (back && channel == back)) link.strands.push_back(i);
    }
    return link;
  }

  // Adds a strand from each node, from number `first` on, to each node that it has a path to.
  void add_ways(std::uint32_t first) {
    require_room(std::uint64_t{fabric_.nodes()} * fabric_.nodes());
    for (std::uint32_t v = first; v < fabric_.nodes(); ++v) {
      watch_.require_open();
      const std::vector<bool> reached = reached_from(fabric_, NodeId(v));
      for (std::uint32_t w = 0; w < fabric_.nodes(); ++w) {
        if (reached[w]) add({NodeId(v), NodeId(w)});
      }
    }
  }

  // Adds a set of strands for messages of one kind, one for each channel that `complete` says is of use.
  template <class Complete>
  void add_set(const Complete& complete) {
    const std::size_t first = it_.strands.size();
    for (std::uint32_t e = 0; e < fabric_.channels(); ++e) {
      Strand strand{fabric_.channel(ChannelId(e)).from, fabric_.channel(ChannelId(e)).to, ChannelId(e)};
      if (complete(strand)) add(std::move(strand));
    }
    add_what_follows(it_, first, pairs_, watch_);
  }

  void add_by_sender() {
    for (std::uint32_t p = 0; p < fabric_.processors(); ++p) {
      add_set([&](Strand& it) {
        it.sender = p;
        it.starts = it.from.value == p;
        return it.to.value != p;
      });
    }
  }

  void add_by_receiver(const Origin& origin) {
    const auto starts = [&](std::uint32_t v) { return std::ranges::binary_search(origin.starts, v); };
    const auto others = std::ranges::count_if(origin.wanted, [&](std::uint32_t p) { return !starts(p); });
    if (others < 2) return others == 0 ? void() : add_to(origin, std::nullopt);
    for (std::uint32_t v = 0; v < fabric_.nodes(); ++v) {
      if (!starts(v)) add_to(origin, v);
    }
  }

  // Adds strands for the messages of the chunk with this lowest receiver; or for all, if that does not matter.
  void add_to(const Origin& origin, std::optional<std::uint32_t> receiver) {
    add_set([&](Strand& it) {
      it.only = origin.value;
      it.ends = !receiver || it.to.value == *receiver || (it_.branches && it.to.value > *receiver);
      return !std::ranges::binary_search(origin.starts, it.to.value) && it.from.value != receiver;
    });
  }

  void add_by_value() {
    std::map<std::uint64_t, std::vector<std::uint32_t>> targets;
    for (const Origin& it : origins_) {
      std::vector<std::uint32_t>& of_value = targets[it.value];
      of_value.insert(of_value.end(), it.wanted.begin(), it.wanted.end());
    }
    for (const auto& [value, wanted] : targets) {
      const auto [lowest, highest] = std::ranges::minmax(wanted);
      for (std::uint32_t u = 0; u < fabric_.nodes(); ++u) {
        if (lowest == highest && u != lowest) add_partial_reduction(value, u, std::nullopt);
        for (std::uint32_t v = 0; lowest != highest && v < fabric_.nodes(); ++v) {
          if (u != v) add_partial_reduction(value, u, v);
        }
      }
    }
  }

  void add_partial_reduction(std::uint64_t value, std::uint32_t sender, std::optional<std::uint32_t> receiver) {
    add_set([&](Strand& it) {
      it.sender = sender;
      it.only = value;
      it.starts = it.from.value == sender;
      it.ends = !receiver || it.to.value == *receiver;
      return it.to.value != sender && it.from.value != receiver;
    });
  }

  // The longest message determines the length of a round.
  void weigh_strands() {
    for (std::uint32_t i = 0; i < it_.strands.size(); ++i) it_.loads.push_back({1, {i}});
  }

  // The channel, or half-duplex link, with the highest load determines the length of a round.
  void weigh_channels() {
    for (std::uint32_t e = 0; e < fabric_.channels(); ++e) {
      const auto back = it_.half ? fabric_.reverse(ChannelId(e)) : std::nullopt;
      if (!back || back->value > e) it_.loads.push_back(strands_of(ChannelId(e), back));
    }
  }

  const Fabric& fabric_;
  const std::vector<Origin>& origins_;
  Watch& watch_;
  bool held_;
  RoundNetwork it_;
  std::uint64_t pairs_ = 0;
};

}  // namespace

RoundNetwork round_network(const Fabric& fabric, bool branches, Watch& watch) {
  return RoundNetworkBuilder(fabric, branches, {}, watch).of_rounds();
}

RoundNetwork volume_network(const Fabric& fabric, const Collective& collective, const std::vector<Origin>& origins,
                            Watch& watch) {
  const bool branches = !collective.combining() && !fabric.rules().switches_forward();
  return RoundNetworkBuilder(fabric, branches, origins, watch).of_volume(collective.combining());
}

std::optional<std::string> why_no_volume(const Fabric& fabric) {
  const Rules& rules = fabric.rules();
  if (rules.paths == quadrille::Paths::held || rules.ports == Ports::multi || !fabric.has_switches()) {
    return std::nullopt;
  }
  return "no formula is about the volume of shared paths with single ports and switches";
}

}  // namespace quadrille::searching
