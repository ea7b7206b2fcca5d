// Idea: which packets of a combining collective can be of use at all, by distances and by what must not be held in the
// end; all others get no variables.
//
//   prefix among 0 and 1: 0 must end with {0}, so it must not receive 1's contribution: of the packets 0->1 and 1->0
//   only the first is of use
//
// Cost: a breadth-first search from each node, then pairs of processors x values. Source:
// verifier/COMBINING_FORMULA.md, The question.
#include "verifier/certificate/formulas/packets.h"

#include <algorithm>
#include <utility>

#include "verifier/certificate/formulas/distances.h"

namespace quadrille::certificate {
namespace {

constexpr std::uint64_t most_work = std::uint64_t{1} << 32;   // packets x (channels and nodes x processors) x steps
constexpr std::uint64_t most_nodes = std::uint64_t{1} << 13;  // with the distance of each to each
constexpr std::uint64_t bytes_per_packet = 2 * sizeof(Packet) + 2 * sizeof(std::size_t);  // in lists that grow

}  // namespace

std::optional<Packets> Packets::find(const Fabric& fabric, const Collective& collective, std::uint32_t T, Work& work) {
  const std::uint64_t n = fabric.processors();
  const std::uint64_t each = fabric.channels() + fabric.nodes() * n;
  if (fabric.nodes() > most_nodes || n * n > most_work / each) return std::nullopt;
  const std::uint64_t size = n * n * each;
  if (collective.values() > most_work / size || T > most_work / (size * collective.values())) return std::nullopt;
  work.take(std::uint64_t{fabric.nodes()} * fabric.nodes(), sizeof(std::uint32_t));
  work.take(collective.values(), n * sizeof(std::uint32_t) + n * n * bytes_per_packet);
  return Packets(fabric, collective, work);
}

Packets::Packets(const Fabric& fabric, const Collective& collective, Work& work)
    : fabric_(fabric), collective_(collective) {
  const std::uint32_t n = fabric.processors();
  const std::vector<bool> all_channels(fabric.channels(), true);
  for (std::uint32_t u = 0; u < fabric.nodes(); ++u) {
    work.spend(fabric.channels());
    distances_.push_back(distances(fabric, {NodeId(u)}, all_channels, SearchDirection::from));
  }
  // r(x, p): hops from p to the nearest processor that wants x.
  remaining_.assign(collective.values(), std::vector<std::uint32_t>(n, far));
  for (std::uint64_t i = 0; i < collective.demands(); ++i) {
    const auto [value, w] = collective.demand_at(i);
    work.spend(n);
    for (std::uint32_t p = 0; p < n; ++p) {
      std::uint32_t& r = remaining_[value.value][p];
      r = std::min(r, distances_[p][w.value]);
    }
  }
  // The packets of use, by o, then g, then x, as the page numbers them.
  to_.resize(std::size_t{collective.values()} * n);
  for (std::uint32_t o = 0; o < n; ++o) {
    for (std::uint32_t g = 0; g < n; ++g) {
      work.spend(collective.values());
      for (std::uint32_t x = 0; x < collective.values(); ++x) {
        if (o == g || d(o, g) == far || r(x, g) == far || !may_hold(x, g, o)) continue;
        to_[std::size_t{x} * n + g].push_back(of_use_.size());
        of_use_.push_back({o, g, x});
      }
    }
  }
}

bool Packets::may_hold(std::uint32_t x, std::uint32_t p, std::uint32_t k) const {
  const auto wanted = collective_.wanted_contributions(x, NodeId(p));
  return !wanted || (wanted->first <= k && k <= wanted->second);
}

bool Packets::can_cross(const Packet& c, ChannelId e) const {
  return fabric_.channel(e).from.value != c.g && fabric_.channel(e).to.value != c.o;
}

std::vector<ChannelArrival> Packets::arrivals(std::uint32_t x, std::uint32_t p) const {
  const std::vector<std::size_t>& packets = to_[std::size_t{x} * fabric_.processors() + p];
  std::vector<ChannelArrival> all;
  for (const ChannelId e : fabric_.channels_to(NodeId(p))) {
    if (fabric_.channel(e).capacity == 1) {
      all.push_back({e, packets});
    } else {
      for (const std::size_t packet : packets) all.push_back({e, {packet}});
    }
  }
  return all;
}

}  // namespace quadrille::certificate
