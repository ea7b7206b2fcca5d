// Idea: every number is carried with its slope and its last step. A comparison lasts until its sides meet, a remainder
// until it wraps, a choice as long as its condition and the branch taken.
//
//   t = 2, k = 5: `k - t` is 3, falls by 1 a step, for ever; `k - t >= 1` is true until step 4
//
// What else depends on the step, a power or a fold, lasts for the step itself. Cost: as an evaluation.
#include "compiler/evaluate/moving.h"

#include <algorithm>
#include <utility>

#include "compiler/evaluate/arithmetic.h"

namespace quadrille {
namespace {

using enum ir::BinaryOperator;

constexpr std::uint32_t deepest = 8;  // calls in calls: what is deeper is remembered by the evaluator instead
constexpr std::int64_t steps_ahead = std::int64_t{1} << 31;

// Whether a number that moves so stays within 62 bits for all steps that there are.
bool small(std::int64_t value, std::int64_t slope) {
  constexpr std::int64_t most = std::int64_t{1} << 61;
  return value < most && value > -most && slope < most / steps_ahead && slope > -(most / steps_ahead);
}

// The last step, from `now` on, before value + slope·d reaches a number above zero, or no longer at most zero.
std::int64_t while_at_most_zero(std::int64_t value, std::int64_t slope, std::int64_t now) {
  return slope <= 0 ? MovingValue::for_ever : now + -value / slope;
}

std::int64_t floor_of(std::int64_t a, std::int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }

}  // namespace

MovingEvaluator::MovingEvaluator(Evaluator& evaluator, std::uint32_t size, ir::VariableId step)
    : evaluator_(evaluator), step_(step.value), drifts_(size) {
  drifts_[step_].slope = 1;
}

bool MovingEvaluator::moves(const ir::Expression& e) const {
  return ir::any_part(e, [&](const ir::Expression& part) {
    const auto* use = std::get_if<ir::VariableUse>(&part.node);
    return use != nullptr && !drift(use->variable).still();
  });
}

MovingValue MovingEvaluator::lasting(const ir::Expression& e, Slot* frame) {
  const MovingValue all = moving(e, frame);
  return all.slope == 0 ? all : MovingValue{all.value, 0, now_};
}

MovingValue MovingEvaluator::moving(const ir::Expression& e, Slot* frame) {
  if (depth_ == 0) now_ = frame[step_];
  if (const auto* node = std::get_if<ir::Binary>(&e.node)) return binary(*node, e, frame);
  if (const auto* use = std::get_if<ir::VariableUse>(&e.node)) {
    const Drift& by = drift(use->variable);
    return {frame[use->variable.value], by.slope, by.until};
  }
  if (const auto* literal = std::get_if<ir::Literal>(&e.node)) return {literal->value, 0, MovingValue::for_ever};
  if (const auto* choice = std::get_if<ir::Conditional>(&e.node)) {
    if (ir::is_set(e.type)) return anything(e, frame);
    const MovingValue condition = lasting(*choice->condition, frame);
    MovingValue result = moving(condition.value != 0 ? *choice->then : *choice->otherwise, frame);
    result.until = std::min(result.until, condition.until);
    return result;
  }
  if (const auto* node = std::get_if<ir::FunctionCall>(&e.node)) return call(*node, e, frame);
  if (const auto* node = std::get_if<ir::Unary>(&e.node)) return unary(*node, e, frame);
  return anything(e, frame);
}

MovingValue MovingEvaluator::anything(const ir::Expression& e, Slot* frame) {
  return {evaluator_.value(e, frame), 0, moves(e) ? now_ : MovingValue::for_ever};
}

MovingValue MovingEvaluator::unary(const ir::Unary& node, const ir::Expression& e, Slot* frame) {
  if (node.op == ir::UnaryOperator::logical_not) {
    const MovingValue of = lasting(*node.operand, frame);
    return {of.value == 0 ? 1 : 0, 0, of.until};
  }
  const MovingValue of = moving(*node.operand, frame);
  const std::int64_t value = checked_subtract(0, of.value, e.span);
  return of.slope == 0 || small(of.value, of.slope) ? MovingValue{value, -of.slope, of.until} : for_now(value);
}

MovingValue MovingEvaluator::binary(const ir::Binary& node, const ir::Expression& e, Slot* frame) {
  if (node.op == logical_or || node.op == logical_and) {
    const MovingValue left = lasting(*node.left, frame);
    if ((left.value != 0) == (node.op == logical_or)) return {left.value != 0 ? 1 : 0, 0, left.until};
    MovingValue right = lasting(*node.right, frame);
    right.until = std::min(left.until, right.until);
    return right;
  }
  const MovingValue a = moving(*node.left, frame);
  const MovingValue b = moving(*node.right, frame);
  const std::int64_t until = std::min(a.until, b.until);
  const MovingValue exact{Evaluator::apply(node.op, a.value, b.value, e.span), 0, until};
  if (a.slope == 0 && b.slope == 0) return exact;
  if (!small(a.value, a.slope) || !small(b.value, b.slope)) return for_now(exact.value);
  const std::int64_t distance = a.value - b.value;
  const std::int64_t slope = a.slope - b.slope;
  // Up to which step it stays on its side of 0: at most 0, or at least 0.
  const auto below = [&](std::int64_t less) { return while_at_most_zero(distance + less, slope, now_); };
  const auto above = [&](std::int64_t less) { return while_at_most_zero(less - distance, -slope, now_); };
  const auto for_as_long = [&](std::int64_t last) { return MovingValue{exact.value, 0, std::min(until, last)}; };
  const bool truth = exact.value != 0;
  switch (node.op) {
    case add:
      return {exact.value, a.slope + b.slope, until};
    case subtract:
      return {exact.value, slope, until};
    case less:
      return for_as_long(truth ? below(1) : above(0));
    case less_equal:
      return for_as_long(truth ? below(0) : above(1));
    case greater:
      return for_as_long(truth ? above(1) : below(0));
    case greater_equal:
      return for_as_long(truth ? above(0) : below(1));
    case equal:
    case not_equal:
      if (distance == 0) return for_as_long(slope == 0 ? MovingValue::for_ever : now_);
      return for_as_long(distance < 0 ? below(1) : above(1));
    case multiply: {
      const MovingValue& still = a.slope == 0 ? a : b;
      const MovingValue& other = a.slope == 0 ? b : a;
      std::int64_t product = 0;
      const bool known = still.slope == 0 && !__builtin_mul_overflow(still.value, other.slope, &product);
      return known && small(exact.value, product) ? MovingValue{exact.value, product, until} : for_now(exact.value);
    }
    case modulo: {
      if (b.slope != 0 || b.value <= 0) return for_now(exact.value);
      // From 0 to b - 1 it moves as what is divided does.
      const std::int64_t room = a.slope > 0 ? b.value - 1 - exact.value : exact.value;
      return {exact.value, a.slope, std::min(until, now_ + room / (a.slope > 0 ? a.slope : -a.slope))};
    }
    case divide: {
      if (b.slope != 0 || b.value <= 0) return for_now(exact.value);
      const std::int64_t rest = a.value - floor_of(a.value, b.value) * b.value;
      const std::int64_t room = a.slope > 0 ? b.value - 1 - rest : rest;
      return for_as_long(now_ + room / (a.slope > 0 ? a.slope : -a.slope));
    }
    default:
      return for_now(exact.value);
  }
}

// Calls are followed, for what an argument's change does is known only there.
MovingValue MovingEvaluator::call(const ir::FunctionCall& node, const ir::Expression& e, Slot* frame) {
  if (!moves(e)) return {evaluator_.value(e, frame), 0, MovingValue::for_ever};
  const ir::Function& function = evaluator_.instance().schedule->functions[node.function.value];
  if (depth_ >= deepest || ir::is_set(e.type) ||
      std::any_of(function.formals.begin(), function.formals.end(), ir::is_set))
    return for_now(evaluator_.value(e, frame));
  evaluator_.count_iteration(e.span);
  const Evaluator::FrameGuard callee(evaluator_, function.frame.size, e.span);
  std::vector<Drift> drifts(function.frame.size);
  for (std::size_t i = 0; i < node.arguments.size(); ++i) {
    const MovingValue argument = moving(node.arguments[i], frame);
    callee.slots()[i] = argument.value;
    drifts[i] = {argument.slope, argument.until};
  }
  const std::size_t outer = std::exchange(base_, drifts_.size());
  drifts_.insert(drifts_.end(), drifts.begin(), drifts.end());
  ++depth_;
  const MovingValue result = moving(function.value, callee.slots());
  --depth_;
  drifts_.resize(base_);
  base_ = outer;
  return result;
}

}  // namespace quadrille
