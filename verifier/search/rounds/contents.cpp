// Turns demands into origins. A total exchange among 4 has 12 chunks, but 4 origins: the chunks that start at
// processor 0 are one origin, wanted by 1, 2 and 3. Cost: a look at each demand; for listed collectives, also one at
// each processor.
#include "verifier/search/rounds/contents.h"

#include <map>
#include <set>

namespace quadrille::searching {
namespace {

using Wanted = std::map<std::vector<std::uint32_t>, std::set<std::uint32_t>>;

void add_copies(const Collective& collective, Wanted& wanted) {
  std::map<ChunkId, std::vector<std::uint32_t>> starts;
  for (std::uint64_t number = 0; number < collective.demands(); ++number) {
    const auto [chunk, processor] = collective.demand_at(number);
    auto known = starts.find(chunk);
    if (known == starts.end()) known = starts.emplace(chunk, starts_of(collective, chunk)).first;
    wanted[known->second].insert(processor.value);
  }
}

void add_contributions(const Collective& collective, Wanted& wanted) {
  for (std::uint64_t number = 0; number < collective.demands(); ++number) {
    const auto [value, processor] = collective.demand_at(number);
    const auto range = collective.wanted_contributions(static_cast<std::uint32_t>(value.value), processor);
    if (!range) continue;
    for (std::uint32_t q = range->first; q <= range->second; ++q) {
      if (q != processor.value) wanted[{q}].insert(processor.value);
    }
  }
}

std::vector<Origin> in_order(const Wanted& wanted) {
  std::vector<Origin> origins;
  for (const auto& [starts, processors] : wanted) {
    origins.push_back({starts, {processors.begin(), processors.end()}, 0});
  }
  return origins;
}

}  // namespace

std::vector<std::uint32_t> starts_of(const Collective& collective, ChunkId chunk) {
  std::vector<std::uint32_t> starts;
  for (std::uint32_t p = 0; p < collective.processors(); ++p) {
    if (collective.starts_at(chunk, NodeId(p))) starts.push_back(p);
  }
  return starts;
}

std::vector<Origin> origins_of(const Collective& collective) {
  Wanted wanted;
  if (collective.combining()) {
    add_contributions(collective, wanted);
  } else {
    add_copies(collective, wanted);
  }
  return in_order(wanted);
}

std::vector<Origin> time_reversed_origins(const Collective& collective) {
  Wanted contributed;
  add_contributions(collective, contributed);
  Wanted wanted;
  for (const auto& [contributor, processors] : contributed) {
    for (const std::uint32_t p : processors) wanted[{p}].insert(contributor.front());
  }
  return in_order(wanted);
}

std::vector<Origin> origins_by_value(const Collective& collective) {
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::set<std::uint32_t>> wanted;  // [value, contribution]
  for (std::uint64_t number = 0; number < collective.demands(); ++number) {
    const auto [chunk, processor] = collective.demand_at(number);
    if (!collective.combining()) {
      wanted[{chunk.value, 0}].insert(processor.value);
      continue;
    }
    const auto range = collective.wanted_contributions(static_cast<std::uint32_t>(chunk.value), processor);
    if (!range) continue;
    for (std::uint32_t q = range->first; q <= range->second; ++q) {
      if (q != processor.value) wanted[{chunk.value, q}].insert(processor.value);
    }
  }
  std::vector<Origin> origins;
  for (const auto& [name, processors] : wanted) {
    std::vector<std::uint32_t> starts{name.second};
    if (!collective.combining()) starts = starts_of(collective, ChunkId(name.first));
    origins.push_back({std::move(starts), {processors.begin(), processors.end()}, name.first});
  }
  return origins;
}

}  // namespace quadrille::searching
