// The expressions of the syntax tree, the bindings of loops, and arguments.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/text/source.h"

namespace quadrille::ast {

struct Expression;
using ExpressionPtr = std::unique_ptr<Expression>;

struct Name {
  std::string text;
  Span span;
};

struct IntegerLiteral {
  std::int64_t value = 0;
};
struct BoolLiteral {
  bool value = false;
};
struct NameUse {
  std::string name;
};

// A node by its name: leaf[2], router[g][r], or "spine-1".
struct NodeUse {
  Name name;
  bool quoted = false;
  std::vector<Expression> indices;
};

enum class UnaryOperator : std::uint8_t { negate, logical_not };
struct Unary {
  UnaryOperator op;
  ExpressionPtr operand;
};

enum class BinaryOperator : std::uint8_t {
  or_,
  xor_,
  and_,  // on bits or on truth values, by type
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  shift_left,
  shift_right,
  add,
  subtract,
  multiply,
  divide,
  modulo,
  power
};
struct Binary {
  BinaryOperator op;
  Span op_span;
  ExpressionPtr left, right;
};

struct Conditional {
  ExpressionPtr condition, then, otherwise;
};  // if c then a else b
struct CallExpression {
  Name callee;
  std::vector<Expression> arguments;
};
struct Range {
  ExpressionPtr from, to;
  bool descending = false;
};  // a..b, a downto b
struct SetLiteral {
  std::vector<Expression> elements;
};  // {a, b}

// One `x in set` of a loop or comprehension.
struct Binding {
  Name variable;
  ExpressionPtr set;
};

// {e for x in S, y in R if c}
struct SetComprehension {
  ExpressionPtr element;
  std::vector<Binding> bindings;
  ExpressionPtr condition; /* may be null */
};

// sum(e for x in S), likewise min, max, count, all, any
struct Fold {
  Name function;
  ExpressionPtr element;
  std::vector<Binding> bindings;
  ExpressionPtr condition; /* may be null */
};

struct Expression {
  std::variant<IntegerLiteral, BoolLiteral, NameUse, NodeUse, Unary, Binary, Conditional, CallExpression, Range,
               SetLiteral, SetComprehension, Fold>
      node;
  Span span;
};

// key: e      key(i): e      key(s, t): e      key: word (a NameUse)      or just e (no key)
struct Argument {
  std::optional<Name> key;
  std::optional<Name> variable;
  std::optional<Name> second_variable;
  std::vector<Expression> values;
  Span span;
};

}  // namespace quadrille::ast
