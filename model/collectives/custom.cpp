// Listed collectives: for each chunk, the processors that hold it before and those that must have it after; and
// custom, whose list is written in the schedule or table.
//
//   custom:{"chunks":[{"origin":0,"target":"*","part":0,"held_by":[0,1],"wanted_by":[2]}]}
//
// Numbers: id = place in the list, sorted by name; a chunk's demands one after another, its wanters ascending.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "model/collectives/numbers.h"

namespace quadrille {
namespace {

using Numbers = std::vector<std::uint32_t>;

void sort_unique(Numbers& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

std::string fault_of(const CustomChunk& chunk, std::uint32_t n) {
  const auto outside = [n](std::uint32_t processor) { return processor >= n; };
  const auto name = to_string(chunk.name);
  if (outside(chunk.name.origin) || (chunk.name.target && outside(*chunk.name.target)))
    return fmt::format("chunk {}: the processors are 0 to {}", name, n - 1);
  for (const auto* list : {&chunk.held_by, &chunk.wanted_by}) {
    const auto found = std::find_if(list->begin(), list->end(), outside);
    if (found != list->end())
      return fmt::format("chunk {} names processor {}: the processors are 0 to {}", name, *found, n - 1);
  }
  if (chunk.held_by.empty()) return fmt::format("chunk {} is held by nobody", name);
  return {};
}

CollectiveFacts listed(CollectiveFacts facts) {
  facts.listed = true;
  facts.combining = facts.always_ordered = facts.always_idempotent = false;
  facts.demand.reset();
  return facts;
}

// By (holder, number of chunks), all alike; the number, if it is the same for `expected` of them.
template <class Key>
std::optional<std::uint32_t> same_number(const std::map<Key, std::uint64_t>& numbers, std::size_t expected) {
  if (numbers.size() != expected) return std::nullopt;
  const std::uint64_t first = numbers.begin()->second;
  const bool alike = std::all_of(numbers.begin(), numbers.end(), [&](const auto& it) { return it.second == first; });
  return alike ? std::optional(static_cast<std::uint32_t>(first)) : std::nullopt;
}

// All others want each chunk.
std::optional<DemandShape> shape_for_all(const std::map<std::uint32_t, std::uint64_t>& by_holder, std::uint32_t n) {
  if (const auto parts = same_number(by_holder, 1))
    return DemandShape{.suppliers = DemandShape::Ends::root, .root = by_holder.begin()->first, .parts = *parts};
  if (const auto parts = same_number(by_holder, n)) return DemandShape{.unit_per_supplier = true, .parts = *parts};
  return std::nullopt;
}

// One other wants each chunk.
std::optional<DemandShape> shape_for_one(
    const std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t>& by_ends, std::uint32_t n) {
  using Ends = DemandShape::Ends;
  if (const auto parts = same_number(by_ends, std::size_t{n} * (n - 1)))
    return DemandShape{.unit_per_supplier = true, .unit_per_wanter = true, .parts = *parts};
  const auto parts = same_number(by_ends, n - 1);
  if (!parts) return std::nullopt;
  const std::uint32_t holder = by_ends.begin()->first.first;
  const std::uint32_t wanter = by_ends.begin()->first.second;
  if (by_ends.rbegin()->first.first == holder)
    return DemandShape{.suppliers = Ends::root, .unit_per_wanter = true, .root = holder, .parts = *parts};
  const auto wanted_there = [&](const auto& it) { return it.first.second == wanter; };
  if (std::all_of(by_ends.begin(), by_ends.end(), wanted_there))
    return DemandShape{.wanters = Ends::root, .unit_per_supplier = true, .root = wanter, .parts = *parts};
  return std::nullopt;
}

// The shape of the standard collective that the list is, chunks that nobody lacks aside. Among two processors several
// are the same.
std::optional<DemandShape> shape_of(const CollectiveNumbers& it) {
  std::map<std::uint32_t, std::uint64_t> by_holder;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> by_ends;
  for (std::size_t c = 0; c < it.description.chunks.size(); ++c) {
    const std::uint64_t wanters = it.first_demand[c + 1] - it.first_demand[c];
    if (wanters == 0) continue;
    const Numbers& holders = it.description.chunks[c].held_by;
    if (holders.size() > 1 || (wanters != 1 && wanters != it.others())) return std::nullopt;
    if (wanters == 1) {
      ++by_ends[{holders.front(), it.wanted[it.first_demand[c]]}];
    } else {
      ++by_holder[holders.front()];
    }
    if (!by_ends.empty() && !by_holder.empty()) return std::nullopt;
  }
  if (!by_holder.empty()) return shape_for_all(by_holder, it.n);
  return by_ends.empty() ? std::nullopt : shape_for_one(by_ends, it.n);
}

// The most chunks of one origin and target; they are sorted by name.
std::uint32_t longest_message(const std::vector<CustomChunk>& chunks) {
  std::uint32_t longest = 1, length = 0;
  for (std::size_t c = 0; c < chunks.size(); ++c) {
    const ChunkName& name = chunks[c].name;
    const bool goes_on = c > 0 && chunks[c - 1].name.origin == name.origin && chunks[c - 1].name.target == name.target;
    length = goes_on ? length + 1 : 1;
    longest = std::max(longest, length);
  }
  return longest;
}

}  // namespace

ListedCollective::ListedCollective(CollectiveFacts facts) : CollectiveFamily(listed(std::move(facts))) {}

std::string ListedCollective::complete(CollectiveDescription& it, std::uint32_t n) const {
  it.chunks = chunks(it, n);
  const auto by_name = [](const CustomChunk& a, const CustomChunk& b) { return a.name < b.name; };
  std::stable_sort(it.chunks.begin(), it.chunks.end(), by_name);
  for (std::size_t i = 0; i < it.chunks.size(); ++i) {
    CustomChunk& chunk = it.chunks[i];
    sort_unique(chunk.held_by);
    sort_unique(chunk.wanted_by);
    if (auto fault = fault_of(chunk, n); !fault.empty()) return fault;
    if (i > 0 && it.chunks[i - 1].name == chunk.name)
      return fmt::format("chunk {} part {} is listed twice", to_string(chunk.name), chunk.name.part);
  }
  return {};
}

std::optional<std::uint64_t> ListedCollective::ids(const CollectiveDescription& it, std::uint64_t) const {
  return it.chunks.size();
}

void ListedCollective::number(CollectiveNumbers& it) const {
  it.unicast = true;
  for (const CustomChunk& chunk : it.description.chunks) {
    it.first_demand.push_back(it.wanted.size());
    std::set_difference(chunk.wanted_by.begin(), chunk.wanted_by.end(), chunk.held_by.begin(), chunk.held_by.end(),
                        std::back_inserter(it.wanted));
    it.unicast = it.unicast && it.wanted.size() - it.first_demand.back() <= 1;
  }
  it.first_demand.push_back(it.wanted.size());
  it.demands = it.wanted.size();
  it.shape = shape_of(it);
  it.message_parts = it.shape ? it.shape->parts : longest_message(it.description.chunks);
}

std::optional<ChunkId> ListedCollective::chunk(const CollectiveNumbers& it, const ChunkName& name) const {
  const auto& chunks = it.description.chunks;
  const auto before = [](const CustomChunk& chunk, const ChunkName& key) { return chunk.name < key; };
  const auto found = std::lower_bound(chunks.begin(), chunks.end(), name, before);
  if (found == chunks.end() || found->name != name) return std::nullopt;
  return ChunkId(static_cast<std::uint64_t>(found - chunks.begin()));
}

// The chunk for that target; else the source's chunk for everyone.
std::optional<ChunkId> ListedCollective::default_chunk(const CollectiveNumbers& it, std::uint32_t source,
                                                       std::optional<std::uint32_t> target, std::uint32_t part) const {
  const auto exact = chunk(it, {source, target, part});
  return exact ? exact : chunk(it, {source, std::nullopt, part});
}

ChunkName ListedCollective::name(const CollectiveNumbers& it, ChunkId chunk) const {
  return it.description.chunks[chunk.value].name;
}

bool ListedCollective::starts_at(const CollectiveNumbers& it, std::uint64_t chunk, std::uint64_t processor) const {
  const Numbers& holders = it.description.chunks[chunk].held_by;
  return std::binary_search(holders.begin(), holders.end(), static_cast<std::uint32_t>(processor));
}

std::optional<std::uint64_t> ListedCollective::demand(const CollectiveNumbers& it, std::uint64_t chunk,
                                                      std::uint64_t processor) const {
  const auto at = [&](std::uint64_t place) { return it.wanted.begin() + static_cast<std::ptrdiff_t>(place); };
  const auto end = at(it.first_demand[chunk + 1]);
  const auto found = std::lower_bound(at(it.first_demand[chunk]), end, static_cast<std::uint32_t>(processor));
  if (found == end || *found != processor) return std::nullopt;
  return static_cast<std::uint64_t>(found - it.wanted.begin());
}

std::pair<ChunkId, NodeId> ListedCollective::demand_at(const CollectiveNumbers& it, std::uint64_t number) const {
  const auto after = std::upper_bound(it.first_demand.begin(), it.first_demand.end(), number);
  return collectives::pair(static_cast<std::uint64_t>(after - it.first_demand.begin()) - 1, it.wanted[number]);
}

namespace collectives {
namespace {

class Custom final : public ListedCollective {
 public:
  Custom()
      : ListedCollective({.name = "custom",
                          .summary = "by pre- and postcondition, chunk by chunk",
                          .example = R"(custom:{"chunks":[{"origin":0,"wanted_by":[1,2]}]})",
                          .chunks_given = true}) {}

  std::vector<CustomChunk> chunks(const CollectiveDescription& it, std::uint32_t) const override { return it.chunks; }
};

}  // namespace

std::shared_ptr<const CollectiveFamily> custom() { return std::make_shared<Custom>(); }

}  // namespace collectives
}  // namespace quadrille
