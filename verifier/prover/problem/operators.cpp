// Evaluates builtin functions and operators. Each is an operation of the algebra, with a condition if it is not
// defined for every value.
//
// Example: a / b is the quotient of two numbers, and the condition b != 0; x << e is x·2^e, and the condition e >= 0.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "verifier/prover/problem/expressions.h"

namespace quadrille::prover {
namespace {

using ir::BinaryOperator;
using ir::Builtin;

constexpr const char* negative_exponent = "the exponent is {}";

// Whether the variable's range has no end, or one that depends on another without an end.
bool depends_on(Atom variable, Atom endless) {
  if (variable == endless) return true;
  Variables inside;
  if (variable->last) collect_variables(*variable->last, inside);
  return std::ranges::any_of(inside, [&](Atom each) { return depends_on(each, endless); });
}

// A power that is too long; if that is for want of an end of a parameter's range, with the range to write instead.
std::string too_long(const Problem& problem, const Number& number) {
  std::string text = "a power that may have more than 1024 binary digits";
  const Variables variables = variables_in(number);
  for (const ProblemParameter& each : problem.parameters) {
    if (!each.variable || (*each.variable)->last) continue;
    if (std::ranges::any_of(variables, [&](Atom it) { return depends_on(it, *each.variable); }))
      text += fmt::format("; bound {0}: `param {0} in {1}..65536`", each.name,
                          to_string((*each.variable)->first.value_or(Number(1))));
  }
  return text;
}

}  // namespace

// --- builtins --------------------------------------------------------------------------------------------------------

Value Expressions::value_of(const ir::BuiltinCall& node, const ir::Expression& e, const ExpressionContext& at) {
  const auto argument = [&](std::size_t i) { return number(node.arguments[i], at); };
  switch (node.builtin) {
    case Builtin::processor_count:
      return problem_.processors;
    case Builtin::processors:
      return range(Number(0), problem_.processors - Number(1));
    case Builtin::all: {
      Set result = range(Number(0), problem_.processors - Number(1));
      result.everyone = true;
      return result;
    }
    case Builtin::parts:
      return range(Number(0), problem_.collective.parts - Number(1));
    case Builtin::levels:
      if (problem_.machine.levels) return *problem_.machine.levels;
      break;
    case Builtin::log2: {
      const Number x = argument(0);
      require(at, algebra_.at_least_zero(x - Number(1)), "log2 of at least 1", e.span, "it is log2 of {}", x);
      return algebra_.bits(x) - Number(1);
    }
    case Builtin::ceil_div: {
      const Number a = argument(0);
      const Number b = argument(1);
      require(at, algebra_.negation(algebra_.equal(b, Number(0))), "no division by zero", e.span);
      return b == Number(0) ? Number(0) : -algebra_.divide(-a, b);
    }
    case Builtin::abs: {
      const Number x = argument(0);
      return algebra_.choice(algebra_.at_least_zero(x), x, -x);
    }
    case Builtin::min:
    case Builtin::max: {
      Number best = argument(0);
      for (std::size_t i = 1; i < node.arguments.size(); ++i) {
        const Number x = argument(i);
        best = node.builtin == Builtin::min ? algebra_.least(best, x) : algebra_.greatest(best, x);
      }
      return best;
    }
    case Builtin::distance: {
      if (!problem_.machine.levels) throw Unsupported{"distances on this fabric", e.span};
      const Number a = argument(0);
      return hops(algebra_, problem_.machine, a, argument(1));
    }
    case Builtin::in_rounds:
      return algebra_.truth(problem_.machine.rounds);
    case Builtin::steps:
    case Builtin::messages:
    case Builtin::rows:
    case Builtin::max_queue:
    case Builtin::max_buffer:
    case Builtin::rounds:
    case Builtin::volume:
    case Builtin::hops:
      return measure(node.builtin, e.span);
    case Builtin::load:
      throw Unsupported{"the load, which is a fraction", e.span};
    default:
      break;
  }
  throw Unsupported{"a builtin that the prover does not know", e.span};
}

Number Expressions::measure(Builtin which, Span span) const {
  const bool time = which == Builtin::steps || which == Builtin::rounds;
  const bool of_rounds = which == Builtin::rounds || which == Builtin::volume || which == Builtin::hops;
  if (of_rounds && !problem_.machine.rounds)
    throw Unsupported{"a measure of rounds, where there are none (`timing: rounds`)", span};
  if (time && measures_.steps) return *measures_.steps;
  if (which == Builtin::volume && measures_.volume) return *measures_.volume;
  if (which == Builtin::hops && measures_.hops) return *measures_.hops;
  if (which == Builtin::messages && measures_.messages) return *measures_.messages;
  if (which == Builtin::max_queue && measures_.max_queue) return *measures_.max_queue;
  throw Unsupported{"a measure that the prover has no formula for", span};
}

// --- operators -------------------------------------------------------------------------------------------------------

Value Expressions::value_of(const ir::Unary& node, const ir::Expression&, const ExpressionContext& at) {
  if (node.op == ir::UnaryOperator::logical_not) return algebra_.negation(truth(*node.operand, at));
  return -number(*node.operand, at);
}

Value Expressions::value_of(const ir::Binary& node, const ir::Expression& e, const ExpressionContext& at) {
  for (const BinaryOperator op :
       {BinaryOperator::logical_or, BinaryOperator::logical_and, BinaryOperator::logical_xor}) {
    if (node.op == op) return connective(node, at);
  }
  const Value left = value(*node.left, at);
  const Value right = value(*node.right, at);
  if (e.type == ir::Type::boolean) return comparison(node.op, left, right, e.span);
  return arithmetic(node, std::get<Number>(left), std::get<Number>(right), e.span, at);
}

// Looks at the right side only if the left one does not decide the result.
Formula Expressions::connective(const ir::Binary& node, const ExpressionContext& at) {
  const Formula a = truth(*node.left, at);
  if (node.op == BinaryOperator::logical_xor) {
    const Formula b = truth(*node.right, at);
    return algebra_.disjunction(
        {algebra_.conjunction({a, algebra_.negation(b)}), algebra_.conjunction({algebra_.negation(a), b})});
  }
  const bool both = node.op == BinaryOperator::logical_and;
  const Formula b = truth(*node.right, inside(at, {}, both ? a : algebra_.negation(a)));
  return both ? algebra_.conjunction({a, b}) : algebra_.disjunction({a, b});
}

Value Expressions::comparison(BinaryOperator op, const Value& left, const Value& right, Span span) {
  if (const auto* p = std::get_if<Formula>(&left)) {  // truth values
    const Formula q = std::get<Formula>(right);
    const Formula same = algebra_.disjunction(
        {algebra_.conjunction({*p, q}), algebra_.conjunction({algebra_.negation(*p), algebra_.negation(q)})});
    if (op == BinaryOperator::equal) return same;
    if (op == BinaryOperator::not_equal) return algebra_.negation(same);
    throw Unsupported{"a comparison of truth values", span};
  }
  if (!std::holds_alternative<Number>(left)) throw Unsupported{"a comparison of sets", span};
  const Number& a = std::get<Number>(left);
  const Number& b = std::get<Number>(right);
  switch (op) {
    case BinaryOperator::equal:
      return algebra_.equal(a, b);
    case BinaryOperator::not_equal:
      return algebra_.negation(algebra_.equal(a, b));
    case BinaryOperator::less:
      return algebra_.less(a, b);
    case BinaryOperator::less_equal:
      return algebra_.at_most(a, b);
    case BinaryOperator::greater:
      return algebra_.less(b, a);
    default:
      return algebra_.at_most(b, a);
  }
}

Number Expressions::arithmetic(const ir::Binary& node, const Number& a, const Number& b, Span span,
                               const ExpressionContext& at) {
  const auto not_by_zero = [&] {
    require(at, algebra_.negation(algebra_.equal(b, Number(0))), "no division by zero", span);
  };
  switch (node.op) {
    case BinaryOperator::add:
      return a + b;
    case BinaryOperator::subtract:
      return a - b;
    case BinaryOperator::multiply:
      return a * b;
    case BinaryOperator::divide:
      not_by_zero();
      return b == Number(0) ? Number(0) : algebra_.divide(a, b);
    case BinaryOperator::modulo:
      not_by_zero();
      return b == Number(0) ? Number(0) : algebra_.remainder(a, b);
    case BinaryOperator::power:
      return power(node, a, b, span, at);
    case BinaryOperator::shift_left:
      return a * two_to(b, span, at);
    case BinaryOperator::shift_right:
      return algebra_.divide(a, two_to(b, span, at));
    case BinaryOperator::bit_or:
      return algebra_.bitwise(AtomKind::bit_or, a, b);
    case BinaryOperator::bit_xor:
      return algebra_.bitwise(AtomKind::bit_xor, a, b);
    case BinaryOperator::bit_and:
      return algebra_.bitwise(AtomKind::bit_and, a, b);
    default:
      throw Unsupported{"an operator that the prover does not know", span};
  }
}

Number Expressions::power(const ir::Binary& node, const Number& base, const Number& exponent, Span span,
                          const ExpressionContext& at) {
  if (const auto times = exponent.constant(); times && *times >= 0 && *times <= 8)
    return algebra_.power(base, exponent);
  if (const auto value = base.constant(); value && *value > 0) {
    const Integer whole = numerator(*value);
    if ((whole & (whole - 1)) == 0) {
      require(at, algebra_.at_least_zero(exponent), "an exponent of at least 0", node.right->span, negative_exponent,
              exponent);
      return two_to(exponent * Number(static_cast<int>(msb(whole))), span, at);
    }
  }
  if (base.constant() && *base.constant() < 0) return power_of_negative(node, base, exponent, span, at);
  require(at, algebra_.at_least_zero(exponent), "an exponent of at least 0", node.right->span, negative_exponent,
          exponent);
  const auto least = algebra_.lower(base);
  if (!least || *least < 1) throw Unsupported{"a power whose base may be less than 1", span};
  Number result = algebra_.power(base, exponent);
  const auto most = algebra_.upper(result);
  if (!most || *most >= Rational(Integer(1) << 1024)) throw Unsupported{too_long(problem_, result), span};
  return result;
}

// (-b)^e is b^e for even e, and -(b^e) for odd e.
Number Expressions::power_of_negative(const ir::Binary& node, const Number& base, const Number& exponent, Span span,
                                      const ExpressionContext& at) {
  const Number size = power(node, -base, exponent, span, at);
  const Formula even = algebra_.equal(algebra_.remainder(exponent, Number(2)), Number(0));
  return algebra_.choice(even, size, -size);
}

Number Expressions::two_to(const Number& exponent, Span span, const ExpressionContext& at) {
  require(at, algebra_.at_least_zero(exponent), "an exponent of at least 0", span, negative_exponent, exponent);
  if (!is_exponent(exponent)) throw Unsupported{"an exponent that is not linear", span};
  const auto most = algebra_.upper(exponent);
  if (!most || *most > 1024) throw Unsupported{too_long(problem_, exponent), span};
  return power_of_two(exponent);
}

}  // namespace quadrille::prover
