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

  // Of the chunks that the channel's sender has and its receiver has not, one that the fewest have.
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
