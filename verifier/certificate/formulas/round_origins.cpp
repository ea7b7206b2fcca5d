// What has to come where: where it does not matter how much there is, by where it starts; else by chunk, or by value
// and contribution.
//
//   total exchange among 4: 4 origins, each wanted by 3; or 12, each wanted by 1
//
// Cost: for each demand, a look at each processor.
#include <map>

#include "verifier/certificate/formulas/rounds.h"

namespace quadrille::certificate {
namespace {

std::vector<std::uint32_t> starts_of(const Collective& collective, ChunkId chunk) {
  std::vector<std::uint32_t> starts;
  for (std::uint32_t p = 0; p < collective.processors(); ++p) {
    if (collective.starts_at(chunk, NodeId(p))) starts.push_back(p);
  }
  return starts;
}

}  // namespace

RoundOrigins round_origins(const Collective& collective, Work& work) {
  std::map<std::vector<std::uint32_t>, Processors> origins;
  for (std::uint64_t number = 0; number < collective.demands(); ++number) {
    const auto [chunk, wants] = collective.demand_at(number);
    work.spend(collective.processors());
    work.take(1, sizeof(std::uint32_t));
    if (!collective.combining()) {
      origins[starts_of(collective, chunk)].insert(wants.value);
      continue;
    }
    const auto wanted = collective.wanted_contributions(static_cast<std::uint32_t>(chunk.value), wants);
    for (std::uint32_t q = 0; wanted && q < collective.processors(); ++q) {
      if (wanted->first <= q && q <= wanted->second && q != wants.value) origins[{q}].insert(wants.value);
    }
  }
  return {origins.begin(), origins.end()};
}

RoundOrigins time_reversed_origins(const Collective& collective, Work& work) {
  std::map<std::vector<std::uint32_t>, Processors> origins;
  for (const auto& [contributor, targets] : round_origins(collective, work)) {
    for (const std::uint32_t target : targets) {
      work.spend(1);
      work.take(1, sizeof(std::uint32_t));
      origins[{target}].insert(contributor.front());
    }
  }
  return {origins.begin(), origins.end()};
}

ValuedOrigins valued_origins(const Collective& collective, Work& work) {
  std::map<std::uint64_t, std::map<std::uint32_t, Processors>> all;  // [value][contribution; of chunks, 0]
  for (std::uint64_t number = 0; number < collective.demands(); ++number) {
    const auto [chunk, wants] = collective.demand_at(number);
    work.spend(collective.processors());
    work.take(1, sizeof(std::uint32_t));
    if (!collective.combining()) {
      all[chunk.value][0].insert(wants.value);
      continue;
    }
    const auto wanted = collective.wanted_contributions(static_cast<std::uint32_t>(chunk.value), wants);
    for (std::uint32_t q = 0; wanted && q < collective.processors(); ++q) {
      if (wanted->first <= q && q <= wanted->second && q != wants.value) all[chunk.value][q].insert(wants.value);
    }
  }
  ValuedOrigins origins;
  for (const auto& [value, contributions] : all) {
    for (const auto& [q, wanted] : contributions) {
      if (collective.combining()) {
        origins.push_back({{q}, wanted, value});
      } else {
        origins.push_back({starts_of(collective, ChunkId(value)), wanted, value});
      }
    }
  }
  return origins;
}

}  // namespace quadrille::certificate
