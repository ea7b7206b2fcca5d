// Reduce: the combination of everyone's values, at the root. MPI_Reduce; the product of Broadcast and Associative
// Operations on Fat-Trees.
//
//   reduce:root=0 among 3      value 0: all contributions {0, 1, 2} at 0 after
//
// Numbers: demand = value, at the root.
#include "model/collectives/combining.h"

namespace quadrille::collectives {
namespace {

class Reduce final : public Combining {
 public:
  Reduce()
      : Combining({.name = "reduce",
                   .aliases = {"product"},
                   .summary = "the combination of everyone's values, at the root",
                   .example = "reduce:root=3,ordered",
                   .demand = DemandShape{.wanters = DemandShape::Ends::root}}) {}

  std::optional<CollectiveKind> dual() const override { return CollectiveKind::broadcast; }

  std::optional<ReductionTerms> reduction_terms() const override {
    return ReductionTerms{terms::parts(), terms::equal(terms::target(), terms::root()), terms::processors() - 1};
  }

  std::pair<ChunkId, NodeId> demand_at(const CollectiveNumbers& it, std::uint64_t number) const override {
    return pair(number, it.root());
  }

 private:
  std::uint64_t count(const CollectiveNumbers& it) const override { return it.values; }

  std::optional<std::uint64_t> value_demand(const CollectiveNumbers& it, std::uint32_t value,
                                            std::uint32_t processor) const override {
    return processor == it.root() ? std::optional<std::uint64_t>(value) : std::nullopt;
  }
};

}  // namespace

std::shared_ptr<const CollectiveFamily> reduce() { return std::make_shared<Reduce>(); }

}  // namespace quadrille::collectives
