// Solvers that are programs of their own: cvc5 and z3, whichever is there.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "driver/inputs/context.h"
#include "verifier/proof_reader.h"

namespace quadrille::driver {

// Asks the first; the next one where it has no answer.
class Solvers {
 public:
  explicit Solvers(Context& context) : context_(context) {}

  SolverAnswer ask(const std::string& smt2);

  // Those that have answered something, in alphabetical order.
  const std::set<std::string>& used() const { return used_; }

 private:
  Context& context_;
  std::set<std::string> used_;
  std::set<std::string> missing_;
};

}  // namespace quadrille::driver
