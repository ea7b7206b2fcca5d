// A tree walk. Frames lie on one stack of slots; a slot holds a number, a truth value, a node, a procedure, or the
// handle of a set. Constants are evaluated when they are first asked for, and kept.
#include "compiler/evaluate.h"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/arithmetic.h"

namespace quadrille {

using ir::Op;

namespace {

constexpr std::size_t stack_slots = std::size_t{1} << 20;
constexpr std::ptrdiff_t native_stack_limit = std::ptrdiff_t{4} << 20;  // bytes; half of the usual stack

}  // namespace

void fail(Span span, std::string message, Code code) {
  throw EvaluationError{error_at(span, std::move(message), code), false};
}

void fail_at_limit(Reason reason, std::string_view doing, Span span) {
  fail(span, fmt::format("{} while {}", reason == Reason::cancelled ? "stopped" : "time ran out", doing),
       code_of(reason));
}

Evaluator::Evaluator(const Instance& instance)
    : instance_(instance),
      stack_(std::make_unique_for_overwrite<Slot[]>(stack_slots)),
      constants_(instance.schedule->constants.size()),
      constant_sets_(instance.schedule->constants.size()),
      constant_open_(instance.schedule->constants.size()),
      pulse_(instance.limits),
      stack_base_(static_cast<const char*>(__builtin_frame_address(0))) {}

void Evaluator::stop_iterating(Span span) const {
  if (pulse_.reason() != Reason::none) fail_at_limit(pulse_.reason(), "working out the schedule", span);
  fail(span,
       fmt::format("the schedule's loops run more than {} times; that is this program's limit", instance_.iterations),
       Code::limit);
}

void Evaluator::guard_depth(Span span) const {
  const auto* here = static_cast<const char*>(__builtin_frame_address(0));
  const std::ptrdiff_t used = stack_base_ > here ? stack_base_ - here : here - stack_base_;
  if (used > native_stack_limit) fail(span, "calls are nested too deep; does this recursion ever end?");
}

Evaluator::FrameGuard::FrameGuard(Evaluator& evaluator, std::uint32_t size, Span span)
    : evaluator_(evaluator), mark_(evaluator.used_), sets_(evaluator.sets_.size()) {
  if (evaluator.used_ + size > stack_slots) fail(span, "calls are nested too deep; does this recursion ever end?");
  slots_ = evaluator.stack_.get() + evaluator.used_;
  std::fill_n(slots_, size, 0);
  evaluator.used_ += size;
}

Evaluator::FrameGuard::~FrameGuard() {
  evaluator_.used_ = mark_;
  evaluator_.drop_sets(sets_);
}

const Fabric& Evaluator::fabric(Span span) const {
  if (!instance_.fabric) fail(span, "this is known only once the fabric is; it cannot be used in the fabric line");
  return *instance_.fabric;
}

std::int64_t Evaluator::to_node(std::int64_t number, Span span) const {
  const std::int64_t n = fabric(span).processors();
  if (number < 0 || number >= n) {
    fail(span, n == 1 ? fmt::format("there is no processor {}; the fabric has only processor 0", number)
                      : fmt::format("there is no processor {}; the fabric has processors 0 to {}", number, n - 1));
  }
  return number;
}

std::int64_t Evaluator::to_integer(std::int64_t node, Span span) const {
  const Fabric& on = fabric(span);
  if (node >= on.processors()) {
    fail(span,
         fmt::format("this is switch {}; expected a processor", on.name(NodeId(static_cast<std::uint32_t>(node)))));
  }
  return node;
}

std::int64_t Evaluator::value(const ir::Expression& e, Slot* frame) {
  const auto& in = e.operands;
  switch (e.op) {
    case Op::literal:
      return e.number;
    case Op::local:
      return frame[e.number];
    case Op::parameter:
      return instance_.parameters[static_cast<std::size_t>(e.number)];
    case Op::constant:
      return ir::is_set(e.type) ? keep_set(e, frame) : constant(e);
    case Op::procedure_name:
      return e.number;
    case Op::negate:
      return checked_subtract(0, value(in[0], frame), e.span);
    case Op::logical_not:
      return truth(in[0], frame) ? 0 : 1;
    case Op::logical_or:
      return truth(in[0], frame) || truth(in[1], frame) ? 1 : 0;
    case Op::logical_and:
      return truth(in[0], frame) && truth(in[1], frame) ? 1 : 0;
    case Op::conditional:
      return value(truth(in[0], frame) ? in[1] : in[2], frame);
    case Op::call_function:
      return ir::is_set(e.type) ? keep_set(e, frame) : call(e, frame);
    case Op::call_pattern:
      return pattern(e, value(in[0], frame));
    case Op::call_builtin:
      return builtin(e, frame);
    case Op::to_node:
      return e.type == ir::Type::node ? to_node(value(in[0], frame), e.span) : keep_set(e, frame);
    case Op::to_integer:
      return e.type == ir::Type::integer ? to_integer(value(in[0], frame), e.span) : keep_set(e, frame);
    case Op::range_up:
    case Op::range_down:
    case Op::set_literal:
    case Op::set_comprehension:
      return keep_set(e, frame);
    case Op::fold:
      return fold(e, frame);
    default: {
      const std::int64_t left = value(in[0], frame);
      return binary(e, left, value(in[1], frame));
    }
  }
}

std::int64_t Evaluator::binary(const ir::Expression& e, std::int64_t a, std::int64_t b) const {
  switch (e.op) {
    case Op::logical_xor:
    case Op::bit_xor:
      return a ^ b;
    case Op::bit_or:
      return a | b;
    case Op::bit_and:
      return a & b;
    case Op::equal:
      return a == b ? 1 : 0;
    case Op::not_equal:
      return a != b ? 1 : 0;
    case Op::less:
      return a < b ? 1 : 0;
    case Op::less_equal:
      return a <= b ? 1 : 0;
    case Op::greater:
      return a > b ? 1 : 0;
    case Op::greater_equal:
      return a >= b ? 1 : 0;
    case Op::shift_left:
      return checked_shift_left(a, b, e.span);
    case Op::shift_right:
      return checked_shift_right(a, b, e.span);
    case Op::add:
      return checked_add(a, b, e.span);
    case Op::subtract:
      return checked_subtract(a, b, e.span);
    case Op::multiply:
      return checked_multiply(a, b, e.span);
    case Op::divide:
      return checked_divide(a, b, e.span);
    case Op::modulo:
      return checked_modulo(a, b, e.span);
    case Op::power:
      return checked_power(a, b, e.span);
    default:
      fail(e.span, "internal: not a binary operation");
  }
}

std::int64_t Evaluator::call(const ir::Expression& e, Slot* frame) {
  const ir::Function& function = instance_.schedule->functions[static_cast<std::size_t>(e.number)];
  FrameGuard callee(*this, function.frame.size, e.span);
  pass_arguments(e, frame, callee.slots());
  return value(function.value, callee.slots());
}

void Evaluator::pass_arguments(const ir::Expression& e, Slot* frame, Slot* callee) {
  guard_depth(e.span);
  count_iteration(e.span);
  for (std::size_t i = 0; i < e.operands.size(); ++i) callee[i] = value(e.operands[i], frame);
}

std::int64_t Evaluator::constant(const ir::Expression& e) {
  auto& value_of = constants_[static_cast<std::size_t>(e.number)];
  if (!value_of) {
    const OpenConstant open(*this, e);
    FrameGuard frame(*this, open.constant().frame.size, e.span);
    value_of = value(open.constant().value, frame.slots());
  }
  return *value_of;
}

Evaluator::OpenConstant::OpenConstant(Evaluator& evaluator, const ir::Expression& e)
    : evaluator_(evaluator), index_(static_cast<std::size_t>(e.number)) {
  if (evaluator.constant_open_[index_])
    fail(e.span, fmt::format("the value of '{}' depends on itself", constant().name));
  evaluator.constant_open_[index_] = true;
}

std::int64_t Evaluator::pattern(const ir::Expression& e, std::int64_t level) const {
  const auto& p = instance_.patterns[static_cast<std::size_t>(e.number)];
  const std::string& name = instance_.schedule->parameters[static_cast<std::size_t>(e.number)].name;
  if (level < 1) fail(e.span, fmt::format("'{}' has no value for level {}; levels are numbered from 1", name, level));
  if (p.word == "constant") return 1;
  if (p.word == "exponential") return checked_power(2, level - 1, e.span);
  if (level > static_cast<std::int64_t>(p.values.size())) {
    fail(e.span, fmt::format("'{}' has {} values; level {} was asked for", name, p.values.size(), level));
  }
  return p.values[static_cast<std::size_t>(level - 1)];
}

std::int64_t Evaluator::fold(const ir::Expression& e, Slot* frame) {
  std::int64_t result = 0;
  bool empty = true;
  const auto kind = static_cast<ir::Fold>(e.number);
  if (kind == ir::Fold::all) result = 1;
  for_each(e.bindings, frame, [&] {
    if (e.operands.size() > 1 && !truth(e.operands[1], frame)) return;
    const std::int64_t x = value(e.operands[0], frame);
    switch (kind) {
      case ir::Fold::sum:
        result = checked_add(result, x, e.span);
        break;
      case ir::Fold::count:
        result += x;
        break;
      case ir::Fold::min:
        result = empty ? x : std::min(result, x);
        break;
      case ir::Fold::max:
        result = empty ? x : std::max(result, x);
        break;
      case ir::Fold::all:
        result &= x;
        break;
      case ir::Fold::any:
        result |= x;
        break;
    }
    empty = false;
  });
  if (empty && (kind == ir::Fold::min || kind == ir::Fold::max))
    fail(e.span, "the least or greatest of nothing; the set is empty here");
  return result;
}

}  // namespace quadrille
