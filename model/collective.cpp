// How a collective is made, and how its kinds count packets and demands (the numbering: collective_data.h).
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "model/collective_data.h"

namespace quadrille {

namespace {

constexpr std::uint64_t most_ids = std::uint64_t{1} << 62;

bool combines(CollectiveKind kind) { return kind >= CollectiveKind::reduce && kind <= CollectiveKind::prefix; }

// a·b; nothing if it is above most_ids.
std::optional<std::uint64_t> product(std::optional<std::uint64_t> a, std::uint64_t b) {
  if (!a || (b != 0 && *a > most_ids / b)) return std::nullopt;
  return *a * b;
}

void sort_unique(std::vector<std::uint32_t>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

}  // namespace

// --- making -------------------------------------------------------------------------------------------------------

namespace {

// What is wrong with the description on its own or for n processors; empty if nothing.
std::string fault_of(const CollectiveDescription& it, std::uint32_t n) {
  const auto name = to_string(it.kind);
  if (n == 0) return "a collective needs at least one processor";
  if (it.parts == 0) return fmt::format("{} in 0 parts: at least 1 is needed", name);
  if (rooted(it.kind) && it.root >= n) return fmt::format("root {}: the processors are 0 to {}", it.root, n - 1);
  if (!rooted(it.kind) && it.root != 0) return fmt::format("{} has no root", name);
  if (!combines(it.kind) && it.ordered) return fmt::format("{} combines nothing, so it cannot be ordered", name);
  if (it.kind == CollectiveKind::custom && it.parts != 1) return "a custom collective lists its parts chunk by chunk";
  if (it.kind != CollectiveKind::custom && !it.chunks.empty()) return fmt::format("{} lists no chunks", name);
  return {};
}

// The same for one custom chunk.
std::string fault_of(const CustomChunk& chunk, std::uint32_t n) {
  const auto outside = [n](std::uint32_t processor) { return processor >= n; };
  const auto name = text_of(chunk.name);
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

// Sorts the chunks by name and their processors by number; says what is wrong with them.
std::string prepare(std::vector<CustomChunk>& chunks, std::uint32_t n) {
  const auto by_name = [](const CustomChunk& a, const CustomChunk& b) { return a.name < b.name; };
  std::stable_sort(chunks.begin(), chunks.end(), by_name);
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    sort_unique(chunks[i].held_by);
    sort_unique(chunks[i].wanted_by);
    if (auto fault = fault_of(chunks[i], n); !fault.empty()) return fault;
    if (i > 0 && chunks[i - 1].name == chunks[i].name)
      return fmt::format("chunk {} part {} is listed twice", text_of(chunks[i].name), chunks[i].name.part);
  }
  return {};
}

// The number of packet ids; nothing if there are too many.
std::optional<std::uint64_t> count_ids(const CollectiveDescription& it, std::uint64_t n) {
  switch (it.kind) {
    case CollectiveKind::broadcast:
      return it.parts;
    case CollectiveKind::scatter:
    case CollectiveKind::gather:
    case CollectiveKind::allgather:
      return product(n, it.parts);
    case CollectiveKind::custom:
      return it.chunks.size();
    case CollectiveKind::reduce_scatter:
      return product(product(product(n, n), n), it.parts);
    default:
      return product(product(n, n), it.parts);
  }
}

}  // namespace

void Collective::Data::number_demands() {
  const std::uint64_t others = n - 1;
  switch (description.kind) {
    case CollectiveKind::broadcast:
    case CollectiveKind::allgather:
      demands = ids * others;
      unicast = others <= 1;
      break;
    case CollectiveKind::scatter:
    case CollectiveKind::gather:
      demands = others * parts;
      unicast = true;
      break;
    case CollectiveKind::total_exchange:
      demands = n * others * parts;
      unicast = true;
      break;
    case CollectiveKind::reduce:
    case CollectiveKind::reduce_scatter:
      demands = parts;
      break;
    case CollectiveKind::allreduce:
    case CollectiveKind::prefix:
      demands = parts * n;
      break;
    case CollectiveKind::custom:
      list_custom_demands();
      break;
  }
}

void Collective::Data::leave_ids_out() {
  const auto kind = description.kind;
  if (kind == CollectiveKind::scatter || kind == CollectiveKind::gather) {
    unused_first = description.root * parts;
    unused_width = parts;
  } else if (combines(kind) || kind == CollectiveKind::total_exchange) {
    unused_width = parts;
    unused_period = (std::uint64_t{n} + 1) * parts;  // origin·n + target is origin·(n + 1) where they are equal
  }
}

void Collective::Data::list_custom_demands() {
  unicast = true;
  for (const auto& chunk : description.chunks) {
    first_demand.push_back(wanted.size());
    std::set_difference(chunk.wanted_by.begin(), chunk.wanted_by.end(), chunk.held_by.begin(), chunk.held_by.end(),
                        std::back_inserter(wanted));
    unicast = unicast && wanted.size() - first_demand.back() <= 1;
  }
  first_demand.push_back(wanted.size());
  demands = wanted.size();
}

Result<Collective> Collective::make(CollectiveDescription description, std::uint32_t processors, Span where) {
  if (auto fault = fault_of(description, processors); !fault.empty()) return error_at(where, fault);
  if (auto fault = prepare(description.chunks, processors); !fault.empty()) return error_at(where, fault);
  const auto kind = description.kind;
  const std::uint64_t n = processors;
  const std::uint64_t parts = kind == CollectiveKind::reduce_scatter ? n * description.parts : description.parts;
  const auto ids = count_ids(description, n);
  if (!ids || parts > 0xffffffff) {
    return error_at(where, fmt::format("{} of {} parts among {} processors: more packets than can be numbered",
                                       to_string(kind), description.parts, n));
  }
  if (kind == CollectiveKind::prefix) description.ordered = true;
  auto data = std::make_shared<Data>();
  data->description = std::move(description);
  data->n = processors;
  data->values = combines(kind) ? narrow(parts) : 0;
  data->parts = parts;
  data->ids = *ids;
  data->by_parts = Divider(parts);
  data->by_n = Divider(n);
  data->by_row = Divider(n * parts);
  data->by_others = Divider(std::max<std::uint64_t>(1, n - 1));
  data->number_demands();
  data->leave_ids_out();
  return Collective(std::move(data));
}

CollectiveKind Collective::kind() const { return data_->description.kind; }
const CollectiveDescription& Collective::description() const { return data_->description; }
std::uint32_t Collective::processors() const { return data_->n; }
bool Collective::combining() const { return combines(kind()); }
bool Collective::ordered() const { return data_->description.ordered; }
std::uint64_t Collective::chunk_ids() const { return data_->ids; }
std::uint64_t Collective::demands() const { return data_->demands; }
bool Collective::unicast() const { return data_->unicast; }
std::uint32_t Collective::values() const { return data_->values; }

}  // namespace quadrille
