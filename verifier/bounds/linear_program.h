// Linear programs: the largest value of a linear function under linear inequalities. The solution is in floating
// point, so it is a hint that must be checked.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "model/limits/limits.h"

namespace quadrille::bounds {

// A program over columns x[0], x[1], … >= 0.
class LinearProgram {
 public:
  using Terms = std::vector<std::pair<std::size_t, double>>;  // column, factor; each column once

  explicit LinearProgram(std::size_t columns) : gains_(columns, 0) {}

  std::size_t columns() const { return gains_.size(); }
  std::size_t rows() const { return limits_.size(); }

  void add_gain(std::size_t column, double gain) { gains_[column] += gain; }
  // Adds the inequality that the sum of the terms is at most `limit`.
  void add_row(const Terms& terms, double limit);

  struct Solution {
    double value = 0;
    std::vector<double> columns;
  };
  // A solution with the largest sum of gain[i] · x[i]. Nothing if there is none, or if it is not found within the
  // iterations and before the limits are reached. The same program has the same solution.
  std::optional<Solution> maximum(int most_iterations, const Limits& limits = {}) const;

 private:
  std::vector<double> gains_;
  std::vector<double> limits_;
  std::vector<int> starts_{0};  // of rows, in columns_ and factors_
  std::vector<int> columns_;
  std::vector<double> factors_;
};

}  // namespace quadrille::bounds
