// Prefix: processor p ends with the combination of the values of 0 … p. MPI_Scan.
//
//   prefix among 3      value 0: the contributions {0} at 0, {0, 1} at 1, {0, 1, 2} at 2 after
//
// Numbers: demand = value·n + processor.
#include "model/collectives/combining.h"

namespace quadrille::collectives {
namespace {

class Prefix final : public Combining {
 public:
  Prefix()
      : Combining({.name = "prefix",
                   .aliases = {"scan"},
                   .summary = "processor p ends with the combination of the values of 0 to p",
                   .example = "prefix",
                   .combining = true,
                   .always_ordered = true}) {}

  std::pair<ChunkId, NodeId> demand_at(const CollectiveNumbers& it, std::uint64_t number) const override {
    const auto [value, processor] = it.by_n.split(number);
    return pair(value, processor);
  }

  std::optional<Contributions> wanted_word(const CollectiveNumbers&, std::uint32_t,
                                           std::uint32_t processor) const override {
    return Contributions(0, processor);
  }

 private:
  std::uint64_t count(const CollectiveNumbers& it) const override { return std::uint64_t{it.values} * it.n; }

  std::optional<std::uint64_t> word_demand(const CollectiveNumbers& it, std::uint32_t value,
                                           std::uint32_t processor) const override {
    return std::uint64_t{value} * it.n + processor;
  }
};

}  // namespace

std::shared_ptr<const CollectiveFamily> prefix() { return std::make_shared<Prefix>(); }

}  // namespace quadrille::collectives
