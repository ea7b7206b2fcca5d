#include "verifier/bounds/linear_program.h"

#include <coin/ClpSimplex.hpp>
#include <coin/CoinPackedMatrix.hpp>

namespace quadrille::bounds {

void LinearProgram::add_row(const Terms& terms, double limit) {
  for (const auto& [column, factor] : terms) {
    columns_.push_back(static_cast<int>(column));
    factors_.push_back(factor);
  }
  starts_.push_back(static_cast<int>(columns_.size()));
  limits_.push_back(limit);
}

std::optional<LinearProgram::Solution> LinearProgram::maximum(int most_iterations) const {
  CoinPackedMatrix matrix(false, static_cast<int>(columns()), static_cast<int>(rows()),
                          static_cast<CoinBigIndex>(factors_.size()), factors_.data(), columns_.data(), starts_.data(),
                          nullptr);
  ClpSimplex simplex;
  simplex.setLogLevel(0);
  simplex.setOptimizationDirection(-1);
  simplex.setMaximumIterations(most_iterations);
  simplex.loadProblem(matrix, nullptr, nullptr, gains_.data(), nullptr, limits_.data());
  simplex.initialSolve();
  if (simplex.status() != 0) return std::nullopt;
  const double* const solution = simplex.primalColumnSolution();
  return Solution{simplex.objectiveValue(), std::vector<double>(solution, solution + columns())};
}

}  // namespace quadrille::bounds
