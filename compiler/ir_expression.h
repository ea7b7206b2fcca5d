// These expressions have every name resolved and every type known. Each kind of node, and each kind of index, is a type
// of its own.
//
// For example, `2*h + 1`, h being the first variable of its frame, is
//   Binary{add, Binary{multiply, Literal{2}, VariableUse{VariableId(0)}}, Literal{1}}
//
// Evaluators visit Expression::node: evaluate.h for one size, verifier/prover/problem/expressions.h for every size.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "compiler/box.h"
#include "model/ids.h"
#include "model/text/source.h"

namespace quadrille::ir {

using VariableId = Id<struct VariableTag, std::uint32_t>;    // of a frame: Frame::variables; also its slot there
using ParameterId = Id<struct ParameterTag, std::uint32_t>;  // Schedule::parameters, numbers and patterns
using ConstantId = Id<struct ConstantTag, std::uint32_t>;    // Schedule::constants
using FunctionId = Id<struct FunctionTag, std::uint32_t>;    // Schedule::functions
using ProcedureId = Id<struct ProcedureTag, std::uint32_t>;  // Schedule::procedures

// Nodes and integers are different types; a conversion between them is an operation of its own (ToNode, ToInteger).
enum class Type : std::uint8_t { integer, boolean, node, integer_set, node_set, procedure };
std::string_view to_string(Type type);
constexpr bool is_set(Type type) { return type == Type::integer_set || type == Type::node_set; }

enum class UnaryOperator : std::uint8_t { negate, logical_not };

enum class BinaryOperator : std::uint8_t {
  // of truth values; the first two do not look at their right side if the left one settles them
  logical_or,
  logical_and,
  logical_xor,
  // of numbers
  bit_or,
  bit_xor,
  bit_and,
  equal,  // this and the next also of nodes and truth values
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

enum class Builtin : std::uint8_t {
  processor_count,
  processors,
  all,
  levels,
  switches,
  switch_at,
  parent,
  level,
  neighbours,
  leaves,
  lca,
  distance,
  capacity_at,
  log2,
  ceil_div,
  sqrt,
  reverse_bits,
  gcd,
  abs,
  min,
  max,
  size,
  in_rounds,
  parts,
  steps,
  messages,
  rows,
  max_queue,
  max_buffer,
  rounds,
  volume,
  load,
  hops  // this and the eight before: claims only
};

enum class FoldKind : std::uint8_t { sum, min, max, count, all, any };

struct Expression;
struct Iteration;

// A number, a node's number, or a truth value (0 or 1).
struct Literal {
  std::int64_t value = 0;
};
struct VariableUse {
  VariableId variable;
};
// The node of that name, followed by [i] for each index: leaf[2].
struct NodeNamed {
  std::string name;
  std::vector<Expression> indices;
};
// A number parameter; patterns are only called.
struct ParameterUse {
  ParameterId parameter;
};
struct ConstantUse {
  ConstantId constant;
};
// A procedure, as an argument.
struct ProcedureUse {
  ProcedureId procedure;
};
struct Unary {
  UnaryOperator op = UnaryOperator::negate;
  Box<Expression> operand;
};
struct Binary {
  BinaryOperator op = BinaryOperator::add;
  Box<Expression> left, right;
};
struct Conditional {
  Box<Expression> condition, then, otherwise;
};
struct FunctionCall {
  FunctionId function;
  std::vector<Expression> arguments;
};
// The value of a pattern parameter.
struct PatternCall {
  ParameterId pattern;
  Box<Expression> level;  // from 1
};
struct BuiltinCall {
  Builtin builtin = Builtin::processor_count;
  std::vector<Expression> arguments;
};
// The processor of that number, or the set of them; one out of range is the user's mistake.
struct ToNode {
  Box<Expression> operand;
};
// The processor's number, or the set of them; a switch is the user's mistake.
struct ToInteger {
  Box<Expression> operand;
};
// From the first to the last, in steps of 1 or of -1; empty if they are in the other order.
struct Range {
  bool down = false;
  Box<Expression> first, last;
};
struct SetLiteral {
  std::vector<Expression> elements;
};
struct Comprehension {
  Box<Iteration> each;
};
struct Fold {
  FoldKind kind = FoldKind::sum;
  Box<Iteration> each;
};

struct Expression {
  std::variant<Literal, VariableUse, NodeNamed, ParameterUse, ConstantUse, ProcedureUse, Unary, Binary, Conditional,
               FunctionCall, PatternCall, BuiltinCall, ToNode, ToInteger, Range, SetLiteral, Comprehension, Fold>
      node;
  Type type = Type::integer;
  Span span;
};

// `name in set`: the variable takes each of the set's values.
struct Binding {
  std::string name;
  VariableId variable;
  Expression set;
};

// The values of `element` for all values of the bindings with which the condition holds.
struct Iteration {
  std::vector<Binding> bindings;
  Expression element;
  std::optional<Expression> condition;
};

// Calls visit(part) for the direct parts of `node`, or of an expression's node, but not for the parts of these.
template <class Node, class Visit>
void for_each_part(Node& node, const Visit& visit) {
  using Kind = std::remove_const_t<Node>;
  if constexpr (std::is_same_v<Kind, Expression>) {
    std::visit([&](auto& inner) { for_each_part(inner, visit); }, node.node);
  } else if constexpr (std::is_same_v<Kind, Unary> || std::is_same_v<Kind, ToNode> || std::is_same_v<Kind, ToInteger>) {
    visit(*node.operand);
  } else if constexpr (std::is_same_v<Kind, Binary>) {
    visit(*node.left), visit(*node.right);
  } else if constexpr (std::is_same_v<Kind, Conditional>) {
    visit(*node.condition), visit(*node.then), visit(*node.otherwise);
  } else if constexpr (std::is_same_v<Kind, FunctionCall> || std::is_same_v<Kind, BuiltinCall>) {
    for (auto& argument : node.arguments) visit(argument);
  } else if constexpr (std::is_same_v<Kind, NodeNamed>) {
    for (auto& index : node.indices) visit(index);
  } else if constexpr (std::is_same_v<Kind, PatternCall>) {
    visit(*node.level);
  } else if constexpr (std::is_same_v<Kind, Range>) {
    visit(*node.first), visit(*node.last);
  } else if constexpr (std::is_same_v<Kind, SetLiteral>) {
    for (auto& element : node.elements) visit(element);
  } else if constexpr (std::is_same_v<Kind, Comprehension> || std::is_same_v<Kind, Fold>) {
    for (auto& binding : node.each->bindings) visit(binding.set);
    visit(node.each->element);
    if (node.each->condition) visit(*node.each->condition);
  }
}

// Whether `holds` is true of the expression or of any of its parts, at any depth.
template <class Predicate>
bool any_part(const Expression& e, const Predicate& holds) {
  if (holds(e)) return true;
  bool found = false;
  for_each_part(e, [&](const Expression& part) { found = found || any_part(part, holds); });
  return found;
}

// Whether the expression itself, and not only one of its parts, binds variables.
inline bool binds(const Expression& e) {
  return std::holds_alternative<Comprehension>(e.node) || std::holds_alternative<Fold>(e.node);
}

}  // namespace quadrille::ir
