// The packets of each kind of collective: ids and names, and the packets of the reversed collective.
#include <algorithm>
#include <cassert>

#include "model/collective_data.h"

namespace quadrille {

std::optional<ChunkId> Collective::Data::custom_chunk(const ChunkName& name) const {
  const auto& chunks = description.chunks;
  const auto before = [](const CustomChunk& chunk, const ChunkName& key) { return chunk.name < key; };
  const auto found = std::lower_bound(chunks.begin(), chunks.end(), name, before);
  if (found == chunks.end() || found->name != name) return std::nullopt;
  return ChunkId(static_cast<std::uint64_t>(found - chunks.begin()));
}

std::optional<ChunkId> Collective::chunk(const ChunkName& name) const {
  const auto& d = *data_;
  const std::uint64_t n = d.n;
  const std::uint32_t root = d.description.root;
  if (kind() == CollectiveKind::custom) return d.custom_chunk(name);
  if (name.part >= d.parts || name.origin >= n || (name.target && *name.target >= n)) return std::nullopt;
  const bool for_everyone = kind() == CollectiveKind::broadcast || kind() == CollectiveKind::allgather;
  if (for_everyone == name.target.has_value() || (!for_everyone && *name.target == name.origin)) return std::nullopt;
  switch (kind()) {
    case CollectiveKind::broadcast:
      if (name.origin != root) return std::nullopt;
      return ChunkId(name.part);
    case CollectiveKind::allgather:
      return ChunkId(name.origin * d.parts + name.part);
    case CollectiveKind::scatter:
      if (name.origin != root) return std::nullopt;
      return ChunkId(*name.target * d.parts + name.part);
    case CollectiveKind::gather:
      if (*name.target != root) return std::nullopt;
      return ChunkId(name.origin * d.parts + name.part);
    default:
      return ChunkId((name.origin * n + *name.target) * d.parts + name.part);
  }
}

ChunkName Collective::name(ChunkId chunk) const {
  const auto& d = *data_;
  assert(chunk.value < d.ids);
  const std::uint32_t root = d.description.root;
  if (kind() == CollectiveKind::custom) return d.description.chunks[chunk.value].name;
  if (kind() == CollectiveKind::broadcast) return {root, std::nullopt, narrow(chunk.value)};
  const auto [whole, part] = d.by_parts.split(chunk.value);
  switch (kind()) {
    case CollectiveKind::allgather:
      return {narrow(whole), std::nullopt, narrow(part)};
    case CollectiveKind::scatter:
      return {root, narrow(whole), narrow(part)};
    case CollectiveKind::gather:
      return {narrow(whole), root, narrow(part)};
    default: {
      const auto [origin, target] = d.by_n.split(whole);
      return {narrow(origin), narrow(target), narrow(part)};
    }
  }
}

bool Collective::has(ChunkId chunk) const { return chunk.value < data_->ids && !data_->unused(chunk.value); }

std::size_t Collective::first_unknown(std::span<const ChunkId> chunks) const {
  const auto& d = *data_;
  const auto any = [&](std::span<const ChunkId> some, auto unused) {
    bool found = false;
    for (const ChunkId id : some) found |= unused(id.value);
    return found;
  };
  bool found = false;
  if (d.unused_width == 0) {
    found = any(chunks, [&](std::uint64_t id) { return id >= d.ids; });
  } else if (d.ids <= 0xffffffff && d.unused_first == 0 && d.unused_period <= 0xffffffff) {
    // id mod period < width, by one multiplication (Lemire, Kaser, Kurz: Faster remainder by direct computation, 2019):
    // id·ceil(2^64 / period) mod 2^64 is (id mod period) / period as a fraction of 2^64, and a little more.
    const std::uint64_t factor = ~std::uint64_t{0} / d.unused_period + 1;
    const std::uint64_t bound = ~std::uint64_t{0} / (d.unused_period / d.unused_width) + 1;
    found = any(chunks, [&](std::uint64_t id) { return (id >= d.ids) | (id * factor < bound); });
  } else {
    found = true;  // rare sizes: one by one
  }
  if (!found) return chunks.size();
  const auto first = std::find_if(chunks.begin(), chunks.end(), [this](ChunkId id) { return !has(id); });
  return static_cast<std::size_t>(first - chunks.begin());
}

std::string Collective::label(ChunkId chunk) const {
  const auto it = name(chunk);
  const bool several = data_->parts > 1 || it.part > 0;
  return several ? fmt::format("{} part {}", text_of(it), it.part) : text_of(it);
}

std::optional<ChunkId> Collective::usual_chunk(std::uint32_t source, std::optional<std::uint32_t> target,
                                               std::uint32_t part) const {
  const std::uint32_t root = data_->description.root;
  switch (kind()) {
    case CollectiveKind::broadcast:
      return chunk({root, std::nullopt, part});
    case CollectiveKind::allgather:
      return chunk({source, std::nullopt, part});
    case CollectiveKind::gather:
      return chunk({source, root, part});
    default:
      return chunk({source, target, part});  // scatter: a chunk only where the source is the root
  }
}

std::optional<ChunkId> Collective::dual_chunk(ChunkId chunk) const {
  const auto it = name(chunk);
  switch (kind()) {
    case CollectiveKind::scatter:
    case CollectiveKind::gather:
      return has(chunk) ? std::optional(chunk) : std::nullopt;  // the other end's number
    case CollectiveKind::total_exchange:
      return this->chunk({*it.target, it.origin, it.part});
    default:
      return std::nullopt;  // the packet depends on the hop, too
  }
}

std::optional<CollectiveKind> Collective::dual(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::broadcast:
      return CollectiveKind::reduce;
    case CollectiveKind::reduce:
      return CollectiveKind::broadcast;
    case CollectiveKind::scatter:
      return CollectiveKind::gather;
    case CollectiveKind::gather:
      return CollectiveKind::scatter;
    case CollectiveKind::allgather:
      return CollectiveKind::reduce_scatter;
    case CollectiveKind::reduce_scatter:
      return CollectiveKind::allgather;
    case CollectiveKind::total_exchange:
      return CollectiveKind::total_exchange;
    default:
      return std::nullopt;
  }
}

}  // namespace quadrille
