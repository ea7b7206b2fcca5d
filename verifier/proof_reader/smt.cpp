// Expressions as SMT-LIB 2: every operation has its counterpart there. Quotients and remainders agree where the divisor
// is positive, and that it is, every question asks, too (leaf.h).
#include <fmt/format.h>

#include <limits>
#include <string_view>

#include "verifier/proof_reader/expression.h"

namespace quadrille::proof_reader {
namespace {

std::string_view name_of(Op op, bool as_smt) {
  switch (op) {
    case Op::power:
      return as_smt ? "power.of.two" : "pow2";
    case Op::digits:
      return as_smt ? "digits.of" : "bits";
    case Op::lowest:
      return as_smt ? "lowest.of" : "lowest";
    case Op::xor_of:
      return as_smt ? "xor.of" : "xor";
    case Op::add:
      return "+";
    case Op::multiply:
      return "*";
    case Op::divide:
      return "div";
    case Op::modulo:
      return "mod";
    case Op::choice:
      return "ite";
    case Op::equal:
      return "=";
    case Op::at_least:
      return ">=";
    case Op::negation:
      return "not";
    case Op::conjunction:
      return "and";
    default:
      return "or";
  }
}

// There are no negative numerals.
std::string numeral(std::int64_t number) {
  if (number >= 0) return std::to_string(number);
  return fmt::format("(- {})", 0 - static_cast<std::uint64_t>(number));
}

void write(const CoreExpression& x, bool as_smt, std::string& text) {
  if (x.op() == Op::number) {
    text += as_smt ? numeral(x.number()) : std::to_string(x.number());
  } else if (x.op() == Op::truth) {
    text += x.number() != 0 ? "true" : "false";
  } else if (x.op() == Op::variable) {
    text += (as_smt ? "v." : "") + x.name();  // so that no name is one of SMT-LIB's own
  } else if (as_smt && x.operands().size() == 1 &&
             (x.op() == Op::add || x.op() == Op::multiply || x.op() == Op::conjunction || x.op() == Op::disjunction)) {
    write(x.operands()[0], as_smt, text);
  } else {
    text += '(';
    text += name_of(x.op(), as_smt);
    for (const CoreExpression& each : x.operands()) {
      text += ' ';
      write(each, as_smt, text);
    }
    text += ')';
  }
}

}  // namespace

std::string smt(const CoreExpression& x) {
  std::string text;
  write(x, true, text);
  return text;
}

std::string plain(const CoreExpression& x) {
  std::string text;
  write(x, false, text);
  return text;
}

bool is_nonlinear(const CoreExpression& x) {
  std::size_t variable = 0;  // operands that are no numbers
  for (const CoreExpression& each : x.operands()) {
    if (is_nonlinear(each)) return true;
    if (each.op() != Op::number) ++variable;
  }
  if (x.op() == Op::multiply) return variable > 1;
  const bool divides = x.op() == Op::divide || x.op() == Op::modulo;
  return divides && x.operands()[1].op() != Op::number;
}

}  // namespace quadrille::proof_reader
