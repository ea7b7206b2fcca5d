// Idea: list scheduling. In every step and channel by channel, the ready packets that the channel brings nearer to
// their receivers cross it, up to its capacity. The most urgent go first: the rarest chunk, then the one with the
// longest path left.
//
//   total exchange on the line 0-1-2: in step 1, 0->1 carries 0->2 (2 hops left) rather than 0->1
//
// The variant decides among packets that are equally urgent, and orders the channels; a few variants are tried. Cost:
// steps x (chunks x channels that they can cross). (R. L. Graham, Bounds on Multiprocessing Timing Anomalies, SIAM J.
// Appl. Math. 17(2), 1969.)
#include <algorithm>
#include <bit>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/max_cardinality_matching.hpp>
#include <limits>
#include <optional>
#include <random>
#include <unordered_map>
#include <utility>

#include "verifier/search/heuristics/schedules.h"

namespace quadrille::searching {
namespace {

constexpr std::uint32_t most_greedy_steps = 1U << 20;

// A pseudorandom number that is the same each time (the finalizer of MurmurHash3).
std::uint32_t scrambled(std::uint32_t x) {
  x = (x ^ (x >> 16U)) * 0x85ebca6bU;
  x = (x ^ (x >> 13U)) * 0xc2b2ae35U;
  return x ^ (x >> 16U);
}

class Greedy {
 public:
  Greedy(const Fabric& fabric, const std::vector<Moves>& moves, std::uint32_t variant, Watch* watch)
      : fabric_(fabric),
        moves_(moves),
        variant_(variant),
        watch_(watch),
        has_(moves.size()),
        for_many_(moves.size()),
        holders_(moves.size()),
        users_(fabric.channels()) {
    for (std::size_t m = 0; m < moves.size(); ++m) {
      for_many_[m] = std::count_if(moves[m].places.begin(), moves[m].places.end(),
                                   [](const ChunkPlace& place) { return place.wanted; }) > 1;
      for (const ChunkPlace& place : moves[m].places) {
        has_[m].push_back(place.start);
        holders_[m] += place.start ? 1 : 0;
        missing_ += place.wanted ? 1 : 0;
      }
      for (std::size_t x = 0; x < moves[m].crossings.size(); ++x) {
        users_[moves[m].crossings[x].channel.value].push_back({m, x});
      }
    }
  }

  std::vector<StepRow> run() {
    for (std::uint32_t step = 1; missing_ > 0 && step < most_greedy_steps; ++step) {
      if (!advance(step)) return {};
    }
    return missing_ > 0 ? std::vector<StepRow>{} : std::move(rows_);
  }

 private:
  struct User {
    std::size_t chunk;
    std::size_t crossing;
  };

  // Schedules one step; false if nothing moves.
  bool advance(std::uint32_t step) {
    arrivals_.clear();
    arriving_.assign(moves_.size(), {});
    for (std::uint32_t i = 0; i < fabric_.channels(); ++i) {
      const std::uint32_t id = variant_ == 0 ? i : (i + scrambled(variant_ * 7919 + step)) % fabric_.channels();
      require_open(watch_);
      choose(ChannelId{id}, step);
    }
    // A chunk that has arrived can be sent on from the next step.
    for (const auto& [chunk, crossing] : arrivals_) {
      const std::size_t place = moves_[chunk].crossings[crossing].to;
      if (has_[chunk][place]) continue;
      has_[chunk][place] = true;
      if (!for_many_[chunk]) has_[chunk][moves_[chunk].crossings[crossing].from] = false;  // the packet moves on
      ++holders_[chunk];
      missing_ -= moves_[chunk].places[place].wanted ? 1 : 0;
    }
    return !arrivals_.empty();
  }

