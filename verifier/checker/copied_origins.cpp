// Idea: a row, in rounds a message, adds its chunk's origin to what its end has of (target, part).
//
//   all-gather, 1->2 brings 1->* and 0->*: 2 had {2}, then {1-2}, then {0-2}
//
// Cost: copied_origins.h; an origin that joins no range moves those after it.
#include "verifier/checker/copied_origins.h"

#include <algorithm>

namespace quadrille::checker {

CopiedOrigins::CopiedOrigins(const SendTable& table, Budget& budget, const Limits& limits, const Messages* messages)
    : table_(table), limits_(limits), messages_(messages), budget_(budget), share_(budget) {}

Intervals CopiedOrigins::held(NodeId processor, std::optional<std::uint32_t> target, std::uint32_t part) {
  return at(processor, target, part).list;
}

void CopiedOrigins::follow(const StepRows& batch) {
  std::uint64_t followed = 0;
  if (messages_ != nullptr) {
    for (const Move& move : messages_->moves()) {
      look_at_limits(limits_, followed++);
      arrive(move.chunk, move.to);
    }
    return;
  }
  for (const Row& row : batch.rows) {
    look_at_limits(limits_, followed++);
    arrive(row.chunk, table_.fabric.channel(row.channel).to);
  }
}

void CopiedOrigins::arrive(ChunkId chunk, NodeId processor) {
  if (!table_.fabric.is_processor(processor)) return;
  const ChunkName name = table_.collective.name(chunk);
  add(at(processor, name.target, name.part), name.origin);
  changes(processor, name.target, name.part);
}

// Of a collective that is not listed a chunk begins at its origin or nowhere; else every processor may be an origin.
CopiedOrigins::Origins& CopiedOrigins::at(NodeId processor, std::optional<std::uint32_t> target, std::uint32_t part) {
  const Collective& collective = table_.collective;
  if (!origins_) origins_.emplace(budget_);
  Origins& origins = *origins_->insert({what(target, part), processor.value}).first;
  if (origins.known) return origins;
  origins.known = true;
  const bool anywhere = collective.listed();
  const std::uint32_t first = anywhere ? 0 : processor.value;
  const std::uint32_t last = anywhere ? collective.processors() - 1 : processor.value;
  for (std::uint32_t origin = first; origin <= last; ++origin) {
    const auto chunk = collective.chunk({origin, target, part});
    if (chunk && collective.starts_at(*chunk, processor)) add(origins, origin);
  }
  return origins;
}

void CopiedOrigins::add(Origins& origins, std::uint32_t origin) {
  Intervals& list = origins.list;
  // The first range that ends at the origin's neighbour below, or later.
  const auto at = std::lower_bound(list.begin(), list.end(), origin, [](const Interval& range, std::uint32_t number) {
    return std::uint64_t{range.last} + 1 < number;
  });
  if (at == list.end() || at->first > std::uint64_t{origin} + 1) {
    share_.add(2 * sizeof(Interval));  // as vectors grow
    list.insert(at, {origin, origin});
    return;
  }
  at->first = std::min(at->first, origin);
  at->last = std::max(at->last, origin);
  if (const auto next = at + 1; next != list.end() && next->first == at->last + 1) {
    at->last = next->last;
    list.erase(next);
    share_.remove(2 * sizeof(Interval));
  }
}

}  // namespace quadrille::checker
