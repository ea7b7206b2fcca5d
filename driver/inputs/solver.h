// Runs solvers that are separate programs: cvc5 and z3, whichever are installed.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "driver/inputs/context.h"
#include "verifier/proof_reader.h"

namespace quadrille::driver {

// Asks the first solver, and the next one if it has no answer.
class Solvers {
 public:
  explicit Solvers(Context& context) : context_(context) {}

  SolverAnswer ask(const std::string& smt2);

  // The solvers that have answered something, in alphabetical order.
  const std::set<std::string>& used() const { return used_; }

 private:
  Context& context_;
  std::set<std::string> used_;
  std::set<std::string> missing_;
};

}  // namespace quadrille::driver
