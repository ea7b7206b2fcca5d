// Solver is the one interface to solvers of propositional formulas.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "verifier/search/solver/clauses.h"
#include "verifier/search/solver/watch.h"

namespace quadrille::searching {

enum class Answer : std::uint8_t { satisfiable, unsatisfiable, unknown };

struct SolverLimits {
  Watch* watch = nullptr;       // asked periodically, if set; when it has reached its limits, the answer is unknown
  std::uint64_t conflicts = 0;  // after so many the answer is unknown; 0: no limit
};

class Solver : public ClauseSink {
 public:
  // Solves under the assumption that the literal `assumed` is true, if it is not 0. Clauses may be added later; learnt
  // clauses are kept.
  virtual Answer solve(const SolverLimits& limits, int assumed) = 0;
  Answer solve(const SolverLimits& limits) { return solve(limits, 0); }
  // Requires the answer `satisfiable`. Variables that no clause names are false.
  virtual bool is_true(int variable) = 0;
};

// Makes a CaDiCaL solver. `proof`, if set, receives the text of a DRAT proof, piece by piece, while it is found, and
// returns whether it wants the next piece. The text is a proof once the answer is `unsatisfiable` without an
// assumption.
std::unique_ptr<Solver> make_cadical(std::function<bool(std::string_view)> proof = {});

// Makes Z3's solver for propositional logic with cardinalities.
std::unique_ptr<Solver> make_z3();

}  // namespace quadrille::searching
