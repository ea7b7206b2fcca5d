// Solver is the one interface to solvers of propositional formulas.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "model/limits/watch.h"

namespace quadrille::searching {

// Takes the meaning of the variables `variable`, `variable` + 1, … in the steps `first` … `last`.
using NameVariables =
    std::function<void(int variable, std::int64_t first, std::int64_t last, std::string_view meaning)>;

// Takes the clauses of a formula. A literal is a variable's number, from 1, or its negative.
class ClauseSink {
 public:
  virtual ~ClauseSink() = default;
  virtual void clause(std::span<const int> literals) = 0;
  void clause(std::initializer_list<int> literals) { clause(std::span(literals.begin(), literals.size())); }
  // Adds that at most k of the literals are true. `next` is the first free variable before, and the first that is
  // still free after. The default adds the clauses of verifier/FORMULA.md.
  virtual void at_most(std::uint64_t k, std::span<const int> literals, int& next);
};

// Adds that sums[j - 1] is true if j or more of the literals are true, and that no more literals are true than there
// are sums (verifier/ROUNDS_FORMULA.md, Volume). `next` is as above. Requires sums, if there are literals.
void count(std::span<const int> sums, std::span<const int> literals, int& next, ClauseSink& sink);

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
