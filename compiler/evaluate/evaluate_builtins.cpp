// The functions that the language brings along (builtins.h), evaluated.
//
// Functions of numbers are arithmetic. Functions of the fabric ask the topology or the router: on a complete binary
// tree of two levels, `parent(0)` is switch(1, 0), `lca(0, 3)` is switch(2, 0) and `distance(0, 3)` is 4. Functions of
// the table (`steps`, `rows`, …) are known to claims only, once the table has been read. Cost: constant, but for
// `parent` (the node's channels), `capacity_at` (the fabric's channels), `size` of a set that is no range (its
// elements) and the topology's cost of a route.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <boost/multiprecision/cpp_int.hpp>
#include <compare>
#include <numeric>
#include <optional>

#include "compiler/evaluate/arithmetic.h"
#include "compiler/evaluate/evaluate.h"
#include "compiler/ir.h"
#include "model/described.h"
#include "model/terms/fraction.h"

namespace quadrille {
namespace {

// --- exact numbers -------------------------------------------------------------------------------------------------

// The load is compared with exact values, in which quotients are fractions.
//
// Exact values are worked out from the leaves up, as rational numbers.
//
// For example, 7/2 - 1/3 is 19/6, where the evaluator of whole numbers has 3 - 0. Cost: an operation on numbers of 4096
// bits at most for each of the expression.

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

// Compares the fraction with the value of an integer expression, read exactly: in what is written with + - * / ^ mod,
// `if`, folds, min, max and abs no quotient is rounded, nor in the comparisons of its conditions. What a name, another
// function or operator gives is whole, and so are the latter's arguments. Errors: those of Evaluator::value; a value of
// more than 4096 bits (Code::limit).
std::strong_ordering compared(const Fraction& fraction, const ir::Expression& e, Evaluator& evaluator,
                              Evaluator::Slot* frame) {
  const Ratio own(fraction.numerator(), fraction.denominator());
  return own.compare(ExactEvaluator(evaluator, frame).value(e)) <=> 0;
}

}  // namespace

using ir::Builtin;

Evaluator::Slot Evaluator::value_of(const ir::BuiltinCall& node, const ir::Expression& e, Slot* frame) {
  const auto argument = [&](std::size_t i) { return value(node.arguments[i], frame); };
  switch (node.builtin) {
    case Builtin::processor_count:
      return processors(e.span);
    case Builtin::levels:
      return fabric(e.span).levels();
    case Builtin::processors:
    case Builtin::all:
    case Builtin::parts:
    case Builtin::switches:
    case Builtin::neighbours:
    case Builtin::leaves:
      return keep_set(e, frame);
    case Builtin::log2: {
      const std::int64_t x = argument(0);
      if (x < 1) fail(e.span, fmt::format("log2 of {}; expected at least 1", x), Code::value);
      return static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(x))) - 1;
    }
    case Builtin::ceil_div:
      return checked_ceil_divide(argument(0), argument(1), e.span);
    case Builtin::sqrt:
      return checked_square_root(argument(0), e.span);
    case Builtin::reverse_bits:
      return checked_reverse_bits(argument(0), argument(1), e.span);
    case Builtin::gcd: {
      const std::int64_t a = argument(0);
      const std::int64_t b = argument(1);
      if (a < 0 || b < 0) fail(e.span, fmt::format("gcd of {} and {}; expected no negative number", a, b), Code::value);
      return std::gcd(a, b);
    }
    case Builtin::abs: {
      const std::int64_t x = argument(0);
      return x < 0 ? checked_subtract(0, x, e.span) : x;
    }
    case Builtin::min:
    case Builtin::max:
      return least_or_greatest(node, frame);
    case Builtin::size: {
      if (const auto range = progression(node.arguments[0], frame)) return static_cast<std::int64_t>(range->count);
      std::vector<std::int64_t> elements;
      collect(node.arguments[0], frame, elements);
      return static_cast<std::int64_t>(elements.size());
    }
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
      return compared_load(node, e.span, frame);
    case Builtin::in_rounds:
      return fabric(e.span).in_rounds() ? 1 : 0;
    default:
      return of_fabric(node, e.span, frame);
  }
}

