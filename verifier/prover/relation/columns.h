// The language of guesses: numbers and truths over a relation's variables, each with its values at the entries of
// small sizes.
#pragma once

#include <cstdint>
#include <set>
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

// A number below `size` that a distance may begin or end with.
struct DistanceEnd {
  GuessColumn column;
  Number size;
};

struct GuessLanguage {
  std::vector<DistanceEnd> ends;       // the relation's variables, whole numbers of several, and the root
  std::vector<GuessColumn> sizes;      // of the parameters alone
  std::vector<GuessColumn> distances;  // the others
  std::vector<GuessTest> tests;        // simple ones first; no two hold at the same entries
  std::size_t plain_tests = 0;         // so many of them, the first, have no products of variables
  std::vector<GuessTest> halves;       // by which parts may go ways of their own
};

// `with_digits`: also with binary digits, of which Z3 knows less.
GuessLanguage guess_language(const Writing& writing, const Relation& relation, const std::vector<Assignment>& sizes,
                             const std::vector<const ArrivedItem*>& entries, bool with_digits);

// The numbers to which two is raised in what a family's sends are, and carry, if they depend on its variables: 2*i and
// 2*i + 2 of a send from k to k + 4^i mod 4^(i+1).
std::set<Number> raised_numbers(const Family& family);
// The number of binary digits that go together by such a number: two, for 2*i.
int digits_together(const Number& raised, const Family& family);

// The ends around the digit at 2^exponent: what is below it, what is not, the digit itself, and one end with this digit
// of another. `values`: of the exponent, at each entry; `together`: binary digits of one digit.
std::vector<GuessColumn> columns_at_digit(Algebra& algebra, const std::vector<DistanceEnd>& ends,
                                          const GuessColumn& exponent, int together);

}  // namespace quadrille::prover
