// Expressions on one line: spaces around the binary operators except `^`, `*`, `/` and `..`. An exponent, and the ends
// of a `..` range, have none around `+` and `-` either (`0..2^(h-1)-1`), if nothing in them is written with words; a
// range of which an end has words is spaced (`k mod 2 .. k`).
#include "dsl/format_expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <variant>

#include "dsl/format.h"
#include "dsl/operators.h"

namespace quadrille::layout {
namespace {

Tightness tightness_of(const ast::Expression& expression) {
  if (const auto* binary = std::get_if<ast::Binary>(&expression.node)) return infix_operator(binary->op).tightness;
  if (const auto* unary = std::get_if<ast::Unary>(&expression.node)) {
    return unary->op == ast::UnaryOperator::negate ? Tightness::negation : Tightness::not_;
  }
  if (std::holds_alternative<ast::Range>(expression.node)) return Tightness::range;
  if (std::holds_alternative<ast::Conditional>(expression.node)) return Tightness::conditional;
  return Tightness::primary;
}

bool can_be_dense(const ast::Expression& expression);

// What can be written without spaces: names, numbers, `+ - * / ^`, and calls with such arguments.
struct CanBeDense {
  bool operator()(const ast::IntegerLiteral&) const { return true; }
  bool operator()(const ast::NameUse&) const { return true; }
  bool operator()(const ast::NodeUse& use) const {
    return std::all_of(use.indices.begin(), use.indices.end(), can_be_dense);
  }
  bool operator()(const ast::Unary& unary) const {
    return unary.op == ast::UnaryOperator::negate && can_be_dense(*unary.operand);
  }
  bool operator()(const ast::Binary& binary) const {
    const InfixOperator& op = infix_operator(binary.op);
    return !op.is_word() && op.tightness >= Tightness::sum && can_be_dense(*binary.left) && can_be_dense(*binary.right);
  }
  bool operator()(const ast::CallExpression& call) const {
    return std::all_of(call.arguments.begin(), call.arguments.end(), can_be_dense);
  }
  template <class Other>
  bool operator()(const Other&) const {
    return false;
  }
};

bool can_be_dense(const ast::Expression& expression) { return std::visit(CanBeDense{}, expression.node); }

class ExpressionPrinter {
 public:
  explicit ExpressionPrinter(std::string& out) : out_(out) {}

  // In parentheses if it binds more loosely than `least`. `dense`: no spaces around signs (requires that it can be).
  void print(const ast::Expression& expression, Tightness least, bool dense) {
    const bool parentheses = tightness_of(expression) < least;
    if (parentheses) out_ += '(';
    std::visit([&](const auto& node) { print_node(node, dense); }, expression.node);
    if (parentheses) out_ += ')';
  }

  void list(const std::vector<ast::Expression>& expressions, bool dense = false) {
    std::string_view separator;
    for (const ast::Expression& expression : expressions) {
      out_ += separator;
      print(expression, Tightness::conditional, dense);
      separator = ", ";
    }
  }

  void bindings(const std::vector<ast::Binding>& bindings) {
    std::string_view separator;
    for (const ast::Binding& binding : bindings) {
      fmt::format_to(std::back_inserter(out_), "{}{} in ", separator, binding.variable.text);
      print(*binding.set, Tightness::conditional, false);
      separator = ", ";
    }
  }

 private:
  void print_node(const ast::IntegerLiteral& literal, bool) { out_ += fmt::to_string(literal.value); }
  void print_node(const ast::BoolLiteral& literal, bool) { out_ += literal.value ? "true" : "false"; }
  void print_node(const ast::NameUse& use, bool) { out_ += use.name; }

  void print_node(const ast::NodeUse& use, bool dense) {
    out_ += use.quoted ? '"' + use.name.text + '"' : use.name.text;
    for (const ast::Expression& index : use.indices) {
      out_ += '[';
      print(index, Tightness::conditional, dense);
      out_ += ']';
    }
  }

  void print_node(const ast::Unary& unary, bool dense) {
    const bool negation = unary.op == ast::UnaryOperator::negate;
    out_ += negation ? "-" : "not ";
    print(*unary.operand, negation ? Tightness::negation : Tightness::not_, dense);
  }

  void print_node(const ast::Binary& binary, bool dense) {
    const InfixOperator& op = infix_operator(binary.op);
    const bool power = op.tightness == Tightness::power;
    print(*binary.left, op.least_on_left(), dense);
    // Tight operators stand without spaces, so that precedence can be seen: 2*k + 1.
    const bool joined = dense || power || op.spelling == "*" || op.spelling == "/";
    put_operator(op, !joined);
    print(*binary.right, op.least_on_right(), dense || (power && can_be_dense(*binary.right)));
  }

  void print_node(const ast::Range& range, bool) {
    const InfixOperator& op = range_operator(range.descending);
    const bool dense = !op.is_word() && can_be_dense(*range.from) && can_be_dense(*range.to);
    print(*range.from, op.least_on_left(), dense);
    put_operator(op, !dense);
    print(*range.to, op.least_on_right(), dense);
  }

  void put_operator(const InfixOperator& op, bool spaces) {
    const std::string_view space = spaces ? " " : "";
    fmt::format_to(std::back_inserter(out_), "{0}{1}{0}", space, op.spelling);
  }

  void print_node(const ast::Conditional& conditional, bool) {
    out_ += "if ";
    print(*conditional.condition, Tightness::conditional, false);
    out_ += " then ";
    print(*conditional.then, Tightness::conditional, false);
    out_ += " else ";
    print(*conditional.otherwise, Tightness::conditional, false);
  }

  void print_node(const ast::CallExpression& call, bool dense) {
    out_ += call.callee.text + '(';
    list(call.arguments, dense);
    out_ += ')';
  }

  void print_node(const ast::SetLiteral& set, bool) {
    out_ += '{';
    list(set.elements);
    out_ += '}';
  }

  void print_node(const ast::SetComprehension& set, bool) {
    out_ += '{';
    comprehension(set);
    out_ += '}';
  }

  void print_node(const ast::Fold& fold, bool) {
    out_ += fold.function.text + '(';
    comprehension(fold);
    out_ += ')';
  }

  template <class Node>
  void comprehension(const Node& node) {
    print(*node.element, Tightness::conditional, false);
    out_ += " for ";
    bindings(node.bindings);
    if (!node.condition) return;
    out_ += " if ";
    print(*node.condition, Tightness::conditional, false);
  }

  std::string& out_;
};

}  // namespace

void append(std::string& out, const ast::Expression& expression) {
  ExpressionPrinter(out).print(expression, Tightness::conditional, false);
}

void append_clause(std::string& out, std::string_view keyword, const ast::ExpressionPtr& expression) {
  if (!expression) return;
  out += keyword;
  append(out, *expression);
}

void append_list(std::string& out, const std::vector<ast::Expression>& expressions) {
  ExpressionPrinter(out).list(expressions);
}

void append_bindings(std::string& out, const std::vector<ast::Binding>& bindings) {
  ExpressionPrinter(out).bindings(bindings);
}

}  // namespace quadrille::layout

namespace quadrille {

std::string format(const ast::Expression& expression) {
  std::string text;
  layout::append(text, expression);
  return text;
}

}  // namespace quadrille
