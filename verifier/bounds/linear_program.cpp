// The only source that names Clp. It hands Clp a program row by row and asks for the maximum.
//
//   x0 + x1 where x0 <= 3 and x0 + 2 x1 <= 4: 3.5, at x0 = 3, x1 = 0.5
//
// Cost: the simplex method, which is exponential at worst, so the iterations are limited. The answer is in floating
// point, so callers check what they take from it.
#include "verifier/bounds/linear_program.h"

#include <coin/ClpEventHandler.hpp>
#include <coin/ClpSimplex.hpp>
#include <coin/ClpSolve.hpp>
#include <coin/CoinPackedMatrix.hpp>

namespace quadrille::bounds {

namespace {

// Clp calls this handler in every iteration, also in the copies that it makes of a program. Any answer but -1 ends
// it.
class UntilLimits final : public ClpEventHandler {
 public:
  explicit UntilLimits(const Limits& limits) : limits_(&limits) {}
  int event(Event /*which*/) override { return limits_->reached() == Reason::none ? -1 : 0; }
  ClpEventHandler* clone() const override { return new UntilLimits(*this); }

 private:
  const Limits* limits_;
};

}  // namespace

void LinearProgram::add_row(const Terms& terms, double limit) {
  for (const auto& [column, factor] : terms) {
    columns_.push_back(static_cast<int>(column));
    factors_.push_back(factor);
  }
  starts_.push_back(static_cast<int>(columns_.size()));
  limits_.push_back(limit);
}

std::optional<LinearProgram::Solution> LinearProgram::maximum(int most_iterations, const Limits& limits) const {
  if (limits.reached() != Reason::none) return std::nullopt;
  CoinPackedMatrix matrix(false, static_cast<int>(columns()), static_cast<int>(rows()),
                          static_cast<CoinBigIndex>(factors_.size()), factors_.data(), columns_.data(), starts_.data(),
                          nullptr);
  ClpSimplex simplex;
  simplex.setLogLevel(0);
  simplex.setOptimizationDirection(-1);
  simplex.setMaximumIterations(most_iterations);
  simplex.loadProblem(matrix, nullptr, nullptr, gains_.data(), nullptr, limits_.data());
  const UntilLimits until(limits);
  simplex.passInEventHandler(&until);
  ClpSolve how;
  how.setSpecialOption(2, 1);  // else Clp handles Ctrl-C itself while it works, and nobody else would see it
  simplex.initialSolve(how);
  if (simplex.status() != 0 || limits.reached() != Reason::none) return std::nullopt;
  const double* const solution = simplex.primalColumnSolution();
  return Solution{simplex.objectiveValue(), std::vector<double>(solution, solution + columns())};
}

}  // namespace quadrille::bounds
