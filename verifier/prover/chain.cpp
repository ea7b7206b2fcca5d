#include "verifier/prover/chain.h"

#include <fmt/format.h>

namespace quadrille::prover {

bool add_chain(Algebra& algebra, const Number& x, int least, const std::string& what, const Obligation& like,
               std::vector<Obligation>& obligations) {
  const auto steps = algebra.descent(x);
  if (steps.empty() || *steps.back().constant() < least) return false;
  for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
    Obligation obligation = like;
    obligation.name += " (bound)";
    obligation.story = {};
    obligation.meaning =
        fmt::format("{} is at least {}, so at least {}", what, to_string(steps[i]), to_string(steps[i + 1]));
    obligation.given = algebra.truth(true);
    obligation.must = algebra.at_most(steps[i + 1], steps[i]);
    obligation.exact = false;
    obligations.push_back(std::move(obligation));
  }
  Obligation end = like;
  end.story = {};
  end.given = algebra.truth(true);
  end.must = algebra.at_least_zero(steps.back() - Number(least));
  obligations.push_back(std::move(end));
  return true;
}

}  // namespace quadrille::prover
