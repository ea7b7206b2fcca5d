// The mean lag: packets with one source and one target are under way for so long on average that sends must end well
// before the last step, and receptions must begin well after the first.
//
// Derivation. Let each of N packets have one source, one target, d hops or more between them, a first row out of its
// source in step s and a last row into its target in step r. Then r - s >= d - 1. A processor that sends m packets, C a
// step at most, does so in steps whose sum is F(m, C) = ceil(1/C) + ceil(2/C) + … + ceil(m/C) or more; one that
// receives m, all by step T, in steps whose sum is m(T + 1) - F(m, C) or less. Summed over all packets and processors:
//     sum (d - 1)  <=  sum (r - s)  <=  N(T + 1) - sum F(received, C) - sum F(sent, C).
// So  T + 1 >= (sum (d - 1) + sum F(received, C) + sum F(sent, C)) / N. The same holds for any part of the packets; we
// take those of x hops or more, for each x.
//
// Total exchange on the fat tree of exponential capacities: N = n(n-1), sum (d - 1) = n((2L-3)n + 3), each F is
// n(n-1)/2, so T >= n - 1 + ((2L-3)n + 3) / (n-1) = n + 2L - 4 + 2L / (n-1): n + 2 log n - 3 steps from n = 8 on. That
// is attained (dsl/schedules/total_exchange_shortest.qd), and settles the question of Communications in Binary Fat
// Trees, §5.1, whose Lemma 3 is weaker.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "model/text/counted.h"
#include "verifier/bounds/parts.h"

namespace quadrille::bounds {
namespace {

constexpr std::uint64_t most_sum = std::uint64_t{1} << 61;
constexpr std::uint64_t most_packets = std::uint64_t{1} << 28;  // of one processor: sums of squares stay below 2^58

// F(m, C).
std::uint64_t least_sum(std::uint64_t packets, std::uint64_t capacity) {
  const std::uint64_t full = packets / capacity;
  return capacity * full * (full + 1) / 2 + packets % capacity * (full + 1);
}

struct Sums {
  std::uint64_t packets = 0;  // N
  std::uint64_t lag = 0;      // sum (d - 1)
  std::uint64_t left = 0;     // sum F(sent, C)
  std::uint64_t arrived = 0;  // sum F(received, C)
  std::uint64_t sent = 0;     // N again, counted at the sources
  bool too_large = false;

  void add(std::uint64_t& sum, std::uint64_t more) {
    too_large = too_large || more > most_sum - sum;
    if (!too_large) sum += more;
  }
};

// The packets that a processor receives (sends) at one distance.
struct Entry {
  std::uint32_t distance;
  std::size_t processor;  // its index among the needs
  bool received;
  std::uint64_t packets;
};

// The sums over the packets of x hops or more, for decreasing x. Each packet is added once.
class LagSums {
 public:
  LagSums(const Fabric& fabric, const NeedsOfAll& needs) : fabric_(fabric), needs_(needs), so_far_(needs.needs.size()) {
    for (std::size_t p = 0; p < needs.needs.size(); ++p) {
      for (const auto& [distance, packets] : needs.needs[p].in) entries_.push_back({distance, p, true, packets});
      for (const auto& [distance, packets] : needs.needs[p].out) entries_.push_back({distance, p, false, packets});
    }
    std::stable_sort(entries_.begin(), entries_.end(),
                     [](const Entry& a, const Entry& b) { return a.distance > b.distance; });
  }

  // Adds the packets of the next distance, and returns it; 0 if there are no more, or if they are too many to sum up.
  std::uint32_t next() {
    if (at_ == entries_.size() || sums_.too_large) return 0;
    const std::uint32_t distance = entries_[at_].distance;
    for (; at_ < entries_.size() && entries_[at_].distance == distance; ++at_) add(entries_[at_]);
    return sums_.too_large ? 0 : distance;
  }
  const Sums& sums() const { return sums_; }

 private:
  struct Number {
    std::uint64_t received = 0;
    std::uint64_t sent = 0;
  };

