// Exclusive prefix: processor p ends with the combination of the values of 0 … p-1. MPI_Exscan.
//
//   exclusive_prefix among 3      value 0: the contributions {0} at 1, {0, 1} at 2 after; 0 ends with nothing
//
// A processor's result does not contain its own contribution, so it needs a second partial reduction for the result
// (model/MODEL.md, Words). Numbers: demand = value·(n - 1) + processor - 1.
#include "model/collectives/combining.h"

namespace quadrille::collectives {
namespace {

class ExclusivePrefix final : public Combining {
 public:
  ExclusivePrefix()
      : Combining({.name = "exclusive_prefix",
                   .aliases = {"exscan"},
                   .summary = "processor p ends with the combination of the values of 0 to p - 1",
                   .example = "exclusive_prefix",
                   .always_ordered = true,
                   .demand = DemandShape{.contributors = DemandShape::Contributors::below_own}}) {}

  std::pair<ChunkId, NodeId> demand_at(const CollectiveNumbers& it, std::uint64_t number) const override {
    const auto [value, other] = it.by_others.split(number);
    return pair(value, other + 1);
  }

  std::optional<Contributions> wanted_contributions(const CollectiveNumbers&, std::uint32_t,
                                                    std::uint32_t processor) const override {
    return processor == 0 ? std::nullopt : std::optional(Contributions(0, processor - 1));
  }

 private:
  std::uint64_t count(const CollectiveNumbers& it) const override { return it.values * it.others(); }

  std::optional<std::uint64_t> value_demand(const CollectiveNumbers& it, std::uint32_t value,
                                            std::uint32_t processor) const override {
    if (processor == 0) return std::nullopt;
    return value * it.others() + processor - 1;
  }
};

}  // namespace

std::shared_ptr<const CollectiveFamily> exclusive_prefix() { return std::make_shared<ExclusivePrefix>(); }

}  // namespace quadrille::collectives
