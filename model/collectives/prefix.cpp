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
                   .always_ordered = true,
                   .demand = DemandShape{.contributors = DemandShape::Contributors::up_to_own}}) {}

  std::optional<ReductionTerms> reduction_terms() const override {
    return ReductionTerms{terms::parts(), terms::equal(0, 0), terms::target()};
  }

  std::optional<Contributions> wanted_contributions(const CollectiveNumbers&, std::uint32_t,
                                                    std::uint32_t processor) const override {
    return Contributions(0, processor);
  }
};

}  // namespace

std::shared_ptr<const CollectiveFamily> prefix() { return std::make_shared<Prefix>(); }

}  // namespace quadrille::collectives
