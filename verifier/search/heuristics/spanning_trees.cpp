// Idea: a tree for each chunk of the first processor of each orbit; shifted, they are all trees. Into a processor that
// lacks such a chunk, each channel from one that has it may bring it, and of the images of a channel only as many in a
// step as it has lanes, whichever of the trees they are in. So a step is a matching: channel orbits on one side, chunks
// with a processor that lacks them on the other. A largest matching is grown from one that prefers pairs that few
// channels can serve and that are near to the start, as everything beyond them waits.
//
//   hypercube of 3, all-gather, shifts k -> k xor x: one tree of 8, each step adds a processor in each of 3 dimensions:
//   3 steps, as 7 <= 9
//
// Cost: trips.h; augmenting paths are short, as most orbits find a pair at once.
#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

#include "model/distances.h"
#include "verifier/search/heuristics/trips.h"

namespace quadrille::searching {
namespace {

constexpr std::uint32_t unserved = std::numeric_limits<std::uint32_t>::max();

class SpanningTrees {
 public:
  SpanningTrees(const Fabric& fabric, const Collective& collective, const ShiftGroup& shifts, std::uint32_t seed,
                Watch& watch)
      : fabric_(fabric), collective_(collective), shifts_(shifts), watch_(watch), random_(seed) {
    find_chunks();
    const std::size_t pairs = chunks_.size() * n();
    held_.assign(pairs, false);
    rank_.resize(pairs);
    for (std::size_t c = 0; c < chunks_.size(); ++c) held_[c * n() + origins_[c].value] = true;
    left_ = pairs - chunks_.size();
    lanes_.resize(shifts.channel_orbits());
    for (std::uint32_t o = 0; o < lanes_.size(); ++o) {
      lanes_[o] = std::min<std::uint32_t>(fabric.channel(shifts.first_channel(o)).capacity,
                                          static_cast<std::uint32_t>(std::min<std::size_t>(pairs, unserved)));
    }
    find_ranks();
  }

  std::vector<StepRow> run(std::uint64_t at_most) {
    std::uint64_t at_once = 0;
    for (const std::uint32_t lanes : lanes_) at_once += lanes;
    for (std::uint32_t step = 1; left_ > 0; ++step) {
      watch_.require_open();
      if (at_once == 0 || step - 1 + (left_ + at_once - 1) / at_once > at_most || !advance(step)) return {};
    }
    return std::move(rows_);
  }

 private:
  std::size_t n() const { return fabric_.processors(); }

  // The chunks of the first processors of all orbits.
  void find_chunks() {
    for (std::uint64_t id = 0; id < collective_.chunk_ids(); ++id) {
      const NodeId origin{collective_.name(ChunkId{id}).origin};
      if (shifts_.place_of(origin).shift != 0) continue;
      chunks_.emplace_back(id);
      origins_.push_back(origin);
    }
  }

  // What comes first: pairs near to the start; equal ones by chance.
  void find_ranks() {
    for (std::size_t c = 0; c < chunks_.size(); ++c) {
      const auto hops =
          distances(fabric_, std::vector<NodeId>{origins_[c]}, Direction::from, [](ChannelId) { return true; });
      for (std::size_t p = 0; p < n(); ++p) {
        rank_[c * n() + p] = std::uint64_t{hops[p]} << 32U | random_();
      }
    }
  }

  struct Offer {
    std::uint32_t orbit;
    ChannelId channel;
  };

  // The pairs that can be served in this step, with the channels that can: [i] of wanted_ and offers_.
  void find_offers() {
    wanted_.clear();
    offers_.clear();
    for (std::size_t pair = 0; pair < held_.size(); ++pair) {
      if (held_[pair]) continue;
      std::vector<Offer> offers;
      for (const ChannelId id : fabric_.channels_to(NodeId{static_cast<std::uint32_t>(pair % n())})) {
        const std::size_t from = pair / n() * n() + fabric_.channel(id).from.value;
        if (held_[from]) offers.push_back({shifts_.place_of(id).orbit, id});
      }
      if (offers.empty()) continue;
      wanted_.push_back(pair);
      offers_.push_back(std::move(offers));
    }
  }

  // Adds a largest set of pairs; false if none can be served.
  bool advance(std::uint32_t step) {
    find_offers();
    std::vector<std::uint32_t> order(wanted_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(rank_[wanted_[a]], a) < std::pair(rank_[wanted_[b]], b);
    });
    taken_.assign(lanes_.size(), {});
    served_by_.assign(wanted_.size(), ChannelId{unserved});
    seen_.assign(lanes_.size(), unserved);
    std::size_t served = 0;
    std::uint64_t room = 0;
    for (const std::uint32_t lanes : lanes_) room += lanes;
    for (const std::uint32_t i : order) {
      if (served == room) break;
      served += serve(i, i) ? 1 : 0;
    }
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      if (served_by_[i].value == unserved) continue;
      held_[wanted_[i]] = true;
      add_rows(step, chunks_[wanted_[i] / n()], served_by_[i]);
    }
    left_ -= served;
    return served > 0;
  }

  // Serves the pair by an orbit that has room, or by one that can serve another pair's place.
  bool serve(std::uint32_t i, std::uint32_t round) {
    for (const Offer& offer : offers_[i]) {
      if (seen_[offer.orbit] == round) continue;
      if (taken_[offer.orbit].size() < lanes_[offer.orbit]) {
        taken_[offer.orbit].push_back(i);
        served_by_[i] = offer.channel;
        return true;
      }
    }
    for (const Offer& offer : offers_[i]) {
      if (seen_[offer.orbit] == round) continue;
      seen_[offer.orbit] = round;
      for (std::uint32_t& other : taken_[offer.orbit]) {
        if (!serve(other, round)) continue;
        other = i;
        served_by_[i] = offer.channel;
        return true;
      }
    }
    return false;
  }

  void add_rows(std::uint32_t step, ChunkId chunk, ChannelId channel) {
    ChunkName name = collective_.name(chunk);
    const NodeId origin{name.origin};
    for (std::uint32_t shift = 0; shift < shifts_.number(); ++shift) {
      name.origin = shifts_.image(origin, shift).value;
      rows_.push_back({StepId{step}, {shifts_.image(channel, shift), LaneId{0}, collective_.chunk(name).value()}});
    }
  }

  const Fabric& fabric_;
  const Collective& collective_;
  const ShiftGroup& shifts_;
  Watch& watch_;
  std::mt19937 random_;
  std::vector<ChunkId> chunks_;
  std::vector<NodeId> origins_;       // by chunk
  std::vector<bool> held_;            // by pair, chunk * n + processor
  std::vector<std::uint64_t> rank_;   // by pair
  std::vector<std::uint32_t> lanes_;  // by channel orbit
  std::uint64_t left_ = 0;
  // In the step that is being made:
  std::vector<std::size_t> wanted_;  // pairs
  std::vector<std::vector<Offer>> offers_;
  std::vector<std::vector<std::uint32_t>> taken_;  // by channel orbit: indices of pairs
  std::vector<ChannelId> served_by_;
  std::vector<std::uint32_t> seen_;
  std::vector<StepRow> rows_;
};

}  // namespace

std::vector<StepRow> spanning_trees(const Fabric& fabric, const Collective& collective, const ShiftGroup& shifts,
                                    std::uint32_t seed, std::uint64_t at_most, Watch& watch) {
  return SpanningTrees(fabric, collective, shifts, seed, watch).run(at_most);
}

}  // namespace quadrille::searching
