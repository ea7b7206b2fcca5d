// Events are sorted by Kahn's algorithm. Reachability of pairs is computed for 512 first events at a time, with a bit
// for each.
#include "programs/ordered_events.h"

#include <algorithm>
#include <array>

namespace quadrille::programs {
namespace {

constexpr std::size_t lot_words = 8;
constexpr std::size_t lot = lot_words * 64;
using Bits = std::array<std::uint64_t, lot_words>;

}  // namespace

OrderedEvents::OrderedEvents(std::uint32_t events, const std::vector<EventEdge>& edges,
                             const std::vector<std::uint32_t>& never, Work& work) {
  add(events, edges, work);
  std::vector<std::uint32_t> waiting(events, 0);
  for (const auto& [from, to] : edges) ++waiting[to];
  for (const std::uint32_t e : never) ++waiting[e];
  order_.reserve(events);
  for (std::uint32_t e = 0; e < events; ++e) {
    if (waiting[e] == 0) order_.push_back(e);
  }
  for (std::size_t i = 0; i < order_.size(); ++i) {
    work.spend(2 + next(order_[i]).size());
    for (const std::uint32_t after : next(order_[i])) {
      if (--waiting[after] == 0) order_.push_back(after);
    }
  }
}

OrderedEvents::OrderedEvents(const std::vector<EventEdge>& edges, std::vector<std::uint32_t> order, Work& work)
    : order_(std::move(order)) {
  add(static_cast<std::uint32_t>(order_.size()), edges, work);
}

void OrderedEvents::add(std::uint32_t events, const std::vector<EventEdge>& edges, Work& work) {
  starts_.assign(std::size_t{events} + 1, 0);
  for (const auto& [from, to] : edges) {
    work.spend(2);
    ++starts_[from + 1];
  }
  for (std::uint32_t e = 0; e < events; ++e) starts_[e + 1] += starts_[e];
  successors_.resize(edges.size());
  std::vector<std::uint32_t> fill(starts_.begin(), starts_.end() - 1);
  for (const auto& [from, to] : edges) successors_[fill[from]++] = to;
}

OrderedEvents::Unordered OrderedEvents::unordered(const std::vector<EventEdge>& pairs, std::size_t enough,
                                                  Work& work) const {
  Unordered result;
  std::vector<std::uint32_t> by_first(pairs.size());
  for (std::uint32_t i = 0; i < pairs.size(); ++i) by_first[i] = i;
  std::vector<std::uint32_t> rank(starts_.size() - 1);
  for (std::uint32_t i = 0; i < order_.size(); ++i) rank[order_[i]] = i;
  std::sort(by_first.begin(), by_first.end(),
            [&](std::uint32_t a, std::uint32_t b) { return rank[pairs[a].first] < rank[pairs[b].first]; });
  std::vector<Bits> reached(pairs.empty() ? 0 : starts_.size() - 1);
  for (std::size_t from = 0; from < by_first.size();) {
    work.spend(1 + reached.size());
    if (result.pairs.size() >= enough) {
      result.partial = true;
      break;
    }
    std::fill(reached.begin(), reached.end(), Bits{});
    std::size_t bit = 0;
    std::size_t to = from;
    std::uint32_t latest = 0;
    std::vector<std::size_t> bits;
    for (; to < by_first.size(); ++to) {
      const auto& [first, second] = pairs[by_first[to]];
      if (to > from && first != pairs[by_first[to - 1]].first && ++bit == lot) break;
      reached[first][bit / 64] |= std::uint64_t{1} << (bit % 64);
      bits.push_back(bit);
      latest = std::max(latest, rank[second]);
    }
    for (std::uint32_t i = rank[pairs[by_first[from]].first]; i <= latest && i < order_.size(); ++i) {
      const Bits& here = reached[order_[i]];
      work.spend(2);
      if (std::all_of(here.begin(), here.end(), [](std::uint64_t word) { return word == 0; })) continue;
      work.spend(4 * next(order_[i]).size());
      for (const std::uint32_t after : next(order_[i])) {
        for (std::size_t w = 0; w < lot_words; ++w) reached[after][w] |= here[w];
      }
    }
    for (std::size_t i = from; i < to; ++i) {
      const std::size_t b = bits[i - from];
      if (((reached[pairs[by_first[i]].second][b / 64] >> (b % 64)) & 1) == 0) result.pairs.push_back(by_first[i]);
    }
    from = to;
  }
  std::sort(result.pairs.begin(), result.pairs.end());
  return result;
}

}  // namespace quadrille::programs
