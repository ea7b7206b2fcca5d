// Barrier: nobody ends before everyone has begun, so everyone must hear from everyone. MPI_Barrier. This is an
// allreduce with an idempotent operation, where a contribution may come more than once.
//
//   barrier among 3      the contributions {0, 1, 2} at 0, 1 and 2 after
//
// Numbers: demand = processor.
#include "model/collectives/combining.h"

namespace quadrille::collectives {
namespace {

class Barrier final : public Combining {
 public:
  Barrier()
      : Combining({.name = "barrier",
                   .summary = "everyone has heard that everyone has begun",
                   .example = "barrier",
                   .always_idempotent = true,
                   .demand = DemandShape{}}) {}

  std::optional<ReductionTerms> reduction_terms() const override {
    return ReductionTerms{terms::parts(), terms::equal(0, 0), terms::processors() - 1};
  }
};

}  // namespace

std::shared_ptr<const CollectiveFamily> barrier() { return std::make_shared<Barrier>(); }

}  // namespace quadrille::collectives
