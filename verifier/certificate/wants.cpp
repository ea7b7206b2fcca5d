#include "verifier/certificate/wants.h"

#include <algorithm>
#include <map>
#include <utility>

namespace quadrille::certificate {
namespace {

constexpr std::uint64_t most_wants = std::uint64_t{1} << 27;

std::vector<NodeId> start_processors(const Collective& collective, ChunkId chunk) {
  if (collective.kind() != CollectiveKind::custom) return {NodeId(collective.name(chunk).origin)};
  std::vector<NodeId> starts;
  for (std::uint32_t p = 0; p < collective.processors(); ++p) {
    if (collective.starts_at(chunk, NodeId(p))) starts.emplace_back(p);
  }
  return starts;
}

Wants wants_of_copying(const Collective& collective) {
  Wants result;
  std::map<ChunkId, std::pair<std::uint32_t, std::uint32_t>> chunks;  // number, and that of its set
  std::map<std::vector<NodeId>, std::uint32_t> sets;
  for (std::uint64_t i = 0; i < collective.demands(); ++i) {
    const auto [chunk, processor] = collective.demand_at(i);
    auto known = chunks.find(chunk);
    if (known == chunks.end()) {
      const auto set = sets.emplace(start_processors(collective, chunk), static_cast<std::uint32_t>(sets.size())).first;
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

// Every contribution to the word that a processor must end with has to come to it from the processor that makes it.
std::optional<Wants> wants_of_combining(const Collective& collective) {
  Wants result;
  result.things = collective.values();
  for (std::uint32_t p = 0; p < collective.processors(); ++p) result.starts.push_back({NodeId(p)});
  std::vector<bool> sent(result.things * collective.processors(), false);
  for (std::uint64_t i = 0; i < collective.demands(); ++i) {
    const auto [id, processor] = collective.demand_at(i);
    const auto value = static_cast<std::uint32_t>(id.value);
    const auto word = collective.wanted_word(value, processor);
    if (!word) continue;
    bool receives = false;
    if (result.wants.size() + (word->second - word->first) >= most_wants) return std::nullopt;
    for (std::uint32_t p = word->first; p <= word->second; ++p) {
      if (p == processor.value) continue;
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

std::optional<Wants> wants_of_each(const Collective& collective) {
  if (collective.demands() > most_wants) return std::nullopt;
  std::optional<Wants> wants = collective.combining() ? wants_of_combining(collective) : wants_of_copying(collective);
  if (wants) {
    std::stable_sort(wants->wants.begin(), wants->wants.end(),
                     [](const Want& a, const Want& b) { return a.starts < b.starts; });
  }
  return wants;
}

// Whether the parts of a message are wanted alike, as those of every collective that Quadrille has a name for are.
bool parts_alike(CollectiveKind kind) {
  for (const CollectiveKind known :
       {CollectiveKind::broadcast, CollectiveKind::scatter, CollectiveKind::gather, CollectiveKind::allgather,
        CollectiveKind::total_exchange, CollectiveKind::reduce, CollectiveKind::reduce_scatter,
        CollectiveKind::allreduce, CollectiveKind::prefix}) {
    if (kind == known) return true;
  }
  return false;
}

}  // namespace

std::optional<Wants> wants_of(const Collective& collective) {
  const std::uint32_t parts = collective.description().parts;
  if (parts == 1 || !parts_alike(collective.kind())) return wants_of_each(collective);
  CollectiveDescription one = collective.description();
  one.parts = 1;
  const auto single = Collective::make(one, collective.processors());
  if (!single) return std::nullopt;
  std::optional<Wants> wants = wants_of_each(*single);
  if (wants) wants->alike = parts;
  return wants;
}

}  // namespace quadrille::certificate
