// Idea: reduce a collective to what prices charge for: who must get what from where, which rows must come in, which
// must go out.
//
//   prefix, processor 2: it wants the contributions of 0 and 1, so 0->2 and 1->2; one reception at 2; a send of 0 and
//   one of 1
//
// Cost: linear in the demands; combining: in the contributions that they ask for. Parts of a message are wanted alike,
// so only one part is looked at.
#include "verifier/certificate/wants.h"

#include <algorithm>
#include <map>
#include <utility>

namespace quadrille::certificate {
namespace {

using StartSet = Wants::StartSet;

StartSet start_processors(const Collective& collective, ChunkId chunk, Work& work) {
  if (!collective.listed()) return {{NodeId(collective.name(chunk).origin)}, &work};
  StartSet starts(&work);
  work.spend(collective.processors());
  for (std::uint32_t p = 0; p < collective.processors(); ++p) {
    if (collective.starts_at(chunk, NodeId(p))) starts.emplace_back(p);
  }
  return starts;
}

Wants wants_of_copying(const Collective& collective, Work& work) {
  Wants result(work);
  std::pmr::map<ChunkId, std::pair<std::uint32_t, std::uint32_t>> chunks(&work);  // number, and that of its set
  std::pmr::map<StartSet, std::uint32_t> sets(&work);
  for (std::uint64_t i = 0; i < collective.demands(); ++i) {
    work.spend(1);
    const auto [chunk, processor] = collective.demand_at(i);
    auto known = chunks.find(chunk);
    if (known == chunks.end()) {
      const auto next = static_cast<std::uint32_t>(sets.size());
      const auto set = sets.emplace(start_processors(collective, chunk, work), next).first;
      known = chunks.emplace(chunk, std::pair(static_cast<std::uint32_t>(chunks.size()), set->second)).first;
    }
    result.wants.push_back({known->second.second, known->second.first, processor});
    if (!collective.starts_at(chunk, processor)) result.receptions.push_back({known->second.first, processor});
  }
  result.things = chunks.size();
  result.starts.resize(sets.size());
  for (const auto& [starts, number] : sets) result.starts[number] = starts;
  return result;
}

// Every contribution to what a processor must end with has to come to it from the processor that makes it.
Wants wants_of_combining(const Collective& collective, Work& work) {
  Wants result(work);
  result.things = collective.values();
  for (std::uint32_t p = 0; p < collective.processors(); ++p) result.starts.push_back(StartSet({NodeId(p)}, &work));
  std::pmr::vector<bool> sent(result.things * collective.processors(), false, &work);
  for (std::uint64_t i = 0; i < collective.demands(); ++i) {
    work.spend(1);
    const auto [id, processor] = collective.demand_at(i);
    const auto value = static_cast<std::uint32_t>(id.value);
    const auto wanted = collective.wanted_contributions(value, processor);
    if (!wanted) continue;
    bool receives = false;
    for (std::uint32_t p = wanted->first; p <= wanted->second; ++p) {
      if (p == processor.value) continue;
      work.spend(1);
      result.wants.push_back({p, value, processor});
      receives = true;
      const std::size_t at = std::size_t{value} * collective.processors() + p;
      if (!sent[at]) result.sends.push_back({value, NodeId(p)});
      sent[at] = true;
    }
    if (receives) result.receptions.push_back({value, processor});
  }
  return result;
}

Wants wants_of_each(const Collective& collective, Work& work) {
  Wants wants = collective.combining() ? wants_of_combining(collective, work) : wants_of_copying(collective, work);
  const auto by_set = [](const Want& a, const Want& b) { return a.starts < b.starts; };
  if (!std::is_sorted(wants.wants.begin(), wants.wants.end(), by_set)) {
    work.take(wants.wants.size(), sizeof(Want));  // what a stable sort takes
    std::stable_sort(wants.wants.begin(), wants.wants.end(), by_set);
  }
  return wants;
}

}  // namespace

Wants wants_of(const Collective& collective, Work& work) {
  const std::uint32_t parts = collective.description().parts;
  if (parts == 1 || collective.listed()) return wants_of_each(collective, work);
  CollectiveDescription one = collective.description();
  one.parts = 1;
  Wants wants = wants_of_each(Collective::make(one, collective.processors()).value(), work);
  wants.alike = parts;
  return wants;
}

}  // namespace quadrille::certificate
