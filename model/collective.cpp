// A collective has its numbers, and the family that computes with them.
#include "model/collective.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cassert>

#include "model/collective_family.h"
#include "model/families.h"

namespace quadrille {

std::string to_string(const ChunkName& name) {
  return name.target ? fmt::format("{}->{}", name.origin, *name.target) : fmt::format("{}->*", name.origin);
}

// --- kinds ----------------------------------------------------------------------------------------------------------

CollectiveKind::CollectiveKind(const CollectiveFamily& family) : known_(Known::linked), linked_(&family) {
  const auto& standard = standard_families().collectives;  // the first of them, in the order of Known
  for (std::size_t i = 0; i < standard.size(); ++i) {
    if (standard[i].get() == &family) *this = CollectiveKind(static_cast<Known>(i));
  }
}

const CollectiveFamily& CollectiveKind::family() const {
  return linked_ != nullptr ? *linked_ : *standard_families().collectives[static_cast<std::size_t>(known_)];
}

const CollectiveFacts& CollectiveKind::facts() const { return family().facts(); }

std::optional<CollectiveKind> collective_kind(std::string_view name, const Families& families) {
  const CollectiveFamily* family = families.collective(name);
  return family != nullptr ? std::optional(CollectiveKind(*family)) : std::nullopt;
}

std::vector<std::string> collective_names(const Families& families) {
  std::vector<std::string> names;
  for (const auto& family : families.collectives) names.push_back(family->facts().name);
  return names;
}

std::string_view to_string(CollectiveKind kind) { return kind.facts().name; }

std::string_view to_string(Operation operation) {
  constexpr std::array<std::string_view, 3> names = {"commutative", "ordered", "idempotent"};
  return names[static_cast<std::size_t>(operation)];
}

std::optional<Operation> operation_named(std::string_view name) {
  for (const Operation operation : {Operation::commutative, Operation::ordered, Operation::idempotent}) {
    if (to_string(operation) == name) return operation;
  }
  return std::nullopt;
}

std::string fault_of_argument(const CollectiveFacts& facts, std::string_view name) {
  std::vector<std::string> names;
  if (!facts.chunks_given && !facts.always_idempotent) names.emplace_back("parts");
  if (facts.rooted) names.emplace_back("root");
  if (facts.combining && !facts.always_idempotent) {
    for (const char* each : {"operation", "ordered", "idempotent", "commutative"}) names.emplace_back(each);
  }
  if (std::find(names.begin(), names.end(), name) != names.end()) return {};
  if (!facts.combining && operation_named(name))
    return fmt::format("{} combines nothing, so it cannot be {}", facts.name, name);
  const auto near = nearest(name, names);
  return fmt::format("{} has no argument `{}`{}", facts.name, name,
                     near            ? fmt::format("; did you mean `{}`?", *near)
                     : names.empty() ? ": it takes none"
                                     : fmt::format("; expected {}", fmt::join(names, ", ")));
}

// --- making ---------------------------------------------------------------------------------------------------------

namespace {

// What is wrong with the description on its own or for n processors; empty if nothing.
std::string fault_of(const CollectiveDescription& it, std::uint32_t n) {
  const CollectiveFacts& facts = it.kind.facts();
  if (n == 0) return "a collective needs at least one processor";
  // What it says of itself does not count: closed forms that contradict each other would mislead the checker.
  const bool lists = dynamic_cast<const ListedCollective*>(&it.kind.family()) != nullptr;
  if (it.kind == CollectiveKind::Known::linked && !lists) {
    return fmt::format("the family {} does not list its chunks", facts.name);
  }
  if (it.parts == 0) return fmt::format("{} in 0 parts: at least 1 is needed", facts.name);
  if (facts.rooted && it.root >= n) return fmt::format("root {}: the processors are 0 to {}", it.root, n - 1);
  if (!facts.rooted && it.root != 0) return fmt::format("{} has no root", facts.name);
  if (!facts.combining && it.operation != Operation::commutative) {
    return fmt::format("{} combines nothing, so it cannot be {}", facts.name, to_string(it.operation));
  }
  if (facts.always_idempotent && it.operation == Operation::ordered) {
    return fmt::format("{} cannot be ordered: its operation is idempotent", facts.name);
  }
  if (facts.always_idempotent && it.parts != 1) return fmt::format("{} has no parts", facts.name);
  if (facts.chunks_given && it.parts != 1) return "a custom collective lists its parts chunk by chunk";
  if (!facts.listed && !it.chunks.empty()) return fmt::format("{} lists no chunks", facts.name);
  return {};
}

// What the operation is, where `asked` is written.
Operation operation_of(const CollectiveFacts& facts, Operation asked) {
  if (facts.always_idempotent) return Operation::idempotent;
  return facts.always_ordered && asked == Operation::commutative ? Operation::ordered : asked;
}

}  // namespace

Collective::Collective(std::shared_ptr<const CollectiveNumbers> numbers)
    : numbers_(std::move(numbers)), family_(&numbers_->description.kind.family()) {}

Result<Collective> Collective::make(CollectiveDescription description, std::uint32_t processors, Span where) {
  const CollectiveFamily& family = description.kind.family();
  if (auto fault = fault_of(description, processors); !fault.empty()) return error_at(where, fault, Code::range);
  if (auto fault = family.complete(description, processors); !fault.empty()) return error_at(where, fault, Code::range);
  const std::uint64_t n = processors;
  const std::uint64_t pieces = family.pieces(description, n);
  const auto ids = family.ids(description, n);
  if (!ids || pieces > 0xffffffff) {
    return error_at(where,
                    fmt::format("{} of {} parts among {} processors: more packets than can be numbered",
                                family.facts().name, description.parts, n),
                    Code::range);
  }
  description.operation = operation_of(family.facts(), description.operation);
  auto numbers = std::make_shared<CollectiveNumbers>();
  numbers->description = std::move(description);
  numbers->n = processors;
  numbers->values = family.facts().combining ? static_cast<std::uint32_t>(pieces) : 0;
  numbers->parts = pieces;
  numbers->ids = *ids;
  // Ids are taken apart for each row of a table: by multiplications, not divisions.
  numbers->by_parts = Divider(pieces);
  numbers->by_n = Divider(n);
  numbers->by_row = Divider(n * pieces);
  numbers->by_others = Divider(std::max<std::uint64_t>(1, n - 1));
  if (const auto& stated = family.facts().demand) {
    numbers->shape = *stated;
    numbers->shape->root = numbers->description.root;
    numbers->shape->parts = numbers->description.parts;
  }
  numbers->message_parts = numbers->description.parts;
  family.number(*numbers);
  return Collective(std::move(numbers));
}

std::optional<Collective> collective_of_shape(const DemandShape& shape, std::uint32_t processors, Operation operation) {
  for (const auto& family : standard_families().collectives) {
    std::optional<DemandShape> other = family->facts().demand;
    if (!other) continue;
    other->root = shape.root;
    other->parts = shape.parts;
    if (*other != shape) continue;
    Result<Collective> made =
        Collective::make({CollectiveKind(*family), shape.root, shape.parts, operation, {}}, processors);
    return made ? std::optional(std::move(*made)) : std::nullopt;
  }
  return std::nullopt;
}

Result<Collective> collective_of_chunks(std::vector<CustomChunk> chunks, std::uint32_t processors) {
  return Collective::make({CollectiveKind::custom, 0, 1, Operation::commutative, std::move(chunks)}, processors);
}

// --- what it is -----------------------------------------------------------------------------------------------------

CollectiveKind Collective::kind() const { return numbers_->description.kind; }
const CollectiveDescription& Collective::description() const { return numbers_->description; }
std::uint32_t Collective::processors() const { return numbers_->n; }
bool Collective::rooted() const { return family_->facts().rooted; }
bool Collective::combining() const { return family_->facts().combining; }
Operation Collective::operation() const { return numbers_->description.operation; }
bool Collective::listed() const { return family_->facts().listed; }
bool Collective::symmetric() const { return shape() && shape()->symmetric(); }
const std::optional<DemandShape>& Collective::shape() const { return numbers_->shape; }
std::uint64_t Collective::chunk_ids() const { return numbers_->ids; }
std::uint64_t Collective::demands() const { return numbers_->demands; }
bool Collective::unicast() const { return numbers_->unicast; }
std::uint32_t Collective::message_parts() const { return numbers_->message_parts; }
std::uint32_t Collective::values() const { return numbers_->values; }

// All values are asked for alike: of one, whether two processors want the same.
bool Collective::results_can_differ() const {
  return shape() && shape()->all_to_all() && !idempotent() && processors() > 1;
}

// --- packets --------------------------------------------------------------------------------------------------------

std::optional<ChunkId> Collective::chunk(const ChunkName& name) const { return family_->chunk(*numbers_, name); }

ChunkName Collective::name(ChunkId chunk) const {
  assert(chunk.value < numbers_->ids);
  return family_->name(*numbers_, chunk);
}

bool Collective::has(ChunkId chunk) const { return numbers_->has(chunk); }

std::size_t Collective::first_unknown(std::span<const ChunkId> chunks) const {
  const CollectiveNumbers& d = *numbers_;
  // Ids that are not used repeat: a reduction among 3 with one value has 0 … 8, without 0, 4 and 8 (width 1, period 4).
  // All are asked without a branch for each; which one is wrong, only where one is.
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
  const ChunkName it = name(chunk);
  const bool several = numbers_->parts > 1 || it.part > 0;
  return several ? fmt::format("{} part {}", to_string(it), it.part) : to_string(it);
}

std::optional<ChunkId> Collective::default_chunk(std::uint32_t source, std::optional<std::uint32_t> target,
                                                 std::uint32_t part) const {
  return family_->default_chunk(*numbers_, source, target, part);
}

// A combining packet is named by its two ends and its value.
std::optional<ChunkId> Collective::dual_chunk(ChunkId chunk, NodeId source, NodeId target, const Collective& to) const {
  if (to.combining()) return to.chunk({target.value, source.value, dual_value(chunk)});
  return combining() ? std::nullopt : family_->dual_chunk(*numbers_, chunk);
}

std::uint32_t Collective::dual_value(ChunkId chunk) const {
  const ChunkName it = name(chunk);
  return shape()->value_of(it.origin, it.part, shape()->parts);
}

std::optional<CollectiveKind> Collective::dual(CollectiveKind kind) { return kind.family().dual(); }

// --- before and after -----------------------------------------------------------------------------------------------

bool Collective::starts_at(ChunkId chunk, NodeId processor) const {
  if (processor.value >= numbers_->n || chunk.value >= numbers_->ids) return false;
  return family_->starts_at(*numbers_, chunk.value, processor.value);
}

std::optional<std::uint64_t> Collective::demand(ChunkId chunk, NodeId processor) const {
  if (processor.value >= numbers_->n || chunk.value >= numbers_->ids) return std::nullopt;
  return family_->demand(*numbers_, chunk.value, processor.value);
}

std::pair<ChunkId, NodeId> Collective::demand_at(std::uint64_t number) const {
  assert(number < numbers_->demands);
  return family_->demand_at(*numbers_, number);
}

std::uint32_t Collective::value_of(ChunkId packet) const {
  return static_cast<std::uint32_t>(numbers_->by_parts.split(packet.value).remainder);
}

std::optional<std::pair<std::uint32_t, std::uint32_t>> Collective::wanted_contributions(std::uint32_t value,
                                                                                        NodeId processor) const {
  if (value >= numbers_->values || processor.value >= numbers_->n) return std::nullopt;
  return family_->wanted_contributions(*numbers_, value, processor.value);
}

}  // namespace quadrille
