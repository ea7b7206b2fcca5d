// A question is given to a new process of the solver, on its standard input; the answer is what it prints.
//
//   cvc5 --lang=smt2 -      z3 -smt2 -in
//
// Cost: starting a program for each question, some hundredths of a second, and the solver's work.
#include "driver/inputs/solver.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace quadrille::driver {
namespace {

using namespace std::chrono_literals;

constexpr auto longest = 60s;  // for one question

const std::array<std::vector<std::string>, 2> commands = {{{"cvc5", "--lang=smt2", "-"}, {"z3", "-smt2", "-in"}}};

}  // namespace

SolverAnswer Solvers::ask(const std::string& smt2) {
  SolverAnswer answer{SolverAnswer::Word::none, "no solver was found: neither cvc5 nor z3 is on the PATH"};
  for (const auto& command : commands) {
    const std::string& name = command[0];
    if (missing_.contains(name)) continue;
    const ProgramRun run = context_.environment.run_program(command, smt2, remaining(context_).within(longest));
    if (!run.found) {
      missing_.insert(name);
      continue;
    }
    answer = {run.ended ? word_of_answer(smt2, run.output) : SolverAnswer::Word::none,
              run.ended ? fmt::format("{} does not know", name) : fmt::format("no answer from {} in the time", name)};
    if (answer.word == SolverAnswer::Word::none) continue;
    used_.insert(name);
    return answer;
  }
  return answer;
}

}  // namespace quadrille::driver
