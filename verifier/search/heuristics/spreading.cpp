// Idea: keep a set of contributions for each processor and value. In each step, take first the send that brings the
// most contributions that its receiver neither has nor gets in this step by a send that was taken before. Then take
// the next, while channels, links and ports have room. So with a port for each link every processor hears of every
// other within as many steps as the diameter.
//
//   ring of 5, allreduce: in step 1 everyone hears of both neighbours, in step 2 of both others
//
// Cost: for each step, channels x values x contributions / 64, and one more look when other sends brought
// contributions meanwhile.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <queue>
#include <span>
#include <tuple>
#include <utility>

#include "verifier/search/heuristics/schedules.h"

namespace quadrille::searching {
namespace {

constexpr std::uint64_t most_words = std::uint64_t{1} << 22;
constexpr std::uint32_t bits = 64;

class Spreading {
 public:
  Spreading(const Fabric& fabric, const Collective& collective, Watch* watch)
      : fabric_(fabric), collective_(collective), watch_(watch), words_((fabric.processors() + bits - 1) / bits) {}

  std::vector<StepRow> run() {
    const std::uint64_t n = fabric_.processors();
    if (!collective_.combining() || !collective_.idempotent() || fabric_.nodes() != n || n < 2) return {};
    if (collective_.values() > most_words / (n * words_)) return {};
    begin();
    for (std::uint32_t t = 1; step(t); ++t) require_open(watch_);
    return std::move(rows_);
  }

 private:
  struct Send {
    std::uint32_t brings = 0;
    ChannelId channel;
    std::uint32_t value = 0;

    // Orders sends by the most contributions; equal ones by channel and value.
    bool operator<(const Send& other) const {
      return std::tuple(brings, other.channel, other.value) < std::tuple(other.brings, channel, value);
    }
  };

  using Set = std::span<std::uint64_t>;

  Set set(std::vector<std::uint64_t>& sets, std::uint32_t value, std::uint32_t processor) const {
    return Set(sets).subspan((std::size_t{value} * fabric_.processors() + processor) * words_, words_);
  }

  void begin() {
    held_.assign(std::size_t{collective_.values()} * fabric_.processors() * words_, 0);
    for (std::uint32_t value = 0; value < collective_.values(); ++value) {
      for (std::uint32_t p = 0; p < fabric_.processors(); ++p) {
        set(held_, value, p)[p / bits] |= std::uint64_t{1} << (p % bits);
      }
    }
    coming_ = held_;
  }

  // Schedules one step; returns whether anything was sent.
  bool step(std::uint32_t t) {
    std::priority_queue<Send> waiting;
    for (std::uint32_t e = 0; e < fabric_.channels(); ++e) {
      for (std::uint32_t value = 0; value < collective_.values(); ++value) wait(waiting, {0, ChannelId{e}, value});
    }
    sent_.assign(fabric_.channels(), 0);
    sending_.assign(fabric_.processors(), false);
    receiving_.assign(fabric_.processors(), false);
    const std::size_t before = rows_.size();
    while (!waiting.empty()) {
      const Send next = waiting.top();
      waiting.pop();
      if (!has_room(next.channel)) continue;
      if (brought(next) < next.brings) {
        wait(waiting, next);
      } else {
        carry_out(next, t);
      }
    }
    held_ = coming_;
    return rows_.size() > before;
  }

  void wait(std::priority_queue<Send>& waiting, Send send) {
    send.brings = brought(send);
    if (send.brings > 0) waiting.push(send);
  }

  // The number of new contributions that the send brings; 0 if it brings one that must not come.
  std::uint32_t brought(const Send& send) {
    const Channel& channel = fabric_.channel(send.channel);
    const Set from = set(held_, send.value, channel.from.value);
    const Set to = set(coming_, send.value, channel.to.value);
    const auto wanted = collective_.wanted_contributions(send.value, channel.to);
    std::uint32_t number = 0;
    for (std::uint32_t i = 0; i < words_; ++i) {
      if (wanted && (from[i] & ~interval(wanted->first, wanted->second, i)) != 0) return 0;
      number += static_cast<std::uint32_t>(std::popcount(from[i] & ~to[i]));
    }
    return number;
  }

  // The bits of one 64-bit word that stand for the contributions from `first` to `last`.
  static std::uint64_t interval(std::uint32_t first, std::uint32_t last, std::uint32_t word) {
    const auto up_to = [&](std::uint64_t end) {  // below `end`
      const std::uint64_t begin = std::uint64_t{word} * bits;
      if (end <= begin) return std::uint64_t{0};
      return end - begin >= bits ? ~std::uint64_t{0} : (std::uint64_t{1} << (end - begin)) - 1;
    };
    return up_to(std::uint64_t{last} + 1) & ~up_to(first);
  }

  bool has_room(ChannelId e) const {
    const Channel& channel = fabric_.channel(e);
    std::uint32_t on_link = sent_[e.value];
    const bool half = fabric_.rules().duplex == Duplex::half;
    const auto back = half ? fabric_.reverse(e) : std::nullopt;
    if (back) on_link += sent_[back->value];
    const std::uint32_t capacity =
        back ? std::min(channel.capacity, fabric_.channel(*back).capacity) : channel.capacity;
    if (on_link >= capacity) return false;
    if (fabric_.rules().ports != Ports::single) return true;
    if (sending_[channel.from.value] || receiving_[channel.to.value]) return false;
    return !half || (!receiving_[channel.from.value] && !sending_[channel.to.value]);
  }

  void carry_out(const Send& send, std::uint32_t t) {
    const Channel& channel = fabric_.channel(send.channel);
    const Set from = set(held_, send.value, channel.from.value);
    const Set to = set(coming_, send.value, channel.to.value);
    for (std::uint32_t i = 0; i < words_; ++i) to[i] |= from[i];
    ++sent_[send.channel.value];
    sending_[channel.from.value] = true;
    receiving_[channel.to.value] = true;
    const ChunkId chunk = collective_.chunk({channel.from.value, channel.to.value, send.value}).value();
    rows_.push_back({StepId{t}, {send.channel, LaneId{0}, chunk}});
  }

  const Fabric& fabric_;
  const Collective& collective_;
  Watch* watch_;
  std::uint32_t words_;                // number of 64-bit words in a set
  std::vector<std::uint64_t> held_;    // [value · n + processor]: contributions at the beginning of the step
  std::vector<std::uint64_t> coming_;  // likewise, at its end
  std::vector<std::uint32_t> sent_;    // [channel]: packets in this step
  std::vector<bool> sending_;
  std::vector<bool> receiving_;
  std::vector<StepRow> rows_;
};

}  // namespace

std::vector<StepRow> spreading_schedule(const Fabric& fabric, const Collective& collective, Watch* watch) {
  return Spreading(fabric, collective, watch).run();
}

}  // namespace quadrille::searching
