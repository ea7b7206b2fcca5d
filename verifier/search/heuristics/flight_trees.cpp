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
#include <algorithm>
#include <limits>
#include <optional>
#include <random>
#include <utility>

#include "model/distances.h"
#include "verifier/search/heuristics/trips.h"

namespace quadrille::searching {
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
  // Of a value: when each processor has it, and how far it is from those that have it.
  struct SpreadingValue {
    std::uint32_t value;
    std::vector<std::uint32_t> has_it;  // after this step; `never` if no flight is planned yet
    std::vector<std::uint32_t> hops;    // by node
    std::vector<NodeId> holders;        // in the order in which they were planned
  };
  // A flight from `to`, backwards; its route is in the order of real time.
  struct BackwardFlight {
    std::uint32_t value;
    NodeId from;
    NodeId to;
    std::uint32_t first;  // step, backwards, of the last channel
    std::vector<ChannelId> route;
  };

  SpreadingValue tree_of(std::uint32_t value, NodeId wanter) {
    SpreadingValue tree{value, std::vector<std::uint32_t>(fabric_.processors(), never), {}, {wanter}};
    tree.has_it[wanter.value] = 0;
    tree.hops = hops_to(wanter);
    for (std::uint32_t p = 0; p < fabric_.processors(); ++p) left_ += p != wanter.value ? 1 : 0;
    return tree;
  }

  std::vector<std::uint32_t> hops_to(NodeId node) const {
    return distances(fabric_, std::vector<NodeId>{node}, Direction::to, [](ChannelId) { return true; });
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
    BackwardFlight flight{tree.value, *target, holder, step, {}};
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
    const std::vector<std::uint32_t> hops = hops_to(*target);
    for (std::size_t v = 0; v < hops.size(); ++v) tree.hops[v] = std::min(tree.hops[v], hops[v]);
    --left_;
    flights_.push_back(std::move(flight));
    return true;
  }

  // Of the processors that a flight from here reaches, backwards, the farthest from all that have the value.
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
    for (const BackwardFlight& flight : flights_) {
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
  std::vector<BackwardFlight> flights_;
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
