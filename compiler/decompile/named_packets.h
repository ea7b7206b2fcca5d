// NamedPackets are the sets of origins, targets and parts that a message's packets have.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "model/collective.h"

namespace quadrille {

struct NamedPackets {
  std::set<std::uint32_t> origins;
  std::set<std::uint32_t> targets;  // none: everyone
  std::set<std::uint32_t> parts;

  explicit NamedPackets(const std::vector<ChunkName>& chunks) {
    for (const ChunkName& chunk : chunks) {
      origins.insert(chunk.origin);
      if (chunk.target) targets.insert(*chunk.target);
      parts.insert(chunk.part);
    }
  }
};

// Whether the names are all those of some origins, targets and parts.
inline bool is_product(const std::vector<ChunkName>& chunks) {
  const NamedPackets named(chunks);
  const auto for_everyone = [](const ChunkName& chunk) { return !chunk.target; };
  if (!named.targets.empty() && std::ranges::any_of(chunks, for_everyone)) return false;
  return named.origins.size() * std::max<std::size_t>(named.targets.size(), 1) * named.parts.size() == chunks.size();
}

}  // namespace quadrille
