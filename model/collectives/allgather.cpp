// Allgather: everyone's message to everyone. MPI_Allgather; the papers' multinode broadcast.
//
//   allgather among 3      chunks 0->*, 1->*, 2->*, each at its origin before, and at the other two after
//
// Numbers: id = origin·parts + part; demand (chunk, d) = id·(n-1) + d'.
#include "model/collectives/numbers.h"

namespace quadrille::collectives {
namespace {

class Allgather final : public CollectiveFamily {
 public:
  Allgather()
      : CollectiveFamily({.name = "allgather",
                          .aliases = {"all_gather", "multinode_broadcast"},
                          .summary = "everyone's message to everyone",
                          .example = "allgather",
                          .demand = DemandShape{.unit_per_supplier = true}}) {}

  std::optional<CollectiveKind> dual() const override { return CollectiveKind::reduce_scatter; }

  std::optional<CollectiveTerms> terms() const override {
    return CollectiveTerms{.for_everyone = true, .demands = terms::processors() * (terms::processors() - 1)};
  }

  std::optional<std::uint64_t> ids(const CollectiveDescription& it, std::uint64_t n) const override {
    return product(n, it.parts);
  }

  void number(CollectiveNumbers& it) const override {
    it.demands = it.ids * it.others();
    it.unicast = it.others() <= 1;
  }

  std::optional<ChunkId> chunk(const CollectiveNumbers& it, const ChunkName& name) const override {
    if (!is_plausible(it, name, true)) return std::nullopt;
    return ChunkId(name.origin * it.parts + name.part);
  }

  std::optional<ChunkId> default_chunk(const CollectiveNumbers& it, std::uint32_t source, std::optional<std::uint32_t>,
                                       std::uint32_t part) const override {
    return chunk(it, {source, std::nullopt, part});
  }

  ChunkName name(const CollectiveNumbers& it, ChunkId chunk) const override {
    const auto [origin, part] = it.by_parts.split(chunk.value);
    return {narrow(origin), std::nullopt, narrow(part)};
  }

  bool starts_at(const CollectiveNumbers& it, std::uint64_t chunk, std::uint64_t processor) const override {
    return chunk - processor * it.parts < it.parts;  // below it, the difference wraps round
  }

  std::optional<std::uint64_t> demand(const CollectiveNumbers& it, std::uint64_t chunk,
                                      std::uint64_t processor) const override {
    const std::uint64_t origin = it.by_parts.quotient(chunk);
    if (processor == origin) return std::nullopt;
    return chunk * it.others() + without(processor, origin);
  }

  std::pair<ChunkId, NodeId> demand_at(const CollectiveNumbers& it, std::uint64_t number) const override {
    const auto [chunk, other] = it.by_others.split(number);
    return pair(chunk, with(other, it.by_parts.quotient(chunk)));
  }
};

}  // namespace

std::shared_ptr<const CollectiveFamily> allgather() { return std::make_shared<Allgather>(); }

}  // namespace quadrille::collectives
