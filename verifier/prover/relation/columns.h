// The language of guesses: numbers and truths over a relation's variables, each with its values at the entries of
// small sizes.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "verifier/prover/relation/relation.h"

namespace quadrille::prover {

// One entry of the relation at one size.
struct ArrivedItem {
  std::size_t size = 0;               // which of the sizes
  std::vector<std::int64_t> digits;   // the values of the relation's variables (Relation::scope())
  std::optional<std::int64_t> step;   // nothing: it never arrives; 0: it is there at the start
  std::optional<std::size_t> family;  // the family of a send that brings it
  std::vector<std::int64_t> send;     // the values of that send's variables (delivery_variables())
};

struct SmallArrivals {
  std::vector<Assignment> sizes;
  std::vector<ArrivedItem> entries;
  std::vector<Number> arrivals;  // of each family, the step in which its sends arrive
};

// Follows the schedule at some of the smallest sizes. Nothing if a packet is sent by a processor that does not have it,
// or no size is small enough.
std::optional<SmallArrivals> small_arrivals(const Writing& writing, const Relation& relation,
                                            const std::vector<Number>& starts);

// `with_digits`: in the language with binary digits. Nothing if no formulas of the language of guesses fit all sizes.
// `empty`: a relation without cases.
std::optional<GuessedRelation> guess_relation(const Writing& writing, const Relation& empty,
                                              const SmallArrivals& arrivals, bool with_digits);

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

// The place of a digit: 4^i, to the base 4. (To the base 2^c, if a variable of the exponent of two is taken c times.)
struct DigitPlace {
  Number power, base;
  bool operator<(const DigitPlace& other) const {
    return power < other.power || (power == other.power && base < other.base);
  }
};
// The powers in what a family's sends are, and carry, that depend on its variables: of a send from k to k + 4^i mod
// 4^(i+1) there are two.
std::set<DigitPlace> digit_places(const Family& family);

// The ends around the digit at that place: what is above it, what is below it, what is not, the digit itself, and one
// end with this digit of another. `powers`, `bases`: their values at each entry; none of them is 0.
std::vector<GuessColumn> columns_at_digit(Algebra& algebra, const std::vector<DistanceEnd>& ends,
                                          const GuessColumn& powers, const GuessColumn& bases);

}  // namespace quadrille::prover
