// Idea: two searches through the fabric for each chunk, over the channels that it may use: one from where it starts,
// and one, against the channels, from where it is wanted (verifier/FORMULA.md, The question). Chunks that start at
// the same processors share the first search.
//
//   chunk 0->1 of a total exchange on the ring of 4, nodes 0 to 3: earliest 0, 1, 2, 1 and remaining 1, 0, 1, 2, as no
//   channel into 0 is used
//
// Cost: chunks x (nodes + channels). For a chunk that keeps to its paths in a tree, the cost is the length of these.
#include "verifier/search/problem/moves.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "model/distances.h"
#include "model/route.h"

namespace quadrille::searching {
namespace {

constexpr std::uint32_t far = unreachable;

// Memory of each item, with its copy in the shortest moves, and with what list scheduling adds.
constexpr std::uint64_t bytes_per_demand = 64;
constexpr std::uint64_t bytes_per_place = 2 * sizeof(ChunkPlace) + 1;
constexpr std::uint64_t bytes_per_crossing = 2 * sizeof(ChunkCrossing) + 16;

using Processors = std::vector<std::uint32_t>;

bool is_in(const Processors& processors, NodeId node) {
  return std::binary_search(processors.begin(), processors.end(), node.value);
}

struct Ends {
  ChunkId chunk;
  Processors starts;
  Processors wanted;
};

// Every chunk that has a demand, with the processors where it starts and those that want it, both increasing.
std::vector<Ends> ends_of(const Collective& collective, Watch& watch) {
  std::map<std::uint64_t, Processors> wanted;
  for (std::uint64_t number = 0; number < collective.demands(); ++number) {
    if (number % 1024 == 0) watch.require_open();
    const auto [chunk, processor] = collective.demand_at(number);
    wanted[chunk.value].push_back(processor.value);
  }
  std::vector<Ends> all;
  all.reserve(wanted.size());
  for (auto& [chunk, processors] : wanted) {
    if (all.size() % 1024 == 0) watch.require_open();
    Ends ends{ChunkId{chunk}, starts_of(collective, ChunkId{chunk}), std::move(processors)};
    std::sort(ends.wanted.begin(), ends.wanted.end());
    all.push_back(std::move(ends));
  }
  return all;
}

// Hops from the nearest of `sources` to every node, or from every node to the nearest of them. Does not use channels
// into `starts`.
std::vector<std::uint32_t> hops(const Fabric& fabric, const Processors& sources, const Processors& starts,
                                Direction direction) {
  const std::vector<NodeId> ends(sources.begin(), sources.end());
  return distances(fabric, ends, direction, [&](ChannelId id) { return !is_in(starts, fabric.channel(id).to); });
}

std::uint64_t bytes_of(const Moves& moves) {
  return sizeof(Moves) + moves.places.size() * bytes_per_place + moves.crossings.size() * bytes_per_crossing;
}

ChunkPlace place_at(NodeId node, std::uint32_t earliest, std::uint32_t remaining, const Ends& ends) {
  return {node, earliest, remaining, is_in(ends.starts, node), is_in(ends.wanted, node)};
}

void add_crossing(const Fabric& fabric, ChannelId id, Moves& moves) {
  const std::size_t from = moves.place_of(fabric.channel(id).from);
  const std::size_t to = moves.place_of(fabric.channel(id).to);
  if (from == moves.places.size() || to == moves.places.size()) return;
  moves.crossings.push_back({id, from, to});
}

// The moves on a tree of a chunk with one start, along the paths to those that want it.
Moves along_paths(const Fabric& fabric, const Router& router, const Ends& ends) {
  Moves moves{ends.chunk, ends.wanted.size() == 1, {}, {}};
  const NodeId start{ends.starts.front()};
  std::map<NodeId, ChunkPlace> places{{start, place_at(start, 0, far, ends)}};
  std::set<ChannelId> channels;
  std::vector<ChannelId> path;
  for (const std::uint32_t wanted : ends.wanted) {
    path.clear();
    router.append_route(start, NodeId{wanted}, path);
    const auto length = static_cast<std::uint32_t>(path.size());
    for (std::uint32_t i = 0; i <= length; ++i) {
      const NodeId node = i == 0 ? start : fabric.channel(path[i - 1]).to;
      ChunkPlace& place = places.try_emplace(node, place_at(node, i, far, ends)).first->second;
      place.remaining = std::min(place.remaining, length - i);
    }
    channels.insert(path.begin(), path.end());
  }
  for (const auto& [node, place] : places) moves.places.push_back(place);
  for (const ChannelId id : channels) add_crossing(fabric, id, moves);
  return moves;
}

Moves anywhere(const Fabric& fabric, const Ends& ends, const std::vector<std::uint32_t>& earliest,
               const std::vector<std::uint32_t>& remaining) {
  Moves moves{ends.chunk, false, {}, {}};
  for (std::uint32_t v = 0; v < fabric.nodes(); ++v) {
    if (earliest[v] == far || remaining[v] == far) continue;
    moves.places.push_back(place_at(NodeId{v}, earliest[v], remaining[v], ends));
  }
  for (std::uint32_t id = 0; id < fabric.channels(); ++id) {
    if (!is_in(ends.starts, fabric.channel(ChannelId{id}).to)) add_crossing(fabric, ChannelId{id}, moves);
  }
  moves.unreachable = static_cast<std::size_t>(
      std::count_if(ends.wanted.begin(), ends.wanted.end(), [&](std::uint32_t p) { return earliest[p] == far; }));
  return moves;
}

// The places of a chunk's copies, numbered provisionally: a processor by its number, a switch once for each
// processor.
class CopyPlaces {
 public:
  CopyPlaces(const Fabric& fabric, const Ends& ends) : fabric_(fabric), ends_(ends), n_(fabric.processors()) {}

