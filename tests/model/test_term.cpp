#include <doctest/doctest.h>

#include "model/terms/term.h"

namespace quadrille {
namespace {

using namespace terms;

TEST_CASE("a term has the value that its operations give") {
  const TermValues values{{7, 3}, 5, 12, 2};
  CHECK(evaluate(parameter(0) * parameter(1) - index(), values) == 19);
  CHECK(evaluate((source() - target()) / 2, values) == -4);  // rounded down
  CHECK(evaluate((source() - target()) % 4, values) == 1);
  CHECK(evaluate(bit_xor(source(), target()), values) == 9);
  CHECK(evaluate(bits(target()) * 10 + ones(target()), values) == 42);
  CHECK(evaluate(power(parameter(1), index()), values) == 9);
  CHECK(evaluate(minimum(source(), target()) * 100 + maximum(source(), target()), values) == 512);
  CHECK(evaluate(apex(source(), target(), 3), values) == 3);  // 012 and 110 in base 3
  CHECK(evaluate(apex(source(), source(), 2), values) == 0);
}

TEST_CASE("a comparison is 1 or 0") {
  const TermValues values{{}, 5, 12, 2};
  CHECK(evaluate(less(source(), target()), values) == 1);
  CHECK(evaluate(at_most(target(), source()), values) == 0);
  CHECK(evaluate(either(equal(source(), 4), both(equal(index(), 2), !equal(target(), 5))), values) == 1);
  CHECK(evaluate(conditional(equal(source(), 5), target(), source() / 0), values) == 12);  // the other is not evaluated
  CHECK(less(source(), 3).is_truth());
  CHECK(conditional(less(source(), 3), !less(source(), 2), 1).is_truth());
  CHECK_FALSE((source() + 1).is_truth());
}

TEST_CASE("constants are folded, and terms written alike are equal") {
  CHECK(Term(2) * 3 + 1 == Term(7));
  CHECK(source() * 1 + 0 == source());
  CHECK_FALSE(source() + 1 == source() + 2);
  CHECK(conditional(less(1, 2), source(), target()) == source());
}

TEST_CASE("a term is written as a person would") {
  CHECK(to_string(source() / power(2, index() - 1)) == "s div (2 ^ (i - 1))");
  CHECK(to_string((source() + index()) % parameter(0), {"N"}) == "(s + i) mod N");
  CHECK(to_string(conditional(less(source(), 1), bits(target()), 0)) == "if (s < 1) then bits(t) else 0");
}

}  // namespace
}  // namespace quadrille
