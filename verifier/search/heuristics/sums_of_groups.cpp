// Idea: what comes is kept, so that each message carries a sum of any of the words that its sender has. In a group,
// processor i has the sum of a window that ends with i and grows: it gets the next window from the processor before it,
// in every step as large as is known there. Then, in every step, each processor sends all that another one lacks: first
// to other groups what few have there, then to those that lack least.
//
//   four leaves of 8 hosts, two lanes up from each: windows of 1, 2, 3, 5 and 8 after steps 1, 2, 3, 4 and 5; all have
//   the sums of the other leaves after step 14
//
// Cost: steps x flights x the first processors of orbits x channels.
#include "verifier/search/heuristics/sums_of_groups.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "verifier/search/heuristics/trips.h"
#include "verifier/search/problem/rows.h"

namespace quadrille::searching {
namespace {

constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();

class SumsOfGroups {
 public:
  SumsOfGroups(const Fabric& fabric, const Collective& allreduce, const ShiftGroup& shifts, std::uint32_t size,
               std::uint32_t seed, std::uint64_t at_most, Watch& watch)
      : fabric_(fabric),
        allreduce_(allreduce),
        shifts_(shifts),
        size_(size),
        at_most_(at_most),
        room_(fabric, shifts),
        watch_(watch),
        random_(seed),
        words_(fabric.processors()),
        lacks_(fabric.processors()),
        depth_(fabric.nodes()),
        reached_by_(fabric.nodes()) {
    const std::uint32_t groups = fabric.processors() / size;
    const std::uint64_t all = ~std::uint64_t{0} >> (64 - groups);
    for (std::uint32_t p = 0; p < fabric.processors(); ++p) {
      words_[p].push_back({0, p, 0});
      lacks_[p] = all & ~own_group(p);
      if (shifts.place_of(NodeId{p}).shift == 0) firsts_.push_back(NodeId{p});
    }
  }

  std::optional<SendTable> run() {
    if (!places_are_kept() || !sum_up_groups()) return std::nullopt;
    for (std::uint32_t step = 1; std::ranges::any_of(lacks_, [](std::uint64_t it) { return it != 0; }); ++step) {
      watch_.require_open();
      if (step > at_most_ || (!spread_in(step) && step > last_)) return std::nullopt;
    }
    return last_ > at_most_ ? std::nullopt : std::optional(table());
  }

 private:
  // A partial reduction that a processor keeps: the sums of whole groups, or (none) a window of its own group.
  struct KeptWord {
    std::uint64_t groups = 0;
    std::uint32_t smallest = 0;  // contribution
    std::uint32_t arrived = 0;   // step
  };
  // A message without waiting. `sent`: which of the sender's words.
  struct SumFlight {
    NodeId from;
    NodeId to;
    std::uint32_t first;  // step
    std::vector<ChannelId> route;
    std::vector<std::uint32_t> sent;
  };
  // What the first processor of an orbit may send.
  struct RumourOffer {
    int rank = std::numeric_limits<int>::min();
    NodeId from;
    NodeId to;
    std::uint64_t groups = 0;
  };

  std::uint64_t own_group(std::uint32_t processor) const { return std::uint64_t{1} << processor / size_; }

  bool places_are_kept() const {
    for (std::uint32_t shift = 1; shift < shifts_.number(); ++shift) {
      for (std::uint32_t p = 0; p < fabric_.processors(); ++p) {
        if (shifts_.image(NodeId{p}, shift).value % size_ != p % size_) return false;
      }
    }
    return true;
  }

  // --- the sums of groups
  // ---------------------------------------------------------------------------------------------

  // Windows of a group's processors are alike: `ends[i]` is how large they are with the first i + 1 words, which all
  // have after the step `known[i]`.
  bool sum_up_groups() {
    std::vector<std::uint32_t> ends{1}, known{0};
    for (std::uint32_t step = 1; ends.back() < size_; ++step) {
      watch_.require_open();
      std::size_t words = 0;
      while (words < ends.size() && known[words] < step && ends[words] <= size_ - ends.back()) ++words;
      std::uint32_t last = 0;
      for (const NodeId p : firsts_) {
        const std::uint32_t group = p.value / size_ * size_;
        const NodeId to{group + (p.value - group + ends.back()) % size_};
        std::uint32_t start = step;
        for (; !reaches(p, to, start); ++start) {
          if (start > last_) return false;  // all is free, and yet there is no way
        }
        if (start > at_most_) return false;
        SumFlight flight{p, to, start, route(p, to), {}};
        for (std::uint32_t i = 0; i < words; ++i) flight.sent.push_back(i);
        last = std::max(last, fly(std::move(flight), 0, ends[words - 1]));
      }
      ends.push_back(ends.back() + ends[words - 1]);
      known.push_back(std::max(last, known.back()));
    }
    ready_ = known.back();
    own_words_ = static_cast<std::uint32_t>(ends.size());
    return true;
  }

