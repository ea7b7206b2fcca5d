// Looks for cuts with much to carry over few channels. For a small fabric, all splits are looked at. For a larger
// one, or where switches would make them too many, there are three kinds of candidates: halves that lie nearer to one
// end of a link, sweeps, and minimum cuts between processors. The best of them are improved node by node.
//
//   two DGX-1 servers are joined by one link. Of the 2^15 splits of their 16 processors, the one into servers has 64
//   packets of a total exchange to carry over the link each way, so it takes 64 steps.
//
// Cost: most_visits looks at nodes and links for each kind of candidate; some tenths of a second at most.
#include "verifier/bounds/graph_cuts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <utility>

#include "verifier/bounds/splits.h"

namespace quadrille::bounds {
namespace {

constexpr std::uint64_t most_visits = std::uint64_t{1} << 23;
constexpr std::uint64_t most_visits_of_all = std::uint64_t{1} << 26;  // where all splits are looked at
constexpr std::uint32_t most_with_known_cuts = 64;                    // nodes of a fabric whose topology knows cuts
constexpr std::uint32_t most_named = 8;

// Whether all channels exist and have one capacity. Then single processors are the tightest cuts.
bool complete(const Fabric& fabric) {
  const std::uint64_t n = fabric.nodes();
  return fabric.channels() == n * (n - 1) && fabric.least_capacity() == fabric.largest_capacity();
}

// Makes a cut of a split, and names it after the side with fewer processors.
Cut cut_of(const Fabric& fabric, std::vector<bool> side) {
  const auto processors_end = side.begin() + fabric.processors();
  const auto inside = std::count(side.begin(), processors_end, true);
  if (2 * inside > fabric.processors() || (2 * inside == fabric.processors() && !side.front())) side.flip();
  Cut cut;
  cut.inside.assign(side.begin(), side.begin() + fabric.processors());
  cut.name = name_of(cut.inside);
  for (std::uint32_t e = 0; e < fabric.channels(); ++e) {
    const Channel& channel = fabric.channel(ChannelId{e});
    if (side[channel.from.value] == side[channel.to.value]) continue;
    (side[channel.from.value] ? cut.out : cut.in).emplace_back(e);
  }
  return cut;
}

}  // namespace

std::string name_of(const std::vector<bool>& inside) {
  std::vector<std::size_t> members;
  for (std::size_t p = 0; p < inside.size(); ++p) {
    if (inside[p]) members.push_back(p);
  }
  if (members.size() == 1) return fmt::format("processor {}", members.front());
  if (members.size() > 2 && members.back() - members.front() + 1 == members.size()) {
    return fmt::format("processors {} to {}", members.front(), members.back());
  }
  if (members.size() > most_named) {
    const std::size_t number = members.size();
    members.resize(most_named / 2);
    return fmt::format("{} processors ({}, …)", number, fmt::join(members, ", "));
  }
  const std::size_t last = members.back();
  members.pop_back();
  return fmt::format("processors {} and {}", fmt::join(members, ", "), last);
}

std::vector<Cut> graph_cuts(const Fabric& fabric, const Collective& collective, const Limits& limits) {
  if (fabric.processors() < 2 || complete(fabric)) return {};
  if (fabric.nodes() > most_with_known_cuts && !fabric.topology().cuts(fabric).empty()) return {};
  // Beyond that the graph alone takes seconds, and nothing that is looked for in it is left to spend.
  if (fabric.channels() > 4 * most_visits || limits.reached() != Reason::none) return {};
  const CutGraph graph(fabric);
  const ExpectedCrossings crossings(collective);
  const Effort effort(most_visits, limits);
  BestSplits best;
  const bool all = few_splits(graph) && all_splits(graph, crossings, Effort(most_visits_of_all, limits), best);
  if (!all) {
    splits_at_links(graph, crossings, effort, best);
    sweeps(graph, crossings, effort, best);
    minimum_splits(graph, crossings, effort, best);
    improve(graph, crossings, effort, best);
  }
  std::vector<Cut> cuts;
  for (const BestSplits::Known& known : best.all()) cuts.push_back(cut_of(fabric, known.inside));
  return cuts;
}

}  // namespace quadrille::bounds