  void choose(ChannelId id, std::uint32_t step) {
    std::vector<User> ready;
    std::vector<User>& users = users_[id.value];
    std::erase_if(users, [&](const User& it) { return has_[it.chunk][moves_[it.chunk].crossings[it.crossing].to]; });
    for (const User& it : users) {
      const ChunkCrossing& crossing = moves_[it.chunk].crossings[it.crossing];
      if (!has_[it.chunk][crossing.from] || !helps(it.chunk, crossing) || comes(it.chunk, crossing.to)) continue;
      ready.push_back(it);
    }
    const std::size_t capacity = std::min<std::size_t>(fabric_.channel(id).capacity, ready.size());
    // Only as many packets as the channel carries have to be sorted, the most urgent ones.
    std::partial_sort(ready.begin(), ready.begin() + static_cast<std::ptrdiff_t>(capacity), ready.end(),
                      [&](const User& a, const User& b) { return before(a, b, step); });
    for (std::size_t i = 0; i < capacity; ++i) {
      const std::size_t place = moves_[ready[i].chunk].crossings[ready[i].crossing].to;
      arrivals_.push_back(ready[i]);
      arriving_[ready[i].chunk].push_back(place);
      rows_.push_back({StepId{step}, {id, LaneId{0}, moves_[ready[i].chunk].chunk}});
    }
  }

  // A packet for one processor must come nearer to it; a chunk for many may spread anywhere.
  bool helps(std::size_t chunk, const ChunkCrossing& crossing) const {
    const Moves& it = moves_[chunk];
    return for_many_[chunk] || it.places[crossing.to].remaining < it.places[crossing.from].remaining;
  }

  bool comes(std::size_t chunk, std::size_t place) const {
    if (!for_many_[chunk]) return !arriving_[chunk].empty();  // one copy is enough
    return std::find(arriving_[chunk].begin(), arriving_[chunk].end(), place) != arriving_[chunk].end();
  }

  bool before(const User& a, const User& b, std::uint32_t step) const {
    const auto need = [&](const User& it) {
      const Moves& moves = moves_[it.chunk];
      const ChunkPlace& to = moves.places[moves.crossings[it.crossing].to];
      return std::tuple(for_many_[it.chunk] ? holders_[it.chunk] : 0, ~to.remaining, !to.wanted,
                        variant_ == 0
                            ? static_cast<std::uint32_t>(it.chunk)
                            : scrambled(static_cast<std::uint32_t>(it.chunk) * 2654435761U + variant_ + step));
    };
    return need(a) < need(b);
  }

  const Fabric& fabric_;
  const std::vector<Moves>& moves_;
  std::uint32_t variant_;
  Watch* watch_;
  std::vector<std::vector<bool>> has_;  // [chunk][place]
  std::vector<bool> for_many_;          // whether several processors want the chunk
  std::vector<std::uint64_t> holders_;
  std::vector<std::vector<User>> users_;  // by channel: the chunks that may still cross it
  std::vector<User> arrivals_;            // of this step
  std::vector<std::vector<std::size_t>> arriving_;
  std::uint64_t missing_ = 0;
  std::vector<StepRow> rows_;
};

}  // namespace

std::vector<StepRow> greedy_schedule(const Fabric& fabric, const std::vector<Moves>& moves, std::uint32_t variant,
                                     Watch* watch) {
  return Greedy(fabric, moves, variant, watch).run();
}

// Idea: choose for each channel a chunk that its sender has and its receiver has not, the one that the fewest
// processors have. The channels with such a chunk are the edges of a graph of processors; in half duplex each processor
// is one node, in full duplex it is two, a sender and a receiver. A step carries out a largest matching of that graph,
// grown from one that prefers receivers that lack most, and chunks that few have. Largest matters: where n is odd,
// half duplex allows (n - 1)/2 sends a step, and 2n steps are enough only if no step has fewer.
//
//   mesh of 3x5, half duplex, all-gather: 15 * 14 receptions, at most 7 a step; found in 30 steps after a few tries
//
// Ties are broken at random, from seeds 1, 2, 3, …; a try ends when it can no longer be shorter than the best one, and
// thousands that bring nothing are the last.
// Cost: for each step, channels x chunks, and the matching (Boost's, by Edmonds: nodes x edges at worst).

namespace {

// The work of a step, for each channel: its chunks, and a matching's share, as measured.
std::uint64_t work_of_step(const Fabric& fabric, const std::vector<Moves>& moves) {
  return fabric.channels() * (moves.size() + 100);
}

constexpr std::uint32_t chunks_of_word = 64;
constexpr std::uint32_t no_chunk = std::numeric_limits<std::uint32_t>::max();

// The weights of a send's priority, as tried on odd meshes: what its receiver lacks counts ten times as much as how
// many processors have its chunk; chance counts for two chunks that are lacking.
constexpr std::int64_t weight_of_lack = 10;
constexpr std::uint32_t chance = 21;

using ProcessorGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;
using Vertex = boost::graph_traits<ProcessorGraph>::vertex_descriptor;

class MatchingAttempt {
 public:
  MatchingAttempt(const Fabric& fabric, const std::vector<Moves>& moves, std::uint32_t seed, Watch& watch)
      : fabric_(fabric),
        moves_(moves),
        watch_(watch),
        random_(seed),
        half_(fabric.rules().duplex == Duplex::half),
        words_((moves.size() + chunks_of_word - 1) / chunks_of_word),
        held_(words_ * fabric.processors()),
        holders_(moves.size()),
        lacks_(fabric.processors()) {
    for (std::uint32_t chunk = 0; chunk < moves.size(); ++chunk) {
      for (const ChunkPlace& place : moves[chunk].places) {
        if (place.start) {
          hold(place.node, chunk);
        } else {
          ++lacks_[place.node.value];
          ++left_;
        }
      }
    }
  }

