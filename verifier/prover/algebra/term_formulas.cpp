// Translates terms operation by operation. Operations for which the algebra has no atom are not supported.
//
// Example: on a ring of N, a packet from i to (i + 1) mod N has hops "if 2*d <= N then d else N - d", where d is its
// distance upwards, itself a choice. The packet goes to a neighbour because this is 1.
//
// Cost: one operation of the algebra for each operation of the term; the terms of a topology are short.
#include "verifier/prover/algebra/term_formulas.h"

#include <optional>
#include <string>

#include "verifier/prover/algebra/algebra.h"

namespace quadrille::prover {
namespace {

// The exponent k of a constant 2^k.
std::optional<int> constant_power(const Number& x) {
  const auto value = x.constant();
  if (!value || *value < 1 || denominator(*value) != 1) return std::nullopt;
  const Integer whole = numerator(*value);
  if ((whole & (whole - 1)) != 0) return std::nullopt;
  return static_cast<int>(msb(whole));
}

[[noreturn]] void refuse(const std::string& what) { throw Unsupported{what + " in the routes of this fabric", {}}; }

bool between(const Term& term, TermOp one, TermOp other) {
  return term.operands()[0].op() == one && term.operands()[1].op() == other;
}

}  // namespace

Number TermFormulas::number(const Term& term) {
  const auto operand = [&](std::size_t i) { return number(term.operands()[i]); };
  switch (term.op()) {
    case TermOp::number:
      return Number(Rational(term.number()));
    case TermOp::parameter:
      return binding_.parameters.at(static_cast<std::size_t>(term.number()));
    case TermOp::source:
      return binding_.source;
    case TermOp::target:
      return binding_.target;
    case TermOp::index:
      return binding_.index;
    case TermOp::add:
      return operand(0) + operand(1);
    case TermOp::subtract:
      return operand(0) - operand(1);
    case TermOp::multiply:
      return operand(0) * operand(1);
    case TermOp::divide:
      return algebra_.divide(operand(0), operand(1));
    case TermOp::modulo:
      return algebra_.remainder(operand(0), operand(1));
    case TermOp::bit_xor:
      return algebra_.bitwise(AtomKind::bit_xor, operand(0), operand(1));
    case TermOp::bits:
      return algebra_.bits(operand(0));
    case TermOp::power:
      return power(operand(0), operand(1));
    case TermOp::apex:
      return apex(term);
    case TermOp::minimum:
      return algebra_.least(operand(0), operand(1));
    case TermOp::maximum:
      return algebra_.greatest(operand(0), operand(1));
    case TermOp::conditional:
      return algebra_.choice(truth(term.operands()[0]), operand(1), operand(2));
    case TermOp::ones:  // of 2^e - 1, whose digits are all 1
      if (const auto digits = exponent_of(operand(0) + Number(1))) return *digits;
      refuse("sums of binary digits");
    default:
      return algebra_.choice(truth(term), Number(1), Number(0));
  }
}

Formula TermFormulas::truth(const Term& term) {
  const auto operand = [&](std::size_t i) { return number(term.operands()[i]); };
  switch (term.op()) {
    case TermOp::number:
      return algebra_.truth(term.number() != 0);
    case TermOp::equal:
      return equal(term);
    case TermOp::less:
      return algebra_.less(operand(0), operand(1));
    case TermOp::negation:
      return algebra_.negation(truth(term.operands()[0]));
    case TermOp::conjunction:
      return algebra_.conjunction({truth(term.operands()[0]), truth(term.operands()[1])});
    case TermOp::conditional: {
      const Formula condition = truth(term.operands()[0]);
      const Formula then = truth(term.operands()[1]);
      const Formula otherwise = truth(term.operands()[2]);
      return algebra_.disjunction(
          {algebra_.conjunction({condition, then}), algebra_.conjunction({algebra_.negation(condition), otherwise})});
    }
    default:
      return algebra_.negation(algebra_.equal(number(term), Number(0)));
  }
}

Formula TermFormulas::equal(const Term& term) {
  const Term& left = term.operands()[0];
  const Term& right = term.operands()[1];
  const bool ends = between(term, TermOp::source, TermOp::target) || between(term, TermOp::target, TermOp::source);
  // The caller knows that source and target differ, so the test for equality is settled.
  if (ends && binding_.apart) return algebra_.truth(false);
  if (left.op() == TermOp::ones && right == Term(1)) {
    // x has exactly one digit that is 1 if it is 2^(h-1), where h is its number of digits. (0 has h = 0.)
    const Number x = number(left.operands()[0]);
    return algebra_.equal(Number(2) * x, power_of_two(algebra_.bits(x)));
  }
  return algebra_.equal(number(left), number(right));
}

Number TermFormulas::power(const Number& base, const Number& exponent) {
  const auto digits = constant_power(base);
  if (!digits) refuse("powers of anything but 2");
  const Number whole = exponent * Number(*digits);
  if (!is_exponent(whole)) refuse("an exponent that is not linear");
  return power_of_two(whole);
}

// The apex to a base 2^k: the digits of a xor b, k at a time.
Number TermFormulas::apex(const Term& term) {
  const auto digits = constant_power(number(term.operands()[2]));
  if (!digits || *digits == 0) refuse("trees whose arity is no power of two");
  const Number differ = algebra_.bitwise(AtomKind::bit_xor, number(term.operands()[0]), number(term.operands()[1]));
  return algebra_.divide(algebra_.bits(differ) + Number(*digits - 1), Number(*digits));
}

}  // namespace quadrille::prover
