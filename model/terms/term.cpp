// Terms are immutable trees that share their branches. Constants are folded, so the terms that topologies write stay
// short: 2 * 3 is 6, x + 0 is x. Nothing more is simplified, because the prover has an algebra of its own.
//
// For example, s / power(2, 3 - 1) becomes s / 4, and (s + 0) / 1 becomes s. evaluate() is the meaning that the tests
// compare the prover's with: apex(1, 2, 2) is 2, as 1 and 2 differ, their halves 0 and 1 too, and their quarters do
// not. Cost: linear in the tree, a shared branch as often as it is reached.
#include "model/terms/term.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

namespace quadrille {
namespace {

using Number = std::int64_t;

Number divided(Number a, Number b) {
  const Number quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

// Of what does not fit into 64 bits, the lowest 64.
Number product(Number a, Number b) {
  return static_cast<Number>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

// By squaring: a power costs the digits of its exponent.
Number raised(Number base, Number exponent) {
  Number result = 1;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result = product(result, base);
    base = product(base, base);
  }
  return result;
}

Number apex_of(Number a, Number b, Number base) {
  Number level = 0;
  for (; a != b; ++level) {
    a = divided(a, base);
    b = divided(b, base);
  }
  return level;
}

Number applied(TermOp op, Number a, Number b) {
  switch (op) {
    case TermOp::add:
      return a + b;
    case TermOp::subtract:
      return a - b;
    case TermOp::multiply:
      return product(a, b);
    case TermOp::divide:
      return divided(a, b);
    case TermOp::modulo:
      return a - product(b, divided(a, b));
    case TermOp::bit_xor:
      return a ^ b;
    case TermOp::bits:
      return static_cast<Number>(std::bit_width(static_cast<std::uint64_t>(a)));
    case TermOp::ones:
      return std::popcount(static_cast<std::uint64_t>(a));
    case TermOp::power:
      return raised(a, b);
    case TermOp::minimum:
      return std::min(a, b);
    case TermOp::maximum:
      return std::max(a, b);
    case TermOp::equal:
      return a == b;
    case TermOp::less:
      return a < b;
    case TermOp::negation:
      return a == 0;
    case TermOp::conjunction:
      return a != 0 && b != 0;
    default:
      throw std::logic_error("applied: no operation");
  }
}

// Of one operand the second is not looked at.
Term made(TermOp op, const Term& a, const Term& b) {
  const bool unary = op == TermOp::bits || op == TermOp::ones || op == TermOp::negation;
  if (a.op() == TermOp::number && (unary || b.op() == TermOp::number)) return applied(op, a.number(), b.number());
  if (unary) return {op, {a}};
  return {op, {a, b}};
}

bool is(const Term& term, Number number) { return term.op() == TermOp::number && term.number() == number; }

}  // namespace

Term::Term(Number number) : Term(TermOp::number, {}, number) {}

Term::Term(TermOp op, std::vector<Term> operands, Number number)
    : node_(std::make_shared<const Node>(Node{op, number, std::move(operands)})) {}

bool Term::is_truth() const {
  switch (op()) {
    case TermOp::equal:
    case TermOp::less:
    case TermOp::negation:
    case TermOp::conjunction:
      return true;
    case TermOp::number:
      return number() == 0 || number() == 1;
    case TermOp::conditional:
      return operands()[1].is_truth() && operands()[2].is_truth();
    default:
      return false;
  }
}

bool Term::operator==(const Term& other) const {
  if (node_ == other.node_) return true;
  return op() == other.op() && number() == other.number() && operands() == other.operands();
}

namespace terms {

Term parameter(std::size_t number) { return {TermOp::parameter, {}, static_cast<Number>(number)}; }
Term source() { return {TermOp::source, {}}; }
Term target() { return {TermOp::target, {}}; }
Term index() { return {TermOp::index, {}}; }

}  // namespace terms

Term operator+(const Term& a, const Term& b) {
  if (is(a, 0)) return b;
  return is(b, 0) ? a : made(TermOp::add, a, b);
}
Term operator-(const Term& a, const Term& b) { return is(b, 0) ? a : made(TermOp::subtract, a, b); }
Term operator*(const Term& a, const Term& b) {
  if (is(a, 1)) return b;
  return is(b, 1) ? a : made(TermOp::multiply, a, b);
}
Term operator/(const Term& a, const Term& b) { return is(b, 1) ? a : made(TermOp::divide, a, b); }
Term operator%(const Term& a, const Term& b) { return is(b, 1) ? Term(0) : made(TermOp::modulo, a, b); }
Term operator!(const Term& a) { return made(TermOp::negation, a, a); }

namespace terms {

Term bit_xor(const Term& a, const Term& b) { return made(TermOp::bit_xor, a, b); }
Term bits(const Term& x) { return made(TermOp::bits, x, x); }
Term ones(const Term& x) { return made(TermOp::ones, x, x); }
Term apex(const Term& a, const Term& b, const Term& base) { return {TermOp::apex, {a, b, base}}; }
Term power(const Term& base, const Term& exponent) { return made(TermOp::power, base, exponent); }
Term minimum(const Term& a, const Term& b) { return made(TermOp::minimum, a, b); }
Term maximum(const Term& a, const Term& b) { return made(TermOp::maximum, a, b); }

Term equal(const Term& a, const Term& b) { return made(TermOp::equal, a, b); }
Term less(const Term& a, const Term& b) { return made(TermOp::less, a, b); }
Term at_most(const Term& a, const Term& b) { return !less(b, a); }
Term both(const Term& a, const Term& b) {
  if (is(a, 1)) return b;
  return is(b, 1) ? a : made(TermOp::conjunction, a, b);
}
Term either(const Term& a, const Term& b) { return !both(!a, !b); }
Term conditional(const Term& condition, const Term& then, const Term& otherwise) {
  if (condition.op() == TermOp::number) return condition.number() != 0 ? then : otherwise;
  return {TermOp::conditional, {condition, then, otherwise}};
}

}  // namespace terms

std::int64_t evaluate(const Term& term, const TermValues& values) {
  const auto operand = [&](std::size_t i) { return evaluate(term.operands()[i], values); };
  switch (term.op()) {
    case TermOp::number:
      return term.number();
    case TermOp::parameter:
      return values.parameters.at(static_cast<std::size_t>(term.number()));
    case TermOp::source:
      return values.source;
    case TermOp::target:
      return values.target;
    case TermOp::index:
      return values.index;
    case TermOp::conditional:
      return operand(operand(0) != 0 ? 1 : 2);
    case TermOp::apex:
      return apex_of(operand(0), operand(1), operand(2));
    default:
      return applied(term.op(), operand(0), term.operands().size() > 1 ? operand(1) : 0);
  }
}

namespace {

std::string in_words(TermOp op) {
  switch (op) {
    case TermOp::add:
      return "+";
    case TermOp::subtract:
      return "-";
    case TermOp::multiply:
      return "*";
    case TermOp::divide:
      return "div";
    case TermOp::modulo:
      return "mod";
    case TermOp::bit_xor:
      return "xor";
    case TermOp::bits:
      return "bits";
    case TermOp::ones:
      return "ones";
    case TermOp::power:
      return "^";
    case TermOp::minimum:
      return "min";
    case TermOp::maximum:
      return "max";
    case TermOp::equal:
      return "==";
    case TermOp::less:
      return "<";
    case TermOp::negation:
      return "not";
    case TermOp::conjunction:
      return "and";
    default:
      return "?";
  }
}

// `inside`: of another operation, so in brackets.
std::string written(const Term& term, const std::vector<std::string>& parameters, bool inside) {
  const auto operand = [&](std::size_t i) { return written(term.operands()[i], parameters, true); };
  const auto number = static_cast<std::size_t>(term.number());
  switch (term.op()) {
    case TermOp::number:
      return std::to_string(term.number());
    case TermOp::parameter:
      return number < parameters.size() ? parameters[number] : fmt::format("p{}", number);
    case TermOp::source:
      return "s";
    case TermOp::target:
      return "t";
    case TermOp::index:
      return "i";
    case TermOp::bits:
    case TermOp::ones:
    case TermOp::negation:
      return fmt::format("{}({})", in_words(term.op()), written(term.operands()[0], parameters, false));
    case TermOp::apex:
      return fmt::format("apex({}, {}, {})", operand(0), operand(1), operand(2));
    case TermOp::conditional: {
      const std::string text = fmt::format("if {} then {} else {}", operand(0), operand(1), operand(2));
      return inside ? fmt::format("({})", text) : text;
    }
    default: {
      const std::string text = fmt::format("{} {} {}", operand(0), in_words(term.op()), operand(1));
      return inside ? fmt::format("({})", text) : text;
    }
  }
}

}  // namespace

std::string to_string(const Term& term, const std::vector<std::string>& parameters) {
  return written(term, parameters, false);
}

}  // namespace quadrille
