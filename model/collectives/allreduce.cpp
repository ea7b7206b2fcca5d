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
                   .demand = DemandShape{}}) {}

  std::optional<CollectiveKind> dual() const override { return CollectiveKind::allreduce; }

  std::optional<ReductionTerms> reduction_terms() const override {
    return ReductionTerms{terms::parts(), terms::equal(0, 0), terms::processors() - 1};
  }
};

}  // namespace

std::shared_ptr<const CollectiveFamily> allreduce() { return std::make_shared<Allreduce>(); }

}  // namespace quadrille::collectives
