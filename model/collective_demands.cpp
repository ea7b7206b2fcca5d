// What is where before and after: initial holders, demands and their numbers, and the words that are wanted.
#include <algorithm>
#include <cassert>

#include "model/collective_data.h"

namespace quadrille {

namespace {

bool contains(const std::vector<std::uint32_t>& sorted, std::uint32_t processor) {
  return std::binary_search(sorted.begin(), sorted.end(), processor);
}

}  // namespace

std::optional<std::uint64_t> Collective::Data::custom_demand(std::uint64_t chunk, std::uint32_t processor) const {
  const auto at = [this](std::uint64_t place) { return wanted.begin() + static_cast<std::ptrdiff_t>(place); };
  const auto end = at(first_demand[chunk + 1]);
  const auto found = std::lower_bound(at(first_demand[chunk]), end, processor);
  if (found == end || *found != processor) return std::nullopt;
  return static_cast<std::uint64_t>(found - wanted.begin());
}

std::optional<std::uint64_t> Collective::Data::word_demand(std::uint32_t value, std::uint32_t processor) const {
  if (value >= values || processor >= n) return std::nullopt;
  switch (description.kind) {
    case CollectiveKind::reduce:
      return processor == description.root ? std::optional<std::uint64_t>(value) : std::nullopt;
    case CollectiveKind::reduce_scatter:
      return value / description.parts == processor ? std::optional<std::uint64_t>(value) : std::nullopt;
    default:
      return std::uint64_t{value} * n + processor;
  }
}

bool Collective::starts_at(ChunkId chunk, NodeId processor) const {
  const auto& d = *data_;
  const std::uint64_t p = processor.value;
  if (p >= d.n || chunk.value >= d.ids) return false;
  switch (kind()) {
    case CollectiveKind::broadcast:
      return p == d.description.root;
    case CollectiveKind::scatter:
      return p == d.description.root && has(chunk);
    case CollectiveKind::allgather:
      return chunk.value - p * d.parts < d.parts;  // below it, the difference wraps round
    case CollectiveKind::gather:
      return chunk.value - p * d.parts < d.parts && p != d.description.root;
    case CollectiveKind::custom:
      return contains(d.description.chunks[chunk.value].held_by, processor.value);
    default: {
      const std::uint64_t row = d.n * d.parts;
      const std::uint64_t place = chunk.value - p * row;
      return place < row && place - p * d.parts >= d.parts;
    }
  }
}

std::optional<std::uint64_t> Collective::demand(ChunkId chunk, NodeId processor) const {
  const auto& d = *data_;
  const std::uint64_t p = processor.value;
  const std::uint64_t root = d.description.root;
  if (p >= d.n || chunk.value >= d.ids) return std::nullopt;
  switch (kind()) {
    case CollectiveKind::broadcast:
    case CollectiveKind::allgather: {
      const std::uint64_t origin = kind() == CollectiveKind::broadcast ? root : d.by_parts.quotient(chunk.value);
      if (p == origin) return std::nullopt;
      return chunk.value * (d.n - 1) + without(p, origin);
    }
    case CollectiveKind::scatter:
      if (p == root || chunk.value - p * d.parts >= d.parts) return std::nullopt;
      return chunk.value - (p > root ? d.parts : 0);
    case CollectiveKind::gather:
      if (p != root || chunk.value - p * d.parts < d.parts) return std::nullopt;
      return chunk.value - (chunk.value > root * d.parts ? d.parts : 0);
    case CollectiveKind::total_exchange: {
      if (chunk.value < p * d.parts) return std::nullopt;
      const auto [origin, part] = d.by_row.split(chunk.value - p * d.parts);
      if (part >= d.parts || origin == p) return std::nullopt;
      return chunk.value - (origin + (p > origin ? 1 : 0)) * d.parts;
    }
    case CollectiveKind::custom:
      return d.custom_demand(chunk.value, processor.value);
    default:
      return d.word_demand(value_of(chunk), processor.value);
  }
}

std::pair<ChunkId, NodeId> Collective::demand_at(std::uint64_t number) const {
  const auto& d = *data_;
  assert(number < d.demands);
  const std::uint64_t root = d.description.root;
  const auto pair = [](std::uint64_t chunk, std::uint64_t processor) {
    return std::pair(ChunkId(chunk), NodeId(narrow(processor)));
  };
  switch (kind()) {
    case CollectiveKind::broadcast:
    case CollectiveKind::allgather: {
      const auto [chunk, other] = d.by_others.split(number);
      return pair(chunk, with(other, kind() == CollectiveKind::broadcast ? root : d.by_parts.quotient(chunk)));
    }
    case CollectiveKind::scatter:
    case CollectiveKind::gather: {
      const std::uint64_t end = with(d.by_parts.quotient(number), root);
      return pair(number + (end > root ? d.parts : 0), kind() == CollectiveKind::scatter ? end : root);
    }
    case CollectiveKind::total_exchange: {
      const auto [ends, part] = d.by_parts.split(number);
      const auto [origin, other] = d.by_others.split(ends);
      const std::uint64_t target = with(other, origin);
      return pair((origin * d.n + target) * d.parts + part, target);
    }
    case CollectiveKind::custom: {
      const auto after = std::upper_bound(d.first_demand.begin(), d.first_demand.end(), number);
      return pair(static_cast<std::uint64_t>(after - d.first_demand.begin()) - 1, d.wanted[number]);
    }
    case CollectiveKind::reduce:
      return pair(number, root);
    case CollectiveKind::reduce_scatter:
      return pair(number, number / d.description.parts);
    default: {
      const auto [value, processor] = d.by_n.split(number);
      return pair(value, processor);
    }
  }
}

// --- combining ------------------------------------------------------------------------------------------------------

std::uint32_t Collective::value_of(ChunkId packet) const {
  return narrow(data_->by_parts.split(packet.value).remainder);
}

std::optional<std::pair<std::uint32_t, std::uint32_t>> Collective::wanted_word(std::uint32_t value,
                                                                               NodeId processor) const {
  const auto& d = *data_;
  if (!d.word_demand(value, processor.value)) return std::nullopt;
  return std::pair(0U, kind() == CollectiveKind::prefix ? processor.value : d.n - 1);
}

}  // namespace quadrille
