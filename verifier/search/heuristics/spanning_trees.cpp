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
#include <optional>
#include <random>
#include <utility>

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

  // Ranks pairs near to the start first, and equal ones by chance.
  void find_ranks() {
    for (std::size_t c = 0; c < chunks_.size(); ++c) {
      const auto hops = distances(fabric_, origins_[c], Direction::from);
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

// Idea: time runs backwards. In each step, every processor that has a value already sends it, by flights that do not
// wait in switches, to processors that lack it, the farthest from all that have it first: there it spreads by links of
// its own, where the way from here is scarce. Turned around, a processor receives what its children send before it
// sends.
//
//   reduce_scatter, 16 servers of 8 GPUs, a rail for each: one tree of 128; in each step its value goes to one more
//   server by the rail, and in the servers that have it to all GPUs
//
// Values of the first processor of each orbit are planned; what a flight uses, all its images use (SharedRoom).
//
// Cost: steps x values x processors x a breadth-first search.

namespace {

constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();

class FlightTrees {
 public:
  FlightTrees(const Fabric& fabric, const Collective& collective, const ShiftGroup& shifts, std::uint32_t seed,
              Watch& watch)
      : fabric_(fabric),
        collective_(collective),
        shifts_(shifts),
        room_(fabric, shifts),
        watch_(watch),
        random_(seed),
        depth_(fabric.nodes()),
        reached_by_(fabric.nodes()) {
    for (std::uint32_t value = 0; value < collective.values(); ++value) {
      const NodeId wanter = collective.shape()->only_wanter(value).value();
      if (shifts.place_of(wanter).shift == 0) trees_.push_back(tree_of(value, wanter));
    }
  }

  std::vector<StepRow> run(std::uint64_t at_most) {
    for (std::uint32_t step = 1; left_ > 0; ++step) {
      watch_.require_open();
      if (step > at_most || !advance(step)) return {};
    }
    return last_ > at_most ? std::vector<StepRow>{} : rows();
  }

 private:
  // A value that spreads: when each processor has it, and how far each node is from those that have it.
  struct SpreadingValue {
    std::uint32_t value;
    std::vector<std::uint32_t> has_it;  // after this step; `never` if no flight is planned yet
    std::vector<std::uint32_t> hops;    // by node
    std::vector<NodeId> holders;        // in the order in which they were planned
  };
  // A flight from `to`, backwards; its route is in the order of real time.
  struct BackwardSend {
    std::uint32_t value;
    NodeId from;
    NodeId to;
    std::uint32_t first;  // step, backwards, of the last channel
    std::vector<ChannelId> route;
  };

  SpreadingValue tree_of(std::uint32_t value, NodeId wanter) {
    SpreadingValue tree{value, std::vector<std::uint32_t>(fabric_.processors(), never), {}, {wanter}};
    tree.has_it[wanter.value] = 0;
    tree.hops = distances(fabric_, wanter, Direction::to);
    for (std::uint32_t p = 0; p < fabric_.processors(); ++p) left_ += p != wanter.value ? 1 : 0;
    return tree;
  }

  // Starts all flights that begin in this step; false if none is under way, either.
  bool advance(std::uint32_t step) {
    std::vector<std::pair<std::uint32_t, NodeId>> senders;  // tree, processor
    for (std::uint32_t i = 0; i < trees_.size(); ++i) {
      for (const NodeId holder : trees_[i].holders) {
        if (trees_[i].has_it[holder.value] < step) senders.emplace_back(i, holder);
      }
    }
    bool sent = false;
    while (!senders.empty() && left_ > 0) {
      std::shuffle(senders.begin(), senders.end(), random_);
      std::erase_if(senders, [&](const auto& sender) {
        const bool starts = left_ > 0 && start(trees_[sender.first], sender.second, step);
        sent = sent || starts;
        return !starts;  // what has no room now has none later in this step
      });
      watch_.require_open();
    }
    return sent || last_ >= step;
  }

  // Starts a flight of the value from the processor; false if no processor that lacks it can be reached.
  bool start(SpreadingValue& tree, NodeId holder, std::uint32_t step) {
    const auto target = best_target(tree, holder, step);
    if (!target) return false;
    BackwardSend flight{tree.value, *target, holder, step, {}};
    for (NodeId at = *target; at != holder;) {
      const ChannelId channel = reached_by_[at.value];
      flight.route.push_back(channel);
      at = fabric_.channel(channel).to;
    }
    const auto length = static_cast<std::uint32_t>(flight.route.size());
    for (std::uint32_t i = 0; i < length; ++i) use(flight.route[i], step + length - 1 - i);
    tree.has_it[target->value] = step + length - 1;
    last_ = std::max(last_, step + length - 1);
    tree.holders.push_back(*target);
    const std::vector<std::uint32_t> hops = distances(fabric_, *target, Direction::to);
    for (std::size_t v = 0; v < hops.size(); ++v) tree.hops[v] = std::min(tree.hops[v], hops[v]);
    --left_;
    flights_.push_back(std::move(flight));
    return true;
  }

  // The processor, among those that a flight from here reaches backwards, that is the farthest from all that have the
  // value.
  std::optional<NodeId> best_target(const SpreadingValue& tree, NodeId holder, std::uint32_t step) {
    std::ranges::fill(depth_, never);
    depth_[holder.value] = 0;
    reached_.assign(1, holder);
    std::optional<NodeId> best;
    std::pair<std::uint32_t, std::uint32_t> rank;  // hops, and chance
    for (std::size_t i = 0; i < reached_.size(); ++i) {
      const NodeId node = reached_[i];
      const std::uint32_t depth = depth_[node.value];
      if (depth > 0 && fabric_.is_processor(node)) continue;
      for (const ChannelId id : fabric_.channels_to(node)) {
        const NodeId next = fabric_.channel(id).from;
        if (depth_[next.value] != never || !free(id, step + depth)) continue;
        depth_[next.value] = depth + 1;
        reached_by_[next.value] = id;
        reached_.push_back(next);
        if (!fabric_.is_processor(next) || tree.has_it[next.value] != never) continue;
        const std::pair<std::uint32_t, std::uint32_t> its{tree.hops[next.value], random_()};
        if (!best || its > rank) best = next, rank = its;
      }
    }
    return best;
  }

  std::vector<std::uint32_t>& used_in(std::uint32_t step) {
    while (used_.size() <= step) used_.emplace_back(room_.resources());
    return used_[step];
  }

  bool free(ChannelId channel, std::uint32_t step) {
    const std::vector<std::uint32_t>& used = used_in(step);
    return std::ranges::all_of(room_.uses(shifts_.place_of(channel).orbit), [&](const SharedRoom::ResourceUse& it) {
      return used[it.resource] + it.amount <= room_.room(it.resource);
    });
  }

  void use(ChannelId channel, std::uint32_t step) {
    for (const SharedRoom::ResourceUse& it : room_.uses(shifts_.place_of(channel).orbit)) {
      used_in(step)[it.resource] += it.amount;
    }
  }

  std::vector<StepRow> rows() const {
    std::vector<StepRow> rows;
    for (const BackwardSend& flight : flights_) {
      const auto length = static_cast<std::uint32_t>(flight.route.size());
      for (std::uint32_t shift = 0; shift < shifts_.number(); ++shift) {
        const std::uint32_t value = image_of_value(collective_, flight.value, shifts_.permutation(shift));
        const ChunkName name{shifts_.image(flight.from, shift).value, shifts_.image(flight.to, shift).value, value};
        const ChunkId packet = collective_.chunk(name).value();
        for (std::uint32_t i = 0; i < length; ++i) {
          const StepId step{last_ + 1 - (flight.first + length - 1 - i)};
          rows.push_back({step, {shifts_.image(flight.route[i], shift), LaneId{0}, packet}});
        }
      }
    }
    return rows;
  }

  const Fabric& fabric_;
  const Collective& collective_;
  const ShiftGroup& shifts_;
  SharedRoom room_;
  Watch& watch_;
  std::mt19937 random_;
  std::vector<SpreadingValue> trees_;
  std::vector<BackwardSend> flights_;
  std::vector<std::vector<std::uint32_t>> used_;  // [step, backwards][resource]
  std::uint64_t left_ = 0;                        // processors that lack a value, summed over values
  std::uint32_t last_ = 0;                        // step in which the last flight ends, backwards
  std::vector<std::uint32_t> depth_;              // by node, in the search that is going on
  std::vector<ChannelId> reached_by_;
  std::vector<NodeId> reached_;
};

}  // namespace

std::vector<StepRow> flight_trees(const Fabric& fabric, const Collective& collective, const ShiftGroup& shifts,
                                  std::uint32_t seed, std::uint64_t at_most, Watch& watch) {
  return FlightTrees(fabric, collective, shifts, seed, watch).run(at_most);
}

}  // namespace quadrille::searching