  // A schedule of at most so many steps; nothing if this attempt has none.
  std::optional<std::vector<StepRow>> run(std::uint64_t at_most) {
    const std::uint64_t at_once = half_ ? fabric_.processors() / 2 : fabric_.processors();
    for (std::uint32_t t = 1; left_ > 0; ++t) {
      if (t - 1 + (left_ + at_once - 1) / at_once > at_most) return std::nullopt;
      watch_.require_open();
      steps_ = t;
      if (!step(t)) return std::nullopt;
    }
    return std::move(rows_);
  }

  std::uint64_t steps() const { return steps_; }

 private:
  struct MatchedSend {
    std::int64_t priority = 0;
    ChannelId channel;
    std::uint32_t chunk = 0;  // into moves_
  };

  // Carries out one step; returns whether anything was sent.
  bool step(std::uint32_t t) {
    std::vector<MatchedSend> sends = possible_sends();
    std::ranges::stable_sort(sends, std::ranges::greater(), &MatchedSend::priority);
    ProcessorGraph graph(half_ ? fabric_.processors() : 2 * std::size_t{fabric_.processors()});
    std::vector<Vertex> mates(boost::num_vertices(graph), boost::graph_traits<ProcessorGraph>::null_vertex());
    std::unordered_map<std::uint64_t, std::size_t> send_of;  // the first one, by edge
    for (std::size_t i = 0; i < sends.size(); ++i) {
      const auto [from, to] = ends(sends[i].channel);
      if (!send_of.emplace(edge(from, to), i).second) continue;
      boost::add_edge(from, to, graph);
      const Vertex none = boost::graph_traits<ProcessorGraph>::null_vertex();
      if (mates[from] == none && mates[to] == none) mates[from] = to, mates[to] = from;
    }
    enlarge(graph, mates);
    const std::size_t before = rows_.size();
    for (Vertex v = 0; v < mates.size(); ++v) {
      if (mates[v] == boost::graph_traits<ProcessorGraph>::null_vertex() || mates[v] < v) continue;
      carry_out(sends[send_of.at(edge(v, mates[v]))], t);
    }
    return rows_.size() > before;
  }

  // One for each channel over which something new can come.
  std::vector<MatchedSend> possible_sends() {
    std::vector<MatchedSend> sends;
    for (ChannelId e(0); e.value < fabric_.channels(); ++e.value) {
      const Channel& channel = fabric_.channel(e);
      const std::uint32_t chunk = rarest(channel);
      if (chunk == no_chunk) continue;
      const std::int64_t lack = weight_of_lack * lacks_[channel.to.value];
      sends.push_back({lack - holders_[chunk] + static_cast<std::int64_t>(random_() % chance), e, chunk});
    }
    return sends;
  }

