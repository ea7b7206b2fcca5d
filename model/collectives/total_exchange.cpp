// Total exchange: everyone has a message of its own for everyone else. MPI_Alltoall; personalized all-to-all.
//
//   total_exchange among 3      chunks 0->1, 0->2, 1->0, 1->2, 2->0, 2->1: each from its origin to its target
//
// Numbers: id = (origin·n + target)·parts + part, the diagonal is not used; one demand a chunk, counted without it.
#include "model/collectives/numbers.h"

namespace quadrille::collectives {
namespace {

class TotalExchange final : public CollectiveFamily {
 public:
  TotalExchange()
      : CollectiveFamily({.name = "total_exchange",
                          .aliases = {"alltoall", "all_to_all"},
                          .summary = "everyone has a message of its own for everyone else",
                          .example = "total_exchange",
                          .demand = DemandShape{.unit_per_supplier = true, .unit_per_wanter = true}}) {}

  std::optional<CollectiveKind> dual() const override { return CollectiveKind::total_exchange; }

  std::optional<CollectiveTerms> terms() const override {
    return CollectiveTerms{.demands = terms::processors() * (terms::processors() - 1)};
  }

  std::optional<std::uint64_t> ids(const CollectiveDescription& it, std::uint64_t n) const override {
    return product(product(n, n), it.parts);
  }

  void number(CollectiveNumbers& it) const override {
    it.demands = it.n * it.others() * it.parts;
    it.unicast = true;
    it.unused_width = it.parts;
    it.unused_period =
        (std::uint64_t{it.n} + 1) * it.parts;  // origin·n + target is origin·(n + 1) where they are equal
  }

  std::optional<ChunkId> chunk(const CollectiveNumbers& it, const ChunkName& name) const override {
    if (!is_plausible(it, name, false)) return std::nullopt;
    return ChunkId((name.origin * std::uint64_t{it.n} + *name.target) * it.parts + name.part);
  }

  std::optional<ChunkId> dual_chunk(const CollectiveNumbers& it, ChunkId chunk) const override {
    const ChunkName forward = name(it, chunk);
    return this->chunk(it, {*forward.target, forward.origin, forward.part});
  }

  ChunkName name(const CollectiveNumbers& it, ChunkId chunk) const override {
    const auto [ends, part] = it.by_parts.split(chunk.value);
    const auto [origin, target] = it.by_n.split(ends);
    return {narrow(origin), narrow(target), narrow(part)};
  }

  bool starts_at(const CollectiveNumbers& it, std::uint64_t chunk, std::uint64_t processor) const override {
    const std::uint64_t row = it.n * it.parts;
    const std::uint64_t place = chunk - processor * row;  // below it, the difference wraps round
    return place < row && place - processor * it.parts >= it.parts;
  }

  std::optional<std::uint64_t> demand(const CollectiveNumbers& it, std::uint64_t chunk,
                                      std::uint64_t processor) const override {
    if (chunk < processor * it.parts) return std::nullopt;
    const auto [origin, part] = it.by_row.split(chunk - processor * it.parts);
    if (part >= it.parts || origin == processor) return std::nullopt;
    return chunk - (origin + (processor > origin ? 1 : 0)) * it.parts;
  }

  std::pair<ChunkId, NodeId> demand_at(const CollectiveNumbers& it, std::uint64_t number) const override {
    const auto [ends, part] = it.by_parts.split(number);
    const auto [origin, other] = it.by_others.split(ends);
    const std::uint64_t target = with(other, origin);
    return pair((origin * it.n + target) * it.parts + part, target);
  }
};

}  // namespace

std::shared_ptr<const CollectiveFamily> total_exchange() { return std::make_shared<TotalExchange>(); }

}  // namespace quadrille::collectives
