// Gather: each of the others has a message for the root. MPI_Gather.
//
//   gather:root=0 among 3      chunks 1->0, at 1 before, and 2->0, at 2; both at 0 after
//
// Numbers: id = origin·parts + part, those of the root are not used; one demand a chunk, counted without the root.
#include "model/collectives/numbers.h"

namespace quadrille::collectives {
namespace {

class Gather final : public CollectiveFamily {
 public:
  Gather()
      : CollectiveFamily({.name = "gather",
                          .summary = "each of the others has a message for the root",
                          .example = "gather:root=3",
                          .demand = DemandShape{.wanters = DemandShape::Ends::root, .unit_per_supplier = true}}) {}

  std::optional<CollectiveKind> dual() const override { return CollectiveKind::scatter; }

  std::optional<CollectiveTerms> terms() const override {
    return CollectiveTerms{.rules = {to_the_root()}, .demands = terms::processors() - 1, .addressee = terms::root()};
  }

  std::optional<std::uint64_t> ids(const CollectiveDescription& it, std::uint64_t n) const override {
    return product(n, it.parts);
  }

  void number(CollectiveNumbers& it) const override {
    it.demands = it.others() * it.parts;
    it.unicast = true;
    it.unused_first = it.root() * it.parts;
    it.unused_width = it.parts;
  }

  std::optional<ChunkId> chunk(const CollectiveNumbers& it, const ChunkName& name) const override {
    if (!is_plausible(it, name, false) || *name.target != it.root()) return std::nullopt;
    return ChunkId(name.origin * it.parts + name.part);
  }

  std::optional<ChunkId> default_chunk(const CollectiveNumbers& it, std::uint32_t source, std::optional<std::uint32_t>,
                                       std::uint32_t part) const override {
    return chunk(it, {source, it.description.root, part});
  }

  std::optional<ChunkId> dual_chunk(const CollectiveNumbers& it, ChunkId chunk) const override {
    return it.has(chunk) ? std::optional(chunk) : std::nullopt;  // the other end's number
  }

  ChunkName name(const CollectiveNumbers& it, ChunkId chunk) const override {
    const auto [origin, part] = it.by_parts.split(chunk.value);
    return {narrow(origin), it.description.root, narrow(part)};
  }

  bool starts_at(const CollectiveNumbers& it, std::uint64_t chunk, std::uint64_t processor) const override {
    return chunk - processor * it.parts < it.parts && processor != it.root();  // below it, the difference wraps round
  }

  std::optional<std::uint64_t> demand(const CollectiveNumbers& it, std::uint64_t chunk,
                                      std::uint64_t processor) const override {
    if (processor != it.root() || chunk - processor * it.parts < it.parts) return std::nullopt;
    return chunk - (chunk > it.root() * it.parts ? it.parts : 0);
  }

  std::pair<ChunkId, NodeId> demand_at(const CollectiveNumbers& it, std::uint64_t number) const override {
    const std::uint64_t origin = with(it.by_parts.quotient(number), it.root());
    return pair(number + (origin > it.root() ? it.parts : 0), it.root());
  }
};

}  // namespace

std::shared_ptr<const CollectiveFamily> gather() { return std::make_shared<Gather>(); }

}  // namespace quadrille::collectives