  // The smallest contribution of the window of so many that ends with the processor.
  std::uint32_t smallest_of_window(std::uint32_t processor, std::uint32_t window) const {
    const std::uint32_t place = processor % size_;
    return place + 1 >= window ? processor + 1 - window : processor - place;
  }

  // --- rumours
  // --------------------------------------------------------------------------------------------------------

  // Starts all flights that begin in this step; false if there is none.
  bool spread_in(std::uint32_t step) {
    std::vector<NodeId> senders = firsts_;
    bool sent = false;
    while (!senders.empty()) {
      watch_.require_open();
      RumourOffer best;
      std::erase_if(senders, [&](NodeId sender) {
        const RumourOffer offer = best_offer(sender, step);
        if (offer.rank > best.rank) best = offer;
        return offer.groups == 0;  // what has no room now has none later in this step
      });
      if (best.groups == 0) break;
      search(best.from, step);
      SumFlight flight{best.from, best.to, step, route(best.from, best.to), {}};
      const std::vector<KeptWord>& words = words_[best.from.value];
      for (std::uint32_t i = 0; i < words.size(); ++i) {
        const std::uint64_t groups = i < own_words_ ? own_group(best.from.value) : words[i].groups;
        if (words[i].arrived < step && (groups & ~best.groups) == 0) flight.sent.push_back(i);
      }
      fly(std::move(flight), best.groups, 0);
      sent = true;
    }
    return sent;
  }

  RumourOffer best_offer(NodeId from, std::uint32_t step) {
    search(from, step);
    RumourOffer best;
    for (std::uint32_t to = 0; to < fabric_.processors(); ++to) {
      if (to == from.value || depth_[to] == never || lacks_[to] == 0) continue;
      const std::uint64_t groups = what_serves(from, to, step);
      if (groups == 0) continue;
      const int rank = rank_of(groups, from.value, to) + static_cast<int>(random_() % 5);
      if (rank > best.rank) best = {rank, from, NodeId{to}, groups};
    }
    return best;
  }

  std::uint64_t what_serves(NodeId from, std::uint32_t to, std::uint32_t step) const {
    std::uint64_t groups = ready_ < step ? own_group(from.value) & lacks_[to] : 0;
    if (groups != 0) return groups;  // few have it there
    for (std::size_t i = own_words_; i < words_[from.value].size(); ++i) {
      const KeptWord& word = words_[from.value][i];
      if (word.arrived < step && (word.groups & ~lacks_[to]) == 0) groups |= word.groups;
    }
    return groups;
  }

  // The weights are those of which four leaves of 8 hosts took the fewest steps.
  int rank_of(std::uint64_t groups, std::uint32_t from, std::uint32_t to) const {
    const int gain = std::popcount(groups);
    const int lacking = std::popcount(lacks_[to]);
    if (groups != own_group(from)) return 20 * gain - 10 * lacking;
    int copies = 0;
    const std::uint32_t first = to / size_ * size_;
    for (std::uint32_t p = first; p < first + size_; ++p) copies += (lacks_[p] & groups) == 0 ? 1 : 0;
    const int words = static_cast<int>(words_[from].size() - own_words_);
    return 1000 - 18 * copies - 10 * lacking - 10 * words;
  }

  // --- flights
  // --------------------------------------------------------------------------------------------------------

  // A breadth-first search over channels that are free when a flight that starts in this step comes to them.
  void search(NodeId from, std::uint32_t step) {
    std::ranges::fill(depth_, never);
    depth_[from.value] = 0;
    reached_.assign(1, from);
    for (std::size_t i = 0; i < reached_.size(); ++i) {
      const NodeId node = reached_[i];
      const std::uint32_t depth = depth_[node.value];
      if (depth > 0 && fabric_.is_processor(node)) continue;
      for (const ChannelId id : fabric_.channels_from(node)) {
        const NodeId next = fabric_.channel(id).to;
        if (depth_[next.value] != never || !free(id, step + depth)) continue;
        depth_[next.value] = depth + 1;
        reached_by_[next.value] = id;
        reached_.push_back(next);
      }
    }
  }

  bool reaches(NodeId from, NodeId to, std::uint32_t step) {
    search(from, step);
    return depth_[to.value] != never;
  }

  std::vector<ChannelId> route(NodeId from, NodeId to) const {
    std::vector<ChannelId> route;
    for (NodeId at = to; at != from; at = fabric_.channel(route.back()).from) route.push_back(reached_by_[at.value]);
    std::ranges::reverse(route);
    return route;
  }

