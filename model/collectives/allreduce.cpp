// Allreduce: the combination of everyone's values, at everyone. MPI_Allreduce.
//
//   allreduce among 3      value 0: all contributions {0, 1, 2} at 0, 1 and 2 after
//
// Numbers: demand = value·n + processor.
#include "model/collectives/combining.h"

namespace quadrille::collectives {
namespace {

class Allreduce final : public Combining {
 public:
  Allreduce()
      : Combining({.name = "allreduce",
                   .aliases = {"all_reduce"},
                   .summary = "the combination of everyone's values, at everyone",
                   .example = "allreduce",
                   .combining = true,
                   .symmetric = true}) {}

  std::pair<ChunkId, NodeId> demand_at(const CollectiveNumbers& it, std::uint64_t number) const override {
    const auto [value, processor] = it.by_n.split(number);
    return pair(value, processor);
  }

 private:
  std::uint64_t count(const CollectiveNumbers& it) const override { return std::uint64_t{it.values} * it.n; }

  std::optional<std::uint64_t> word_demand(const CollectiveNumbers& it, std::uint32_t value,
                                           std::uint32_t processor) const override {
    return std::uint64_t{value} * it.n + processor;
  }
};

}  // namespace

std::shared_ptr<const CollectiveFamily> allreduce() { return std::make_shared<Allreduce>(); }

}  // namespace quadrille::collectives
