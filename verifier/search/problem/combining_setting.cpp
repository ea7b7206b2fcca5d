// Idea: distances alone tell which packets of a combining collective can be of use, from where to where and when. All
// other packets get no variables (verifier/COMBINING_FORMULA.md, The question).
//
//   prefix among 0 and 1: 0 must end with {0}, so the packet 1->0 is of no use; 0->1 is
//
// Cost: a breadth-first search from each node; then pairs of processors x values.
#include "verifier/search/problem/combining_setting.h"

#include <algorithm>

#include "model/distances.h"

namespace quadrille::searching {
namespace {

constexpr std::uint64_t most_nodes = 4096;
constexpr std::uint64_t most_names = std::uint64_t{1} << 20;
constexpr std::uint64_t most_looks = std::uint64_t{1} << 28;

}  // namespace

bool has_combining_setting(const Fabric& fabric, const Collective& collective) {
  const std::uint64_t n = fabric.processors();
  return fabric.nodes() <= most_nodes && collective.values() <= most_names / (n * n);
}

CombiningSetting::CombiningSetting(const Fabric& fabric, const Collective& collective, Watch* watch)
    : fabric_(fabric), collective_(collective), hops_(std::size_t{fabric.nodes()} * fabric.nodes(), far) {
  const std::uint32_t n = fabric.processors();
  for (std::uint32_t v = 0; v < fabric.nodes(); ++v) {
    require_open(watch);
    std::ranges::transform(distances(fabric, NodeId{v}, Direction::from), &hops_[std::size_t{v} * fabric.nodes()],
                           [](std::uint32_t hops) { return std::min(hops, far); });
  }
  reach_.assign(std::size_t{collective.values()} * n, far);
  for (std::uint64_t number = 0; number < collective.demands(); ++number) {
    if (number % 1024 == 0) require_open(watch);
    const auto [value, wanting] = collective.demand_at(number);
    for (std::uint32_t p = 0; p < n; ++p) {
      std::uint32_t& reach = reach_[value.value * n + p];
      reach = std::min(reach, hops(p, wanting.value));
    }
  }
  for (std::uint32_t origin = 0; origin < n; ++origin) {
    require_open(watch);
    for (std::uint32_t target = 0; target < n; ++target) {
      for (std::uint32_t value = 0; value < collective.values() && target != origin; ++value) {
        if (hops(origin, target) >= far || reach(value, target) >= far || !may_hold(value, target, origin)) continue;
        names_.push_back({origin, target, value, collective.chunk({origin, target, value}).value()});
      }
    }
  }
}

bool CombiningSetting::may_hold(std::uint32_t value, std::uint32_t processor, std::uint32_t contribution) const {
  const auto wanted = collective_.wanted_contributions(value, NodeId{processor});
  return !wanted || (wanted->first <= contribution && contribution <= wanted->second);
}

std::uint64_t CombiningSetting::variables(std::uint32_t T) const {
  const std::uint64_t n = fabric_.processors();
  const std::uint64_t looks = names_.size() * (std::uint64_t{fabric_.nodes()} + fabric_.channels());
  if (looks > most_looks) return looks * n;
  const auto window = [&](const CombiningPacket& name, std::uint32_t from, std::uint32_t to) {
    const std::int64_t last = last_reaching(name, to, T);
    return static_cast<std::uint64_t>(std::max<std::int64_t>(0, last - hops(name.origin, from)));
  };
  std::uint64_t number = std::uint64_t{collective_.values()} * n * n * T;
  for (const CombiningPacket& name : names_) {
    for (std::uint32_t v = 0; v < fabric_.nodes(); ++v) {
      if (v != name.origin && v != name.target) number += window(name, v, v) * (n + 2);
    }
    for (const Channel& channel : fabric_.all_channels()) {
      if (may_cross(name, channel)) number += window(name, channel.from.value, channel.to.value);
    }
  }
  return number;
}

}  // namespace quadrille::searching
