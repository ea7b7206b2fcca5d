// The dual linear program of flows over time; flow.h has the derivation.
//
//   2 packets from 0 to 1 over a channel of capacity 1, T = 1: the program maximizes 2·d(0, 1, 1), where d(0, 1, 1) <=
//   the price of 0->1 in step 1, and that price times 1 is 1. The value is 2, more than 1, so one step is too few. With
//   T = 2 the price is 1/2 in each step, and the value is 1: no argument against two steps
//
// Cost: a linear program of about size(T) rows, solved by the simplex method, and a few exact checks of its prices.
#include "verifier/bounds/flow.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <unordered_map>

#include "verifier/bounds/parts.h"

namespace quadrille::bounds {
namespace {

constexpr double more_than_noise = 1e-7;

std::vector<std::uint32_t> all_hops(const Fabric& fabric) {
  std::vector<std::uint32_t> hops;
  for (std::uint32_t v = 0; v < fabric.nodes(); ++v) {
    const std::vector<std::uint32_t> row = distances(fabric, NodeId{v}, Direction::from);
    hops.insert(hops.end(), row.begin(), row.end());
  }
  return hops;
}

// The initial colours of pairs: a colour encodes the nodes, channels and wants of (u, v) alone.
std::vector<std::uint64_t> colours(const Fabric& fabric, const std::vector<PacketDemand>& wants) {
  using Look = std::array<std::uint64_t, 6>;
  const std::uint32_t nodes = fabric.nodes();
  std::vector<Look> looks(std::size_t{nodes} * nodes);
  for (std::size_t v = 0; v < nodes; ++v) looks[v * nodes + v][0] = v < fabric.processors() ? 1 : 2;
  const auto add = [&](std::size_t from, std::size_t to, std::size_t what, std::uint64_t number) {
    looks[from * nodes + to][what] += number;
    looks[to * nodes + from][what + 1] += number;
  };
  for (const Channel& channel : fabric.all_channels()) add(channel.from.value, channel.to.value, 1, channel.capacity);
  for (const PacketDemand& want : wants) add(want.from, want.to, 3, want.packets);
  std::map<Look, std::uint64_t> numbers;
  std::vector<std::uint64_t> result;
  for (const Look& look : looks) result.push_back(numbers.try_emplace(look, numbers.size()).first->second);
  return result;
}

}  // namespace

Flow::Flow(const Fabric& fabric, std::vector<PacketDemand> wants, const Limits& limits)
    : fabric_(fabric),
      nodes_(fabric.nodes()),
      wants_(std::move(wants)),
      resources_(fabric),
      hops_(all_hops(fabric)),
      pairs_(nodes_, colours(fabric, wants_), limits) {
  std::set<std::uint32_t> known;
  for (const PacketDemand& want : wants_) {
    if (known.insert(pairs_.of(want.from, want.from)).second) sources_.push_back(want.from);
  }
  find_last_uses(limits);
  std::map<std::pair<ResourceKind, std::uint32_t>, std::uint32_t> classes;
  for (const Resource& resource : resources_.all) {
    const std::uint32_t there = pairs_.of(resource.from.value, resource.to.value);
    const std::uint32_t back = pairs_.of(resource.to.value, resource.from.value);
    const bool link = resource.kind == ResourceKind::link;
    const auto of = classes.try_emplace({resource.kind, link ? std::min(there, back) : there}, classes.size()).first;
    price_of_.push_back(of->second);
    capacity_.resize(classes.size());
    capacity_[of->second] += resource.capacity;
  }
}

void Flow::find_last_uses(const Limits& limits) {
  for (const std::uint32_t source : sources_) to_wants_[source].assign(nodes_, far);
  Pulse pulse(limits, 64);
  for (const PacketDemand& want : wants_) {
    const auto of_source = to_wants_.find(want.from);
    if (of_source == to_wants_.end()) continue;
    if (pulse.reached()) return;
    for (std::uint32_t v = 0; v < nodes_; ++v) {
      of_source->second[v] = std::min(of_source->second[v], hops(v, want.to));
    }
  }
}

// The last step by whose end a packet of the source can be at the node and still be of use.
std::uint32_t Flow::last_use(std::uint32_t source, std::uint32_t node, std::uint32_t T) const {
  return T - std::min(T, to_wants_.at(source)[node]);
}

Flow::Windows Flow::windows(std::uint32_t T, std::size_t& columns) const {
  Windows result;
  for (const std::uint32_t source : sources_) {
    for (std::uint32_t v = 0; v < nodes_; ++v) {
      const std::uint32_t first = hops(source, v);
      const std::uint32_t last = last_use(source, v, T);
      // Earlier the packet cannot be there, and later it is of no use; neither case needs a column.
      if (v == source || first == far || first > last) continue;
      const auto [window, added] = result.try_emplace(pairs_.of(source, v), Window{columns, first, last});
      if (added) columns += last - first + 1;
    }
  }
  return result;
}

std::uint64_t Flow::packets() const {
  std::uint64_t sum = 0;
  for (const PacketDemand& want : wants_) sum += want.packets;
  return sum;
}

std::uint64_t Flow::size(std::uint32_t T) const {
  std::uint64_t rows = 0;
  for (const std::uint32_t source : sources_) {
    std::set<std::uint32_t> classes;
    for (std::uint32_t v = 0; v < nodes_; ++v) {
      if (classes.insert(pairs_.of(source, v)).second) rows += (1 + fabric_.channels_to(NodeId{v}).size()) * T;
    }
  }
  return rows;
}

// Adds the rows that limit the price that a packet of the source pays on its path to each node.
void Flow::add_paths(LinearProgram& program, const Windows& windows, std::uint32_t source, std::uint32_t T) const {
  std::set<std::vector<std::uint32_t>> known;
  for (std::uint32_t e = 0; e < fabric_.channels(); ++e) {
    const Channel& channel = fabric_.channel(ChannelId{e});
    std::vector<std::uint32_t> uses;
    for (const std::uint32_t r : resources_.used_by[e]) uses.push_back(price_of_[r]);
    std::sort(uses.begin(), uses.end());
    const std::uint32_t from = pairs_.of(source, channel.from.value);
    const std::uint32_t to = pairs_.of(source, channel.to.value);
    const auto after = windows.find(to);
    const std::uint32_t least = hops(source, channel.from.value);
    std::vector<std::uint32_t> key = uses;
    key.push_back(from);
    key.push_back(to);
    if (after == windows.end() || least == far || !known.insert(key).second) continue;
    for (std::uint32_t t = std::max(after->second.first, least + 1); t <= after->second.last; ++t) {
      LinearProgram::Terms terms{{after->second.column + (t - after->second.first), 1}};
      if (channel.from.value != source) {
        const Window& before = windows.at(from);
        terms.emplace_back(before.column + (t - 1 - before.first), -1);
      }
      for (const std::uint32_t price : uses) terms.emplace_back(std::size_t{price} * T + t - 1, -1);
      program.add_row(terms, 0);
    }
  }
}

std::optional<Infeasibility> Flow::infeasibility(std::uint32_t T, int most_iterations, const Limits& limits) const {
  std::size_t columns = capacity_.size() * T;  // the prices come first
  const Windows all = windows(T, columns);
  // Columns: a price for each class of resources and step, then d(s, v, t) for each class of pairs in its window.
  LinearProgram program(columns);
  for (const PacketDemand& want : wants_) {
    const auto window = all.find(pairs_.of(want.from, want.to));
    if (window == all.end() || window->second.last != T) return std::nullopt;
    program.add_gain(window->second.column + (T - window->second.first), static_cast<double>(want.packets));
  }
  // Prices can be scaled, so the priced capacity is fixed at 1.
  LinearProgram::Terms worth;
  for (std::size_t i = 0; i < capacity_.size() * T; ++i) worth.emplace_back(i, static_cast<double>(capacity_[i / T]));
  program.add_row(worth, 1);
  // Waiting costs nothing: d(s, v, t) <= d(s, v, t-1).
  for (const auto& [pair, window] : all) {
    for (std::size_t i = window.column + 1; i <= window.column + (window.last - window.first); ++i) {
      program.add_row({{i, 1}, {i - 1, -1}}, 0);
    }
  }
  for (const std::uint32_t source : sources_) {
    if (limits.reached() != Reason::none) return std::nullopt;
    add_paths(program, all, source, T);
  }
  const auto solution = program.maximum(most_iterations, limits);
  if (!solution || solution->value < 1 + more_than_noise) return std::nullopt;
  return rounded(solution->columns, T, limits);
}

// Tries small whole numbers first: a solution at a corner is often a multiple of its least price.
std::optional<Infeasibility> Flow::rounded(const std::vector<double>& columns, std::uint32_t T,
                                           const Limits& limits) const {
  const std::size_t prices = capacity_.size() * T;
  double least = 1;
  double most = 0;
  for (std::size_t i = 0; i < prices; ++i) {
    if (columns[i] > more_than_noise) least = std::min(least, columns[i]);
    most = std::max(most, columns[i]);
  }
  std::vector<double> scales;
  for (int k = 1; k <= 12; ++k) scales.push_back(k / least);
  for (const double k : {1e3, 1e5, 1e7}) scales.push_back(k / most);
  for (const double scale : scales) {
    Infeasibility it;
    for (const std::uint32_t price : price_of_) {
      std::vector<std::uint64_t>& list = it.prices.emplace_back();
      for (std::size_t i = std::size_t{price} * T; i < std::size_t{price} * T + T; ++i) {
        list.push_back(static_cast<std::uint64_t>(std::llround(std::max(0.0, columns[i] * scale))));
      }
    }
    if (limits.reached() != Reason::none) break;
    // Rounding may have spoilt the prices, so the exact sums decide.
    const auto capacity = priced_capacity(resources_, it.prices);
    const auto demand = priced_demand(fabric_, resources_, wants_, it.prices, T);
    if (!capacity || !demand || *demand <= *capacity) continue;
    it.capacity = *capacity;
    it.demand = *demand;
    return it;
  }
  return std::nullopt;
}

// Idea: colour refinement of pairs of nodes (the two-dimensional algorithm of Weisfeiler and Leman). Two pairs (u, v)
// stay in one class as long as they see the same classes of (u, w) and (w, v) equally often, over all third nodes w.
// Automorphisms keep the classes, so a linear program may be averaged over them.
//
//   a ring of 6: the classes are the distances 0, 1, 2, 3 (clockwise and back are alike)
//
// Cost: nodes^3 a round, and at most as many rounds as there are classes in the end. (B. Weisfeiler, A. Leman, 1968.)

namespace {

// Spreads the bits of a number over the whole result (the last steps of MurmurHash3).
std::uint64_t spread(std::uint64_t x) {
  x ^= x >> 33U;
  x *= 0xff51afd7ed558ccdULL;
  x ^= x >> 33U;
  x *= 0xc4ceb9fe1a85ec53ULL;
  return x ^ (x >> 33U);
}

}  // namespace

PairClasses::PairClasses(std::uint32_t nodes, const std::vector<std::uint64_t>& colours, const Limits& limits)
    : nodes_(nodes) {
  number(colours);
  while (refine(limits)) {
  }
}

// The sum of their hashes identifies the multiset of the triangles over a pair. If two hashes were ever equal by
// chance, classes would be too coarse, and bounds weaker. None would be wrong, since prices are checked.
bool PairClasses::refine(const Limits& limits) {
  std::vector<std::uint64_t> colours(classes_.size());
  std::vector<std::uint64_t> hashes(count_);
  for (std::uint32_t i = 0; i < count_; ++i) hashes[i] = spread(i + 1);
  for (std::size_t u = 0; u < nodes_; ++u) {
    if (limits.reached() != Reason::none) return false;
    for (std::size_t w = 0; w < nodes_; ++w) {
      const std::uint64_t first = 3 * hashes[classes_[u * nodes_ + w]];
      for (std::size_t v = 0; v < nodes_; ++v) {
        colours[u * nodes_ + v] += spread(first + hashes[classes_[w * nodes_ + v]]);
      }
    }
  }
  for (std::size_t i = 0; i < colours.size(); ++i) colours[i] = spread(colours[i] + hashes[classes_[i]]);
  const std::uint32_t before = count_;
  number(colours);
  return count_ > before;
}

void PairClasses::number(const std::vector<std::uint64_t>& colours) {
  std::unordered_map<std::uint64_t, std::uint32_t> numbers;
  classes_.resize(colours.size());
  for (std::size_t i = 0; i < colours.size(); ++i) {
    classes_[i] = numbers.try_emplace(colours[i], static_cast<std::uint32_t>(numbers.size())).first->second;
  }
  count_ = static_cast<std::uint32_t>(numbers.size());
}

}  // namespace quadrille::bounds
