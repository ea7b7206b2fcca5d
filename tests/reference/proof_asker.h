// A solver for tests of proofs that a second reader judges: cvc5, if it is there.
#pragma once

#include <cstddef>

#include "driver/files/started_program.h"
#include "verifier/proof_reader.h"

namespace quadrille::tests {

class ProofAsker {
 public:
  SolverAnswer operator()(const std::string& smt2) {
    const driver::ProgramRun run = driver::run_to_end({"cvc5", "--lang=smt2", "-"}, smt2, Limits().within(seconds));
    ++asked;
    SolverAnswer answer{SolverAnswer::Word::none, "no answer"};
    if (run.ended) answer.word = word_of_answer(smt2, run.output);
    return answer;
  }

  static bool there() { return driver::run_to_end({"cvc5", "--version"}, "", Limits().within(seconds)).found; }

  std::size_t asked = 0;

 private:
  static constexpr std::chrono::duration<double> seconds{10};
};

}  // namespace quadrille::tests
