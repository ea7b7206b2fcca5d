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
// Cost: strands x (strands into the node where they begin).
#include "verifier/search/rounds/network.h"

#include <algorithm>
#include <map>

namespace quadrille::searching {
namespace {

constexpr std::uint64_t most_pairs = std::uint64_t{1} << 22;  // pairs of consecutive strands

bool has_switches(const Fabric& fabric) { return fabric.has_switches(); }

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

class Builder {
 public:
  Builder(const Fabric& fabric, bool branches, Watch& watch) : fabric_(fabric), watch_(watch) {
    const Rules& rules = fabric.rules();
    it_.branches = branches && has_switches(fabric);
    it_.single = rules.ports == Ports::single;
    it_.half = rules.duplex == Duplex::half;
  }

  RoundNetwork build() {
    if (fabric_.rules().paths == quadrille::Paths::held) {
      add_lanes();
    } else if (it_.single && it_.branches) {
      add_trees();
    } else {
      add_ways(0);
    }
    if (leads_in_circles(it_)) it_.depth = fabric_.nodes() - 1;
    return std::move(it_);
  }

 private:
  void add_lanes() {
    const bool direct = all_are_neighbours(fabric_);
    std::uint64_t pairs = 0;
    for (std::uint32_t v = 0; v < fabric_.nodes(); ++v) {
      std::uint64_t in = 0;
      std::uint64_t out = 0;
      for (const ChannelId e : fabric_.channels_to(NodeId(v))) in += fabric_.channel(e).capacity;
      for (const ChannelId e : fabric_.channels_from(NodeId(v))) out += fabric_.channel(e).capacity;
      require_room(pairs += direct ? out : in * out);
    }
    for (std::uint32_t e = 0; e < fabric_.channels(); ++e) {
      const Channel& channel = fabric_.channel(ChannelId(e));
      // Between such neighbours one message is enough, whatever the capacity is.
      const std::uint32_t lanes = direct ? 1 : channel.capacity;
      for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        it_.strands.push_back({channel.from, channel.to, ChannelId(e), LaneId(lane)});
      }
    }
    if (!direct) add_what_follows(it_, 0, pairs_, watch_);
    if (it_.half && !direct) add_links();
  }

  void add_links() {
    for (std::uint32_t e = 0; e < fabric_.channels(); ++e) {
      const auto back = fabric_.reverse(ChannelId(e));
      if (!back || back->value < e) continue;
      SharedLink link{fabric_.channel(ChannelId(e)).capacity, {}};
      for (std::uint32_t i = 0; i < it_.strands.size(); ++i) {
        if (it_.strands[i].channel == ChannelId(e) || it_.strands[i].channel == *back) link.strands.push_back(i);
      }
      it_.links.push_back(std::move(link));
    }
  }

  // Adds a strand from each node, from number `first` on, to each node that it has a path to.
  void add_ways(std::uint32_t first) {
    require_room(std::uint64_t{fabric_.nodes()} * fabric_.nodes());
    for (std::uint32_t v = first; v < fabric_.nodes(); ++v) {
      watch_.require_open();
      const std::vector<bool> reached = reached_from(fabric_, NodeId(v));
      for (std::uint32_t w = 0; w < fabric_.nodes(); ++w) {
        if (reached[w]) it_.strands.push_back({NodeId(v), NodeId(w)});
      }
    }
  }

  void add_trees() {
    it_.once = true;
    require_room(std::uint64_t{fabric_.processors()} * fabric_.channels());
    for (std::uint32_t p = 0; p < fabric_.processors(); ++p) {
      const std::size_t first = it_.strands.size();
      for (std::uint32_t e = 0; e < fabric_.channels(); ++e) {
        const Channel& channel = fabric_.channel(ChannelId(e));
        if (channel.to.value == p) continue;
        it_.strands.push_back({channel.from, channel.to, ChannelId(e), LaneId(0), channel.from.value == p, p, {}});
      }
      add_what_follows(it_, first, pairs_, watch_);
    }
    add_ways(fabric_.processors());
  }

  const Fabric& fabric_;
  Watch& watch_;
  RoundNetwork it_;
  std::uint64_t pairs_ = 0;
};

}  // namespace

// The head of this file says why no more than the channels are needed.
bool all_are_neighbours(const Fabric& fabric) {
  if (has_switches(fabric)) return false;
  const Rules& rules = fabric.rules();
  if (rules.duplex == Duplex::half && rules.ports == Ports::multi) return false;
  const std::uint64_t n = fabric.processors();
  return fabric.channels() == n * (n - 1);
}

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

RoundNetwork round_network(const Fabric& fabric, bool branches, Watch& watch) {
  return Builder(fabric, branches, watch).build();
}

}  // namespace quadrille::searching
