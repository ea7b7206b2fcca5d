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
  // Solves under the assumption that the literal is true, if it is not 0. Clauses may be added later; the solver
  // keeps what it has learnt.
  virtual Answer solve(const SolverLimits& limits, int assumed) = 0;
  Answer solve(const SolverLimits& limits) { return solve(limits, 0); }
  // Requires the answer `satisfiable`. Variables that no clause names are false.
  virtual bool is_true(int variable) = 0;
};

// Makes CaDiCaL. `proof`, if set, receives the text of a DRAT proof, piece by piece, while the solver finds it; it
// returns whether it wants the next piece. The pieces are a proof once the answer is `unsatisfiable` and nothing was
// assumed.
std::unique_ptr<Solver> make_cadical(std::function<bool(std::string_view)> proof = {});

// Makes Z3's solver for propositional logic with cardinality constraints.
std::unique_ptr<Solver> make_z3();

}  // namespace quadrille::searching