  std::size_t number() const { return n_ + std::size_t{fabric_.nodes() - n_} * n_; }
  NodeId node(std::size_t place) const {
    return NodeId{static_cast<std::uint32_t>(place < n_ ? place : n_ + (place - n_) / n_)};
  }
  std::uint32_t towards(std::size_t place) const {
    return static_cast<std::uint32_t>(place < n_ ? place : (place - n_) % n_);
  }
  std::size_t at(NodeId node, std::uint32_t towards) const {
    return fabric_.is_processor(node) ? node.value : n_ + std::size_t{node.value - n_} * n_ + towards;
  }

  // Whether a copy for p may cross the channel. The copy starts at another processor, and ends at the first one that
  // it reaches, p.
  bool may_cross(const Channel& channel, std::uint32_t p) const {
    if (is_in(ends_.starts, NodeId{p}) || channel.from.value == p) return false;
    return !fabric_.is_processor(channel.to) || channel.to.value == p;
  }

 private:
  const Fabric& fabric_;
  const Ends& ends_;
  std::size_t n_;
};

// Breadth-first distances from the given places along the crossings, or against them.
std::vector<std::uint32_t> hops(const std::vector<ChunkCrossing>& crossings, const Processors& sources,
                                std::size_t places, Direction direction) {
  const bool from = direction == Direction::from;
  std::vector<std::vector<std::size_t>> next(places);
  for (const ChunkCrossing& it : crossings) next[from ? it.from : it.to].push_back(from ? it.to : it.from);
  std::vector<std::uint32_t> result(places, far);
  std::vector<std::size_t> reached(sources.begin(), sources.end());
  for (const std::size_t place : reached) result[place] = 0;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (const std::size_t place : next[reached[i]]) {
      if (result[place] != far) continue;
      result[place] = result[reached[i]] + 1;
      reached.push_back(place);
    }
  }
  return result;
}

// The moves of copies over these channels.
Moves as_copies(const Fabric& fabric, const Ends& ends, const std::vector<ChannelId>& channels) {
  const CopyPlaces all(fabric, ends);
  std::vector<ChunkCrossing> crossings;
  for (const ChannelId id : channels) {
    const Channel& channel = fabric.channel(id);
    for (std::uint32_t p = 0; p < fabric.processors(); ++p) {
      if (all.may_cross(channel, p)) crossings.push_back({id, all.at(channel.from, p), all.at(channel.to, p)});
    }
  }
  const auto earliest = hops(crossings, ends.starts, all.number(), Direction::from);
  const auto remaining = hops(crossings, ends.wanted, all.number(), Direction::to);
  Moves moves{ends.chunk, false, {}, {}, true};
  std::vector<std::size_t> index(all.number(), all.number());
  for (std::size_t place = 0; place < all.number(); ++place) {
    if (earliest[place] == far || remaining[place] == far) continue;
    index[place] = moves.places.size();
    moves.places.push_back(place_at(all.node(place), earliest[place], remaining[place], ends));
    moves.places.back().towards = all.towards(place);
  }
  for (const ChunkCrossing& it : crossings) {
    if (index[it.from] == all.number() || index[it.to] == all.number()) continue;
    moves.crossings.push_back({it.channel, index[it.from], index[it.to]});
  }
  moves.unreachable = static_cast<std::size_t>(
      std::count_if(ends.wanted.begin(), ends.wanted.end(), [&](std::uint32_t p) { return earliest[p] == far; }));
  return moves;
}

// The channels that the copies of a chunk use: those of its paths, or all channels but those into where it starts.
std::vector<ChannelId> channels_of_copies(const Fabric& fabric, const Router& router, const Ends& ends, bool on_paths) {
  std::vector<ChannelId> channels;
  if (on_paths) {
    for (const ChunkCrossing& it : along_paths(fabric, router, ends).crossings) channels.push_back(it.channel);
    return channels;
  }
  for (std::uint32_t id = 0; id < fabric.channels(); ++id) {
    if (!is_in(ends.starts, fabric.channel(ChannelId{id}).to)) channels.emplace_back(id);
  }
  return channels;
}

}  // namespace