std::int64_t Evaluator::least_or_greatest(const ir::BuiltinCall& call, Slot* frame) {
  std::int64_t best = value(call.arguments[0], frame);
  for (std::size_t i = 1; i < call.arguments.size(); ++i) {
    const std::int64_t x = value(call.arguments[i], frame);
    best = call.builtin == Builtin::min ? std::min(best, x) : std::max(best, x);
  }
  return best;
}

std::int64_t Evaluator::measure(Builtin builtin, Span span) const {
  const Measured& measured = instance_.measured.value();
  const auto of_rounds = [&](std::optional<std::int64_t> number) {
    if (!number) fail(span, "this is measured in rounds: it needs a fabric with `timing: rounds`", Code::invalid);
    return *number;
  };
  switch (builtin) {
    case Builtin::steps:
      return measured.steps;
    case Builtin::messages:
      return measured.messages;
    case Builtin::rows:
      return measured.rows;
    case Builtin::rounds:
      return of_rounds(measured.volume ? std::optional(measured.steps) : std::nullopt);
    case Builtin::volume:
      return of_rounds(measured.volume);
    case Builtin::hops:
      return of_rounds(measured.hops);
    case Builtin::max_buffer:
      if (!measured.max_buffer) fail(span, "max_buffer has not been measured", Code::limit);
      return *measured.max_buffer;
    default:
      return measured.max_queue;
  }
}

// -1, 0 or 1: the load is less than the argument, it, or more.
std::int64_t Evaluator::compared_load(const ir::BuiltinCall& call, Span span, Slot* frame) {
  const auto& load = instance_.measured.value().load;
  if (!load) fail(span, "the load is measured on shared paths, as far as 64 bits are enough for it", Code::invalid);
  const auto order = compared(*load, call.arguments[0], *this, frame);
  return order < 0 ? -1 : order > 0 ? 1 : 0;
}

std::int64_t Evaluator::of_fabric(const ir::BuiltinCall& call, Span span, Slot* frame) {
  const Fabric& on = fabric(span);
  const auto argument = [&](std::size_t i) { return value(call.arguments[i], frame); };
  const auto node = [&](std::size_t i) { return NodeId(static_cast<std::uint32_t>(argument(i))); };
  switch (call.builtin) {
    case Builtin::switch_at: {
      const std::int64_t level = argument(0);
      const std::int64_t j = argument(1);
      const bool sane = level >= 0 && level <= on.levels() && j >= 0;
      const auto found =
          sane ? on.switch_at(static_cast<std::uint32_t>(level), static_cast<std::uint64_t>(j)) : std::nullopt;
      if (!found) fail(span, fmt::format("there is no switch {}.{} in {}", level, j, described(on)), Code::name);
      return found->value;
    }
    case Builtin::parent:
      return parent(node(0), span).value;
    case Builtin::level:
      return on.level(node(0));
    case Builtin::lca: {
      const NodeId a = node(0);
      const auto found = instance_.router->lowest_common_ancestor(a, node(1));
      if (!found)
        fail(span, fmt::format("there are no common ancestors in {}; it is not a tree", described(on)), Code::route);
      return found->value;
    }
    case Builtin::distance: {
      const NodeId a = node(0);
      const NodeId b = node(1);
      const auto found = instance_.router->distance(a, b);
      if (!found) fail(span, fmt::format("there is no route from {} to {}", on.name(a), on.name(b)), Code::route);
      return *found;
    }
    case Builtin::capacity_at:
      return capacity_at(argument(0), span);
    default:
      fail(span, "internal: unknown builtin", Code::internal);
  }
}

std::uint32_t Evaluator::parts(Span span) const {
  if (instance_.parts == 0) fail(span, "the collective's parts are not known here", Code::value);
  return instance_.parts;
}

NodeId Evaluator::parent(NodeId child, Span span) const {
  const Fabric& on = fabric(span);
  for (const ChannelId channel : on.channels_from(child)) {
    const NodeId up = on.channel(channel).to;
    if (on.level(up) > on.level(child)) return up;
  }
  fail(span, fmt::format("node {} has no parent", on.name(child)), Code::route);
}

std::int64_t Evaluator::capacity_at(std::int64_t level, Span span) const {
  const Fabric& on = fabric(span);
  for (const Channel& channel : on.all_channels()) {
    if (channel.level == level) return channel.capacity;
    if (!on.lists_channels()) break;  // all are alike
  }
  fail(span, fmt::format("there are no channels of level {} in {}", level, described(on)), Code::range);
}

}  // namespace quadrille
