// A solver for tests of proofs that a second reader judges: cvc5, if it is there.
#pragma once

#include <cstddef>

#include "driver/files/started_program.h"
#include "verifier/proof_reader.h"

namespace quadrille::tests {

// Asks cvc5 until a question is not answered by `unsat`; from then on, nobody.
class ProofAsker {
 public:
  SolverAnswer operator()(const std::string& smt2) {
    if (failed_) return {SolverAnswer::Word::none, "not asked"};
    const driver::ProgramRun run = driver::run_to_end({"cvc5", "--lang=smt2", "-"}, smt2, Limits().within(seconds));
    ++asked;
    SolverAnswer answer{SolverAnswer::Word::none, "no answer"};
    if (run.ended && run.output == "unsat\n") answer.word = SolverAnswer::Word::unsat;
    if (run.ended && run.output == "sat\n") answer.word = SolverAnswer::Word::sat;
    failed_ = answer.word != SolverAnswer::Word::unsat;
    return answer;
  }

  static bool there() { return driver::run_to_end({"cvc5", "--version"}, "", Limits().within(seconds)).found; }

  std::size_t asked = 0;

 private:
  static constexpr std::chrono::duration<double> seconds{10};
  bool failed_ = false;
};

}  // namespace quadrille::tests