std::vector<std::uint32_t> starts_of(const Collective& collective, ChunkId chunk) {
  if (!collective.listed()) return {collective.name(chunk).origin};
  std::vector<std::uint32_t> starts;
  for (std::uint32_t p = 0; p < collective.processors(); ++p) {
    if (collective.starts_at(chunk, NodeId{p})) starts.push_back(p);
  }
  return starts;
}

namespace {

// The index of the first item with this key; the number of items if there is none. Requires items in order.
template <class Item, class Key>
std::size_t index_of(const std::vector<Item>& items, Key key, Key Item::*member) {
  const auto at = std::ranges::lower_bound(items, key, {}, member);
  return at != items.end() && (*at).*member == key ? static_cast<std::size_t>(at - items.begin()) : items.size();
}

}  // namespace

std::size_t Moves::place_of(NodeId node) const { return index_of(places, node, &ChunkPlace::node); }

std::size_t Moves::crossing_of(ChannelId channel) const {
  return index_of(crossings, channel, &ChunkCrossing::channel);
}

bool links_are_alike(const Fabric& fabric) {
  for (std::uint32_t e = 0; e < fabric.channels(); ++e) {
    const auto back = fabric.reverse(ChannelId(e));
    if (!back || fabric.channel(*back).capacity != fabric.channel(ChannelId(e)).capacity) return false;
  }
  return true;
}

bool forwards(const Fabric& fabric) { return fabric.switches_forward() && fabric.has_switches(); }

