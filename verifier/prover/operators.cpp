// Expressions: builtin functions and operators.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "verifier/prover/expressions.h"

namespace quadrille::prover {
namespace {

using ir::Builtin;
using ir::Op;

constexpr const char* negative_exponent = "the exponent is {}";

}  // namespace

// --- builtins --------------------------------------------------------------------------------------------------------

Value Expressions::builtin(const ir::Expression& e, Frame& frame) {
  const auto argument = [&](std::size_t i) { return number(e.operands[i], frame); };
  const auto which = static_cast<Builtin>(e.number);
  switch (which) {
    case Builtin::processor_count:
      return problem_.processors;
    case Builtin::processors:
      return range(Number(0), problem_.processors - Number(1));
    case Builtin::all: {
      Set result = range(Number(0), problem_.processors - Number(1));
      result.everyone = true;
      return result;
    }
    case Builtin::levels:
      if (problem_.machine.kind == Machine::Kind::tree) return problem_.machine.levels;
      break;
    case Builtin::log2: {
      const Number x = argument(0);
      require(algebra_.at_least_zero(x - Number(1)), "log2 of at least 1", e.span, "it is log2 of {}", x);
      return algebra_.bits(x) - Number(1);
    }
    case Builtin::ceil_div: {
      const Number a = argument(0);
      const Number b = argument(1);
      require(algebra_.negation(algebra_.equal(b, Number(0))), "no division by zero", e.span);
      return b == Number(0) ? Number(0) : -algebra_.divide(-a, b);
    }
    case Builtin::abs: {
      const Number x = argument(0);
      return algebra_.choice(algebra_.at_least_zero(x), x, -x);
    }
    case Builtin::min:
    case Builtin::max: {
      Number best = argument(0);
      for (std::size_t i = 1; i < e.operands.size(); ++i) {
        const Number x = argument(i);
        best = which == Builtin::min ? algebra_.least(best, x) : algebra_.greatest(best, x);
      }
      return best;
    }
    case Builtin::distance: {
      if (problem_.machine.kind != Machine::Kind::tree) throw Unsupported{"distances on this fabric", e.span};
      const Number a = argument(0);
      return hops(algebra_, problem_.machine, a, argument(1));
    }
    case Builtin::steps:
    case Builtin::messages:
    case Builtin::rows:
    case Builtin::max_queue:
      return measure(which, e.span);
    default:
      break;
  }
  throw Unsupported{"a builtin that the prover does not know", e.span};
}

Number Expressions::measure(Builtin which, Span span) const {
  if (which == Builtin::steps && measures_.steps) return *measures_.steps;
  if (which == Builtin::messages && measures_.messages) return *measures_.messages;
  if (which == Builtin::max_queue && measures_.max_queue) return *measures_.max_queue;
  throw Unsupported{"a measure that the prover has no formula for", span};
}

// --- operators -------------------------------------------------------------------------------------------------------

Value Expressions::binary(const ir::Expression& e, Frame& frame) {
  const Value left = value(e.operands[0], frame);
  const Value right = value(e.operands[1], frame);
  switch (e.op) {
    case Op::logical_xor: {
      const Formula a = std::get<Formula>(left);
      const Formula b = std::get<Formula>(right);
      return algebra_.disjunction(
          {algebra_.conjunction({a, algebra_.negation(b)}), algebra_.conjunction({algebra_.negation(a), b})});
    }
    case Op::equal:
    case Op::not_equal:
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
      return comparison(e, left, right);
    default:
      return arithmetic(e, std::get<Number>(left), std::get<Number>(right));
  }
}

Value Expressions::comparison(const ir::Expression& e, const Value& left, const Value& right) {
  if (const auto* p = std::get_if<Formula>(&left)) {  // truth values
    const Formula q = std::get<Formula>(right);
    const Formula same = algebra_.disjunction(
        {algebra_.conjunction({*p, q}), algebra_.conjunction({algebra_.negation(*p), algebra_.negation(q)})});
    if (e.op == Op::equal) return same;
    if (e.op == Op::not_equal) return algebra_.negation(same);
    throw Unsupported{"a comparison of truth values", e.span};
  }
  if (!std::holds_alternative<Number>(left)) throw Unsupported{"a comparison of sets", e.span};
  const Number& a = std::get<Number>(left);
  const Number& b = std::get<Number>(right);
  switch (e.op) {
    case Op::equal:
      return algebra_.equal(a, b);
    case Op::not_equal:
      return algebra_.negation(algebra_.equal(a, b));
    case Op::less:
      return algebra_.less(a, b);
    case Op::less_equal:
      return algebra_.at_most(a, b);
    case Op::greater:
      return algebra_.less(b, a);
    default:
      return algebra_.at_most(b, a);
  }
}

Number Expressions::arithmetic(const ir::Expression& e, const Number& a, const Number& b) {
  const auto not_by_zero = [&] {
    require(algebra_.negation(algebra_.equal(b, Number(0))), "no division by zero", e.span);
  };
  switch (e.op) {
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return a * b;
    case Op::divide:
      not_by_zero();
      return b == Number(0) ? Number(0) : algebra_.divide(a, b);
    case Op::modulo:
      not_by_zero();
      return b == Number(0) ? Number(0) : algebra_.remainder(a, b);
    case Op::power:
      return power(e, a, b);
    case Op::shift_left:
      return a * two_to(b, e.span);
    case Op::shift_right:
      return algebra_.divide(a, two_to(b, e.span));
    case Op::bit_or:
      return algebra_.bitwise(AtomKind::bit_or, a, b);
    case Op::bit_xor:
      return algebra_.bitwise(AtomKind::bit_xor, a, b);
    case Op::bit_and:
      return algebra_.bitwise(AtomKind::bit_and, a, b);
    default:
      throw Unsupported{"an operator that the prover does not know", e.span};
  }
}

Number Expressions::power(const ir::Expression& e, const Number& base, const Number& exponent) {
  if (const auto times = exponent.constant(); times && *times >= 0 && *times <= 8) {
    Number result(1);
    for (int i = 0; i < *times; ++i) result = result * base;
    return result;
  }
  if (const auto value = base.constant(); value && *value > 0) {
    const Integer whole = numerator(*value);
    if ((whole & (whole - 1)) == 0) {
      require(algebra_.at_least_zero(exponent), "an exponent of at least 0", e.operands[1].span, negative_exponent,
              exponent);
      return two_to(exponent * Number(static_cast<int>(msb(whole))), e.span);
    }
  }
  throw Unsupported{"a power whose base is not a power of two", e.span};
}

Number Expressions::two_to(const Number& exponent, Span span) {
  require(algebra_.at_least_zero(exponent), "an exponent of at least 0", span, negative_exponent, exponent);
  if (!is_exponent(exponent)) throw Unsupported{"an exponent that is not linear", span};
  const auto most = algebra_.upper(exponent);
  if (!most || *most > 1024) throw Unsupported{"a power that may have more than 1024 binary digits", span};
  return power_of_two(exponent);
}

}  // namespace quadrille::prover
