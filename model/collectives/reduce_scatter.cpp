// Reduce-scatter: a vector of values is combined, and each processor ends with its share of `parts` values.
// MPI_Reduce_scatter_block.
//
//   reduce_scatter among 3      values 0, 1, 2; all contributions to value p at processor p after
//
// Numbers: value v is processor v / parts's; demand = value.
#include "model/collectives/combining.h"

namespace quadrille::collectives {
namespace {

class ReduceScatter final : public Combining {
 public:
  ReduceScatter()
      : Combining({.name = "reduce_scatter",
                   .summary = "everyone ends with its share of the combined values",
                   .example = "reduce_scatter",
                   .demand = DemandShape{.unit_per_wanter = true}}) {}

  std::optional<CollectiveKind> dual() const override { return CollectiveKind::allgather; }

  std::optional<ReductionTerms> reduction_terms() const override {
    return ReductionTerms{terms::processors() * terms::parts(),
                          terms::equal(terms::source() / terms::parts(), terms::target()), terms::processors() - 1};
  }

  std::uint64_t pieces(const CollectiveDescription& it, std::uint64_t n) const override { return n * it.parts; }

  std::optional<std::uint64_t> ids(const CollectiveDescription& it, std::uint64_t n) const override {
    return product(product(product(n, n), n), it.parts);
  }

  std::pair<ChunkId, NodeId> demand_at(const CollectiveNumbers& it, std::uint64_t number) const override {
    return pair(number, number / it.description.parts);
  }

 private:
  std::uint64_t count(const CollectiveNumbers& it) const override { return it.values; }

  std::optional<std::uint64_t> value_demand(const CollectiveNumbers& it, std::uint32_t value,
                                            std::uint32_t processor) const override {
    return value / it.description.parts == processor ? std::optional<std::uint64_t>(value) : std::nullopt;
  }
};

}  // namespace

std::shared_ptr<const CollectiveFamily> reduce_scatter() { return std::make_shared<ReduceScatter>(); }

}  // namespace quadrille::collectives