  // Adds the flight, with what it brings to all images of its target: sums of groups, or (none) a window. Returns the
  // step in which it arrives.
  std::uint32_t fly(SumFlight flight, std::uint64_t groups, std::uint32_t window) {
    std::uint32_t step = flight.first;
    for (const ChannelId channel : flight.route) {
      for (const SharedRoom::ResourceUse& it : uses(channel)) used_in(step)[it.resource] += it.amount;
      ++step;
    }
    const std::uint32_t arrival = step - 1;
    last_ = std::max(last_, arrival);
    for (std::uint32_t shift = 0; shift < shifts_.number(); ++shift) {
      const NodeId to = shifts_.image(flight.to, shift);
      const std::uint64_t brought = image_of_groups(groups, shift);
      const std::uint32_t smallest = groups == 0 ? smallest_of_window(shifts_.image(flight.from, shift).value, window)
                                                 : static_cast<std::uint32_t>(std::countr_zero(brought)) * size_;
      words_[to.value].push_back({brought, smallest, arrival});
      lacks_[to.value] &= ~brought;
    }
    flights_.push_back(std::move(flight));
    return arrival;
  }

  std::uint64_t image_of_groups(std::uint64_t groups, std::uint32_t shift) const {
    std::uint64_t image = 0;
    for (; groups != 0; groups &= groups - 1) {
      const auto group = static_cast<std::uint32_t>(std::countr_zero(groups));
      image |= own_group(shifts_.image(NodeId{group * size_}, shift).value);
    }
    return image;
  }

  const std::vector<SharedRoom::ResourceUse>& uses(ChannelId channel) const {
    return room_.uses(shifts_.place_of(channel).orbit);
  }

  std::vector<std::uint32_t>& used_in(std::uint32_t step) {
    while (used_.size() <= step) used_.emplace_back(room_.resources());
    return used_[step];
  }

  bool free(ChannelId channel, std::uint32_t step) {
    const std::vector<std::uint32_t>& used = used_in(step);
    return std::ranges::all_of(uses(channel), [&](const SharedRoom::ResourceUse& it) {
      return used[it.resource] + it.amount <= room_.room(it.resource);
    });
  }

  // --- the table
  // ------------------------------------------------------------------------------------------------------

  // The number of each of a processor's words (model/MODEL.md, Words): 0 is its own contribution.
  std::vector<std::uint32_t> numbers_of(NodeId processor) const {
    const std::vector<KeptWord>& words = words_[processor.value];
    std::vector<std::uint32_t> numbers(words.size());
    for (std::size_t i = 1; i < words.size(); ++i) {
      const auto before = [&](const KeptWord& other) {
        return std::pair(other.arrived, other.smallest) < std::pair(words[i].arrived, words[i].smallest);
      };
      numbers[i] = 1 + static_cast<std::uint32_t>(std::count_if(words.begin() + 1, words.end(), before));
    }
    return numbers;
  }

  SendTable table() const {
    std::vector<std::pair<StepRow, ReductionUse>> rows;
    for (const SumFlight& flight : flights_) {
      for (std::uint32_t shift = 0; shift < shifts_.number(); ++shift) {
        const NodeId from = shifts_.image(flight.from, shift);
        const std::vector<std::uint32_t> numbers = numbers_of(from);
        const ChunkId packet = allreduce_.chunk({from.value, shifts_.image(flight.to, shift).value, 0}).value();
        for (std::uint32_t i = 0; i < flight.route.size(); ++i) {
          ReductionUse use;
          for (const std::uint32_t word : flight.sent) {
            if (i == 0) use.sent.push_back(numbers[word]);
          }
          if (i + 1 == flight.route.size()) use.arrival = Arrival::kept;
          const ChannelId channel = shifts_.image(flight.route[i], shift);
          rows.push_back({{StepId{flight.first + i}, {channel, LaneId{0}, packet}}, std::move(use)});
        }
      }
    }
    return table_of(fabric_, allreduce_, "planned", std::move(rows));
  }

  const Fabric& fabric_;
  const Collective& allreduce_;
  const ShiftGroup& shifts_;
  std::uint32_t size_;
  std::uint64_t at_most_;
  SharedRoom room_;
  Watch& watch_;
  std::mt19937 random_;
  std::vector<NodeId> firsts_;                // the first processors of orbits
  std::vector<std::vector<KeptWord>> words_;  // by processor: its own contribution first; also those under way
  std::vector<std::uint64_t> lacks_;          // by processor: the groups of which nothing is there or under way
  std::uint32_t own_words_ = 0;               // how many of the first words make the sum of the own group…
  std::uint32_t ready_ = 0;                   // …and the step after which all are there
  std::vector<SumFlight> flights_;
  std::vector<std::vector<std::uint32_t>> used_;  // [step][resource]
  std::uint32_t last_ = 0;                        // step in which the last flight arrives
  std::vector<std::uint32_t> depth_;              // by node, in the search that is going on
  std::vector<ChannelId> reached_by_;
  std::vector<NodeId> reached_;
};

}  // namespace

std::optional<SendTable> sums_of_groups(const Fabric& fabric, const Collective& allreduce, const ShiftGroup& shifts,
                                        std::uint32_t size, std::uint32_t seed, std::uint64_t at_most, Watch& watch) {
  return SumsOfGroups(fabric, allreduce, shifts, size, seed, at_most, watch).run();
}

}  // namespace quadrille::searching
