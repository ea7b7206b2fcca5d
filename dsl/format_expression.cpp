// Expressions on one line: spaces around binary operators except `^` and `..`; in an exponent and in the ends of a `..`
// range, none around operators written as signs either (`0..2^(h-1)-1`).
#include "dsl/format_expression.h"

#include <fmt/format.h>

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

class ExpressionPrinter {
 public:
  explicit ExpressionPrinter(std::string& out) : out_(out) {}

  // In parentheses if it binds more loosely than `least`. `dense`: no spaces around signs.
  void print(const ast::Expression& expression, Tightness least, bool dense) {
    const bool parentheses = tightness_of(expression) < least;
    if (parentheses) out_ += '(';
    std::visit([&](const auto& node) { print_node(node, dense); }, expression.node);
    if (parentheses) out_ += ')';
  }

  void list(const std::vector<ast::Expression>& expressions) {
    std::string_view separator;
    for (const ast::Expression& expression : expressions) {
      out_ += separator;
      print(expression, Tightness::conditional, false);
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

  void print_node(const ast::Unary& unary, bool dense) {
    const bool negation = unary.op == ast::UnaryOperator::negate;
    out_ += negation ? "-" : "not ";
    print(*unary.operand, negation ? Tightness::negation : Tightness::not_, dense);
  }

  void print_node(const ast::Binary& binary, bool dense) {
    infix(infix_operator(binary.op), *binary.left, *binary.right, dense);
  }

  void print_node(const ast::Range& range, bool dense) {
    infix(range_operator(range.descending), *range.from, *range.to, dense);
  }

  void infix(const InfixOperator& op, const ast::Expression& left, const ast::Expression& right, bool dense) {
    const bool power = op.tightness == Tightness::power;
    const bool joined = power || op.spelling == "..";
    print(left, op.least_on_left(), dense || (joined && !power));
    const bool spaces = !joined && (op.is_word() || !dense);
    const std::string_view space = spaces ? " " : "";
    fmt::format_to(std::back_inserter(out_), "{0}{1}{0}", space, op.spelling);
    print(right, op.least_on_right(), dense || joined);
  }

  void print_node(const ast::Conditional& conditional, bool) {
    out_ += "if ";
    print(*conditional.condition, Tightness::conditional, false);
    out_ += " then ";
    print(*conditional.then, Tightness::conditional, false);
    out_ += " else ";
    print(*conditional.otherwise, Tightness::conditional, false);
  }

  void print_node(const ast::CallExpression& call, bool) {
    out_ += call.callee.text + '(';
    list(call.arguments);
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