  // The rarest of the chunks that the channel's sender has and its receiver has not.
  std::uint32_t rarest(const Channel& channel) {
    const std::uint64_t* const from = &held_[words_ * channel.from.value];
    const std::uint64_t* const to = &held_[words_ * channel.to.value];
    std::uint32_t best = no_chunk;
    std::uint32_t alike = 0;
    for (std::size_t word = 0; word < words_; ++word) {
      for (std::uint64_t news = from[word] & ~to[word]; news != 0; news &= news - 1) {
        const auto chunk =
            static_cast<std::uint32_t>(word * chunks_of_word + static_cast<std::size_t>(std::countr_zero(news)));
        if (best != no_chunk && holders_[chunk] > holders_[best]) continue;
        alike = best != no_chunk && holders_[chunk] == holders_[best] ? alike + 1 : 1;
        if (random_() % alike == 0) best = chunk;
      }
    }
    return best;
  }

  // The nodes of the graph that a channel connects.
  std::pair<Vertex, Vertex> ends(ChannelId id) const {
    const Channel& channel = fabric_.channel(id);
    return {channel.from.value, channel.to.value + (half_ ? 0 : std::size_t{fabric_.processors()})};
  }
  static std::uint64_t edge(Vertex a, Vertex b) { return std::uint64_t{std::min(a, b)} << 32U | std::max(a, b); }

  // Makes the matching as large as any.
  static void enlarge(const ProcessorGraph& graph, std::vector<Vertex>& mates) {
    const auto index = boost::get(boost::vertex_index, graph);
    boost::edmonds_augmenting_path_finder<ProcessorGraph, Vertex*, decltype(index)> finder(graph, mates.data(), index);
    while (finder.augment_matching()) {
    }
    finder.get_current_matching(mates.data());
  }

  void carry_out(const MatchedSend& send, std::uint32_t t) {
    const NodeId to = fabric_.channel(send.channel).to;
    hold(to, send.chunk);
    --lacks_[to.value];
    --left_;
    rows_.push_back({StepId{t}, {send.channel, LaneId{0}, moves_[send.chunk].chunk}});
  }

  void hold(NodeId processor, std::uint32_t chunk) {
    held_[words_ * processor.value + chunk / chunks_of_word] |= std::uint64_t{1} << (chunk % chunks_of_word);
    ++holders_[chunk];
  }

  const Fabric& fabric_;
  const std::vector<Moves>& moves_;
  Watch& watch_;
  std::mt19937_64 random_;
  bool half_;
  std::size_t words_;                // of 64 chunks, for each processor
  std::vector<std::uint64_t> held_;  // [processor · words + chunk / 64]
  std::vector<std::uint32_t> holders_;
  std::vector<std::int64_t> lacks_;  // by processor
  std::uint64_t left_ = 0;           // the sum of lacks_
  std::uint32_t steps_ = 0;          // begun
  std::vector<StepRow> rows_;
};

// Whether all processors want every chunk, and there is nothing but processors with single ports.
bool serves(const Fabric& fabric, const std::vector<Moves>& moves) {
  const auto to_all = [&](const Moves& it) {
    return !it.copies && it.unreachable == 0 && it.places.size() == fabric.processors() &&
           std::ranges::all_of(it.places, [](const ChunkPlace& place) { return place.start || place.wanted; });
  };
  return !fabric.in_rounds() && !fabric.has_switches() && fabric.rules().ports == Ports::single && !moves.empty() &&
         std::ranges::all_of(moves, to_all);
}

}  // namespace

void matched_schedules(const Fabric& fabric, const std::vector<Moves>& moves, std::uint64_t lower_bound, Watch& watch,
                       const std::function<bool(std::vector<StepRow>)>& take, std::uint64_t most_work) {
  if (!serves(fabric, moves) || fabric.channels() == 0) return;
  std::uint64_t steps_left = most_work / work_of_step(fabric, moves);
  std::uint64_t at_most = steps_left;
  // On a handful of processors there is work for a hundred thousand, which meet the same few schedules again.
  constexpr std::uint32_t most_in_vain = 8192;
  std::uint32_t last = most_in_vain;
  for (std::uint32_t seed = 1; seed <= last && steps_left >= lower_bound && at_most >= lower_bound; ++seed) {
    MatchingAttempt attempt(fabric, moves, seed, watch);
    auto rows = attempt.run(at_most);
    steps_left -= std::min<std::uint64_t>(steps_left, attempt.steps() + 1);
    if (!rows || rows->empty()) continue;
    at_most = rows->back().step.value - 1;
    last = seed + most_in_vain;
    if (!take(*std::move(rows))) return;
  }
}

}  // namespace quadrille::searching
