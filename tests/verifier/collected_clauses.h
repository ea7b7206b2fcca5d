// A formula's clauses, kept to be compared.
#pragma once

#include <span>
#include <vector>

#include "verifier/search/solver/solver.h"

namespace quadrille::tests {

using Clauses = std::vector<std::vector<int>>;

struct Collected final : searching::ClauseSink {
  using ClauseSink::clause;
  void clause(std::span<const int> literals) override { clauses.emplace_back(literals.begin(), literals.end()); }
  Clauses clauses;
};

}  // namespace quadrille::tests
