// Turns the steps of a bound (bounds.cpp) into obligations. The bound itself need not be trusted, because each step
// is proved.
//
// Example: two packets with d' > d start at n - d and n - d'. The obligation says "the difference is at least d' - d,
// so at least 1".
//
// Cost: an obligation for each variable; one question of 5 million of Z3's resource units if no end of a range is the
// worst.
#include "verifier/prover/solver/chain.h"

#include <fmt/format.h>

#include "verifier/prover/problem/sampling.h"
#include "verifier/prover/solver/decide.h"

namespace quadrille::prover {

namespace {

constexpr std::size_t most_in_chain = 3;
constexpr std::uint32_t effort = 5'000'000;  // of Z3, in its resource units

// The obligation that the number is large enough, with the variables that it contains.
Obligation large_enough(Algebra& algebra, const Number& x, int least, const Obligation& like) {
  Obligation end = like;
  end.explanation = {};
  end.given = algebra.truth(true);
  end.must = algebra.at_least_zero(x - Number(least));
  if (!x.constant()) {
    end.scope.clear();
    end.scope = all_variables(end);
  }
  return end;
}

// Decides a descent that has ended before it came to a number: whether it has few variables, and is large enough.
bool seems_and_is_large_enough(Algebra& algebra, const Obligation& end, Interrupter& interrupter) {
  if (end.scope.size() > most_in_chain || some_values(end.scope, algebra.negation(end.must))) return false;
  return decide(algebra, end, {}, {interrupter, effort}).verdict == ProofVerdict::proved;
}

}  // namespace

bool add_chain(Algebra& algebra, const Number& x, int least, const std::string& what, const Obligation& like,
               std::vector<Obligation>& obligations, Interrupter& interrupter) {
  interrupter.throw_if_reached();
  const auto steps = algebra.descent(x);
  Obligation end = large_enough(algebra, steps.back(), least, like);
  const auto number = steps.back().constant();
  if (number ? *number < least : !seems_and_is_large_enough(algebra, end, interrupter)) return false;
  for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
    Obligation obligation = like;
    obligation.name += " (bound)";
    obligation.explanation = {};
    obligation.meaning =
        fmt::format("{} is at least {}, so at least {}", what, to_string(steps[i]), to_string(steps[i + 1]));
    obligation.given = algebra.truth(true);
    obligation.must = algebra.at_most(steps[i + 1], steps[i]);
    obligation.exact = false;
    obligations.push_back(std::move(obligation));
  }
  obligations.push_back(std::move(end));
  return true;
}

}  // namespace quadrille::prover
