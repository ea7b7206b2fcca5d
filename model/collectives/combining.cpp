// The common part of combining collectives: numbers by origin, target and value. Among 3 processors with one value,
// the packet from 2 to 1 is number (2·3 + 1)·1 + 0 = 7. The packets of one origin are consecutive, except for unused
// numbers of packets to itself, so starts_at() is two comparisons. Cost: constant.
#include "model/collectives/combining.h"

namespace quadrille::collectives {

std::optional<std::uint64_t> Combining::ids(const CollectiveDescription& it, std::uint64_t n) const {
  return product(product(n, n), pieces(it, n));
}

void Combining::number(CollectiveNumbers& it) const {
  it.demands = count(it);
  it.unused_width = it.parts;
  it.unused_period = (std::uint64_t{it.n} + 1) * it.parts;  // origin·n + target is origin·(n + 1) where they are equal
}

std::optional<ChunkId> Combining::chunk(const CollectiveNumbers& it, const ChunkName& name) const {
  if (!is_plausible(it, name, false)) return std::nullopt;
  return ChunkId((name.origin * std::uint64_t{it.n} + *name.target) * it.parts + name.part);
}

ChunkName Combining::name(const CollectiveNumbers& it, ChunkId chunk) const {
  const auto [ends, part] = it.by_parts.split(chunk.value);
  const auto [origin, target] = it.by_n.split(ends);
  return {narrow(origin), narrow(target), narrow(part)};
}

bool Combining::starts_at(const CollectiveNumbers& it, std::uint64_t chunk, std::uint64_t processor) const {
  const std::uint64_t row = it.n * it.parts;
  const std::uint64_t place = chunk - processor * row;  // below it, the difference wraps round
  return place < row && place - processor * it.parts >= it.parts;
}

std::optional<std::uint64_t> Combining::demand(const CollectiveNumbers& it, std::uint64_t chunk,
                                               std::uint64_t processor) const {
  return value_demand(it, narrow(it.by_parts.split(chunk).remainder), narrow(processor));
}

std::pair<ChunkId, NodeId> Combining::demand_at(const CollectiveNumbers& it, std::uint64_t number) const {
  const auto [value, processor] = it.by_n.split(number);
  return pair(value, processor);
}

std::optional<CollectiveFamily::Contributions> Combining::wanted_contributions(const CollectiveNumbers& it,
                                                                               std::uint32_t value,
                                                                               std::uint32_t processor) const {
  if (!value_demand(it, value, processor)) return std::nullopt;
  return Contributions(0, it.n - 1);
}

}  // namespace quadrille::collectives