std::vector<Moves> moves_within(const Fabric& fabric, const Collective& collective, bool keep_to_paths, Watch& watch) {
  const std::uint64_t room = watch.room();
  if (collective.demands() > room / bytes_per_demand) throw Ended{Reason::limit};
  const Router router(fabric);
  const bool tree = fabric.topology().tree() != nullptr;
  const bool unlimited = !fabric.rules().queue.limit;
  const bool forward = forwards(fabric);
  std::map<Processors, std::vector<std::uint32_t>> earliest;
  std::vector<Moves> all;
  std::uint64_t bytes = collective.demands() * bytes_per_demand;
  for (const Ends& ends : ends_of(collective, watch)) {
    if (!all.empty()) bytes += bytes_of(all.back());
    if (bytes > room) throw Ended{Reason::limit};
    watch.require_open();
    if (forward && ends.wanted.size() > 1) {
      // Each node or channel becomes one place or crossing for each processor; their memory is checked before they
      // are made.
      const std::uint64_t each = bytes_per_place * fabric.nodes() + bytes_per_crossing * fabric.channels();
      if (each * fabric.processors() > room - bytes) throw Ended{Reason::limit};
      const bool on_paths = tree && ends.starts.size() == 1 && keep_to_paths;
      all.push_back(as_copies(fabric, ends, channels_of_copies(fabric, router, ends, on_paths)));
      continue;
    }
    // Keeps to paths on trees, where a detour serves nothing (verifier/FORMULA.md, Why it is right) or is not asked
    // for.
    if (tree && ends.starts.size() == 1 && (keep_to_paths || (unlimited && ends.wanted.size() == 1))) {
      all.push_back(along_paths(fabric, router, ends));
      continue;
    }
    auto& from_starts = earliest[ends.starts];
    if (from_starts.empty()) from_starts = hops(fabric, ends.starts, ends.starts, Direction::from);
    all.push_back(anywhere(fabric, ends, from_starts, hops(fabric, ends.wanted, ends.starts, Direction::to)));
  }
  return all;
}

std::vector<ChunkHop> needed_hops(const Moves& moves, std::vector<ChunkHop> hops) {
  std::sort(hops.begin(), hops.end());
  std::vector<bool> needed(hops.size());
  // Marks the first or the last hop into `place` before `step`, and the hops that brought the chunk to where it
  // begins.
  const auto need = [&](std::size_t place, std::uint32_t step, bool first) {
    while (!moves.places[place].start) {
      std::size_t found = hops.size();
      for (std::size_t i = 0; i < hops.size() && hops[i].first < step; ++i) {
        if (moves.crossings[hops[i].second].to != place) continue;
        found = i;
        if (first) break;
      }
      if (found == hops.size() || needed[found]) return;
      needed[found] = true;
      step = hops[found].first;
      place = moves.crossings[hops[found].second].from;
      first = moves.copies && moves.places[place].node.value == moves.places[place].towards;
    }
  };
  for (std::size_t p = 0; p < moves.places.size(); ++p) {
    if (moves.places[p].wanted) need(p, std::numeric_limits<std::uint32_t>::max(), true);
  }
  std::vector<ChunkHop> result;
  for (std::size_t i = 0; i < hops.size(); ++i) {
    if (needed[i]) result.push_back(hops[i]);
  }
  return result;
}

std::vector<Moves> shortest_moves(const std::vector<Moves>& moves) {
  std::vector<Moves> shortest = moves;
  for (Moves& it : shortest) {
    if (it.copies) continue;  // on shortest paths from the start, no processor would hand the chunk on
    std::uint32_t wanted = 0;
    std::uint32_t way = 0;  // hops to the processor that wants it, if there is one only
    for (const ChunkPlace& place : it.places) {
      if (!place.wanted) continue;
      ++wanted;
      way = place.earliest;
    }
    // One target: keeps the crossings on some shortest path to it. Several: keeps the edges of a breadth-first
    // search.
    std::erase_if(it.crossings, [&](const ChunkCrossing& crossing) {
      const ChunkPlace& from = it.places[crossing.from];
      const ChunkPlace& to = it.places[crossing.to];
      return wanted == 1 ? from.earliest + 1 + to.remaining != way : to.earliest != from.earliest + 1;
    });
  }
  return shortest;
}

std::uint64_t hops_within(const std::vector<Moves>& moves, std::uint32_t steps) {
  std::uint64_t number = 0;
  for (const Moves& it : moves) {
    for (const ChunkCrossing& crossing : it.crossings) {
      const std::uint64_t way = std::uint64_t{it.places[crossing.from].earliest} + it.places[crossing.to].remaining;
      if (way < steps) number += steps - way;
    }
  }
  return number;
}

}  // namespace quadrille::searching
