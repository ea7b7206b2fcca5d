// Exact values are worked out from the leaves up, as rational numbers.
//
// For example, 7/2 - 1/3 is 19/6, where the evaluator of whole numbers has 3 - 0. Cost: an operation on numbers of 4096
// bits at most for each of the expression.
#include "compiler/evaluate/exact.h"

#include <boost/multiprecision/cpp_int.hpp>
#include <optional>

#include "compiler/evaluate/arithmetic.h"

namespace quadrille {
namespace {

using enum ir::BinaryOperator;
using Ratio = boost::multiprecision::cpp_rational;
using Whole = boost::multiprecision::cpp_int;

constexpr unsigned most_bits = 4096;

Ratio small(const Ratio& value, Span span) {
  const auto bits = [](const Whole& it) { return it == 0 ? 0 : msb(abs(it)); };
  if (bits(numerator(value)) < most_bits && bits(denominator(value)) < most_bits) return value;
  fail(span, fmt::format("a fraction of more than {} bits", most_bits), Code::limit);
}

Ratio quotient(const Ratio& a, const Ratio& b, Span span) {
  if (b == 0) fail(span, "division by zero", Code::value);
  return a / b;
}

Whole rounded_down(const Ratio& value) {
  Whole whole, rest;
  divide_qr(numerator(value), denominator(value), whole, rest);
  return rest < 0 ? Whole(whole - 1) : whole;
}

class ExactEvaluator {
 public:
  ExactEvaluator(Evaluator& evaluator, Evaluator::Slot* frame) : evaluator_(evaluator), frame_(frame) {}

  Ratio value(const ir::Expression& e) {
    evaluator_.guard_depth(e.span);
    return small(std::visit([&](const auto& node) { return value_of(node, e); }, e.node), e.span);
  }

 private:
  bool truth(const ir::Expression& e) {
    if (const auto* fold = std::get_if<ir::Fold>(&e.node)) return truth_of_all(*fold, fold->kind == ir::FoldKind::all);
    if (const auto* unary = std::get_if<ir::Unary>(&e.node)) return !truth(*unary->operand);
    const auto* binary = std::get_if<ir::Binary>(&e.node);
    if (binary == nullptr || (binary->left->type != ir::Type::integer && binary->left->type != ir::Type::boolean))
      return evaluator_.truth(e, frame_);
    if (binary->op == logical_or) return truth(*binary->left) || truth(*binary->right);
    if (binary->op == logical_and) return truth(*binary->left) && truth(*binary->right);
    if (binary->left->type == ir::Type::boolean)
      return (truth(*binary->left) == truth(*binary->right)) == (binary->op == equal);  // else xor, or not equal
    return holds(binary->op, value(*binary->left).compare(value(*binary->right)));
  }

  static bool holds(ir::BinaryOperator op, int order) {
    if (op == equal || op == not_equal) return (order == 0) == (op == equal);
    return op == less ? order < 0 : op == less_equal ? order <= 0 : op == greater ? order > 0 : order >= 0;
  }

  // Whether all of the fold's elements hold, or, if not `all`, any.
  bool truth_of_all(const ir::Fold& node, bool all) {
    bool result = all;
    evaluator_.for_each(node.each->bindings, frame_, [&] {
      if (node.each->condition && !truth(*node.each->condition)) return;
      if (truth(node.each->element) != all) result = !all;
    });
    return result;
  }

  Ratio whole(const ir::Expression& e) { return evaluator_.value(e, frame_); }

  template <class Node>
  Ratio value_of(const Node&, const ir::Expression& e) {
    return whole(e);
  }

  Ratio value_of(const ir::Unary& node, const ir::Expression&) { return -value(*node.operand); }

  Ratio value_of(const ir::Conditional& node, const ir::Expression&) {
    return value(truth(*node.condition) ? *node.then : *node.otherwise);
  }

  Ratio value_of(const ir::Binary& node, const ir::Expression& e) {
    const bool exact = node.op == add || node.op == subtract || node.op == multiply || node.op == divide ||
                       node.op == modulo || node.op == power;
    if (!exact) return whole(e);
    const Ratio a = value(*node.left);
    if (node.op == power) return powered(a, evaluator_.value(*node.right, frame_), e.span);
    const Ratio b = value(*node.right);
    if (node.op == add) return a + b;
    if (node.op == subtract) return a - b;
    if (node.op == multiply) return a * b;
    const Ratio parts = quotient(a, b, e.span);
    return node.op == divide ? parts : Ratio(a - b * Ratio(rounded_down(parts)));
  }

  static Ratio powered(const Ratio& base, std::int64_t exponent, Span span) {
    if (exponent < 0 || exponent > most_bits) checked_power(2, exponent, span);  // says what is wrong
    Ratio result = 1;
    for (std::int64_t i = 0; i < exponent; ++i) result = small(result * base, span);
    return result;
  }

  Ratio value_of(const ir::BuiltinCall& node, const ir::Expression& e) {
    if (node.builtin == ir::Builtin::abs) return abs(value(node.arguments[0]));
    if (node.builtin != ir::Builtin::min && node.builtin != ir::Builtin::max) return whole(e);
    std::optional<Ratio> best;
    for (const ir::Expression& argument : node.arguments)
      keep_best(best, value(argument), node.builtin == ir::Builtin::min);
    return *best;
  }

  static void keep_best(std::optional<Ratio>& best, const Ratio& x, bool least) {
    if (!best || (least ? x < *best : *best < x)) best = x;
  }

  Ratio value_of(const ir::Fold& node, const ir::Expression& e) {
    using enum ir::FoldKind;
    std::optional<Ratio> result;
    if (node.kind == sum || node.kind == count) result = Ratio(0);
    evaluator_.for_each(node.each->bindings, frame_, [&] {
      if (node.each->condition && !truth(*node.each->condition)) return;
      if (node.kind == count) {
        *result += truth(node.each->element) ? 1 : 0;
      } else if (node.kind == sum) {
        result = small(*result + value(node.each->element), e.span);
      } else {
        keep_best(result, value(node.each->element), node.kind == min);
      }
    });
    if (!result) fail(e.span, "the least or greatest of nothing; the set is empty here", Code::value);
    return *result;
  }

  Evaluator& evaluator_;
  Evaluator::Slot* frame_;
};

}  // namespace

std::strong_ordering compared(const Fraction& fraction, const ir::Expression& e, Evaluator& evaluator,
                              Evaluator::Slot* frame) {
  const Ratio own(fraction.numerator(), fraction.denominator());
  return own.compare(ExactEvaluator(evaluator, frame).value(e)) <=> 0;
}

}  // namespace quadrille
