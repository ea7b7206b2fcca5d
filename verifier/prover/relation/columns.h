// The language of guesses: numbers and truths over a relation's variables, each with its values at the entries of
// small sizes.
#pragma once

#include <cstdint>
#include <vector>

#include "verifier/prover/relation/arrivals.h"
#include "verifier/prover/relation/relation.h"

namespace quadrille::prover {

// A number, and its value at each entry.
struct GuessColumn {
  Number number;
  std::vector<std::int64_t> values;
};
// A truth, and whether it holds at each entry.
struct GuessTest {
  Formula formula = nullptr;
  std::vector<std::uint8_t> holds;
};

struct GuessLanguage {
  std::vector<GuessColumn> sizes;      // of the parameters alone
  std::vector<GuessColumn> distances;  // the others
  std::vector<GuessTest> tests;        // simple ones first; no two hold at the same entries
};

// `with_digits`: also with binary digits, of which Z3 knows less.
GuessLanguage guess_language(const Writing& writing, const Relation& relation, const std::vector<Assignment>& sizes,
                             const std::vector<const ArrivedItem*>& entries, bool with_digits);

}  // namespace quadrille::prover