  void add(const Entry& it) {
    std::uint64_t& number = it.received ? so_far_[it.processor].received : so_far_[it.processor].sent;
    sums_.too_large = sums_.too_large || it.distance == far || it.packets > most_packets - number;
    if (sums_.too_large) return;
    const NodeId processor = needs_.needs[it.processor].processor;
    const std::uint64_t capacity =
        port_capacity(fabric_, it.received ? fabric_.channels_to(processor) : fabric_.channels_from(processor));
    sums_.add(it.received ? sums_.arrived : sums_.left,
              least_sum(number + it.packets, capacity) - least_sum(number, capacity));
    number += it.packets;
    (it.received ? sums_.packets : sums_.sent) += it.packets;
    if (it.received) sums_.add(sums_.lag, it.packets * (it.distance - 1));
  }

  const Fabric& fabric_;
  const NeedsOfAll& needs_;
  std::vector<Entry> entries_;  // farthest first
  std::size_t at_ = 0;
  std::vector<Number> so_far_;  // by processor
  Sums sums_;
};

std::uint64_t units_from(const Distances& distances, std::uint32_t least) {
  std::uint64_t units = 0;
  for (auto it = distances.lower_bound(least); it != distances.end(); ++it) units += it->second;
  return units;
}

// Prices, with l = ceil(m / C): sending in step s costs l - s, and receiving in step r costs r - (T + 1 - l), where
// these are positive. A packet pays at least l - s + r - T - 1 + l >= d - 1 + 2l - T - 1.
std::function<std::vector<PriceList>(std::uint32_t)> lag_prices(const Fabric& fabric, const NeedsOfAll& needs,
                                                                std::uint32_t least) {
  return [fabric, needs, least](std::uint32_t T) {
    std::vector<PriceList> lists;
    for (std::uint32_t p = 0; p < fabric.processors(); ++p) {
      const ProcessorNeeds& it = needs.all_alike ? needs.needs.front() : needs.needs[p];
      const NodeId processor{p};
      const std::uint64_t sending =
          divided_up(units_from(it.out, least), port_capacity(fabric, fabric.channels_from(processor)));
      const std::uint64_t receiving =
          divided_up(units_from(it.in, least), port_capacity(fabric, fabric.channels_to(processor)));
      std::vector<std::uint64_t> falling;
      std::vector<std::uint64_t> rising;
      for (std::uint64_t s = 1; s < sending && s <= T; ++s) falling.push_back(sending - s);
      for (std::uint64_t r = 1; r < receiving && r <= T; ++r) rising.push_back(r);
      price_port(fabric, processor, PortDirection::out, 1, falling, lists);
      price_port(fabric, processor, PortDirection::in, T + 1 - static_cast<std::uint32_t>(rising.size()), rising,
                 lists);
    }
    return one_for_each(lists);  // where processors are linked directly, one's sends are another's receptions
  };
}

}  // namespace

std::optional<Bound> lag_bound(const Fabric& fabric, const Collective& collective, const NeedsOfAll& needs) {
  if (collective.combining() || !collective.unicast() || !(needs.complete || needs.all_alike)) return std::nullopt;
  std::uint64_t best = 0;
  std::uint32_t best_least = 0;
  Sums best_sums;
  LagSums all(fabric, needs);
  while (const std::uint32_t least = all.next()) {
    const Sums& sums = all.sums();
    if (sums.packets == 0 || sums.sent != sums.packets) continue;
    // T + 1 >= (lag + sent + received) / N, by the derivation above.
    const std::uint64_t steps = divided_up(sums.lag + sums.left + sums.arrived, sums.packets) - 1;
    if (steps < best) continue;  // among equals, the last is about the most packets
    best = steps;
    best_least = least;
    best_sums = sums;
  }
  if (best_least == 0) return std::nullopt;
  return Bound{BoundKind::mean_lag, best,
               fmt::format("{}{} of {} or more lag {} in sum: {} + {} <= {}(T+1) - {} (after {})",
                           counted(best_sums.packets, "packet"), needs.all_alike ? " of each processor" : "",
                           counted(best_least, "hop"), counted(best_sums.lag, "step"), best_sums.left, best_sums.lag,
                           best_sums.packets, best_sums.arrived, lemma_3_source),
               std::nullopt, lag_prices(fabric, needs, best_least)};
}

}  // namespace quadrille::bounds
