// The infix and prefix operators: how they are written and how tightly they bind. The parser folds by this table and
// the formatter sets parentheses by it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "dsl/ast.h"
#include "model/text/result.h"

namespace quadrille {

// How tightly each kind of expression binds, loosest first.
enum class Tightness : std::uint8_t {
  conditional,
  range,
  or_,
  xor_,
  and_,
  not_,
  comparison,
  shift,
  sum,
  product,
  negation,
  power,
  primary
};

enum class Associativity : std::uint8_t { left, right, none };

// An infix operator. Ranges are written like operators but are nodes of their own: they have no `op`.
struct InfixOperator {
  std::string_view spelling;
  Tightness tightness;
  ast::BinaryOperator op = {};
  bool range = false;
  bool descending = false;

  Associativity associativity() const;
  // How tightly an operand must bind to stand without parentheses. An exponent may be negated: 2^-1.
  Tightness least_on_left() const;
  Tightness least_on_right() const;
  bool is_word() const;
};

std::span<const InfixOperator> infix_operators();
const InfixOperator& infix_operator(ast::BinaryOperator op);
const InfixOperator& range_operator(bool descending);

// --- from a chain to a tree ---------------------------------------------------------------------------------------

struct PrefixUse {
  ast::UnaryOperator op;
  Span span;
};
struct InfixUse {
  const InfixOperator* op;
  Span span;
};

// Operands with their operators as they were read: prefixes, operand, infix, prefixes, operand, …, operand.
using Chain = std::vector<std::variant<ast::Expression, PrefixUse, InfixUse>>;

// The tree of the chain, or an error at an operator that does not fit: a chained comparison or range, or `not` after an
// operator that binds more tightly. Recurses once an operator: the caller limits the chain's length.
Result<ast::Expression> fold(Chain chain);

}  // namespace quadrille
