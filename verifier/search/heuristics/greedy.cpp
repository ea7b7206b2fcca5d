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
#include <optional>

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

}  // namespace quadrille::searching
