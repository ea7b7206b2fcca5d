// The evaluator walks the expression tree. Frames lie on one stack of slots; a slot holds a number, a truth value, a
// node, a procedure, or the handle of a set. Constants are evaluated on their first use, and kept.
//
// For example, `(k + d) mod n` in a frame with the slots k = 3, d = 2 on ring:4 walks mod, +, k, d, n and gives 1. Two
// limits end an endless recursion: the number of calls and iterations (Instance::iterations), and the depth of the
// machine's own stack, which is measured and not counted, as frames differ in size. The outcomes of costly calls are
// remembered (RememberedCalls): `f(n) = f(n - 1) + f(n - 2)` is no more work than a loop. Cost: the nodes that are
// reached; a fold, its elements.
#include "compiler/evaluate/evaluate.h"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/evaluate/arithmetic.h"

namespace quadrille {

namespace {

constexpr std::size_t stack_slots = std::size_t{1} << 20;
constexpr std::ptrdiff_t native_stack_limit = std::ptrdiff_t{4} << 20;  // bytes; half of the usual stack

}  // namespace

Evaluator::Evaluator(const Instance& instance)
    : instance_(instance),
      stack_(std::make_unique_for_overwrite<Slot[]>(stack_slots)),
      constants_(instance.schedule->constants.size()),
      constant_sets_(instance.schedule->constants.size()),
      constant_open_(instance.schedule->constants.size()),
      pulse_(instance.limits),
      stack_base_(static_cast<const char*>(__builtin_frame_address(0))) {}

Evaluator::Evaluator(const Instance& instance, Evaluator& caller) : Evaluator(instance) {
  iterations_ = caller.iterations_;
  stack_base_ = caller.stack_base_;
}

void Evaluator::restart() {
  own_iterations_ = 0;
  stack_base_ = static_cast<const char*>(__builtin_frame_address(0));
}

void Evaluator::stop_iterating(Span span) const {
  if (pulse_.reason() != Reason::none) {
    fail_at_limit(pulse_.reason(), instance_.so_far ? "building the fabric" : "working out the schedule", span);
  }
  fail(span,
       fmt::format("the schedule's loops and calls run more than {} times; that is this program's limit",
                   instance_.iterations),
       Code::limit);
}

void Evaluator::guard_depth(Span span) const {
  const auto* here = static_cast<const char*>(__builtin_frame_address(0));
  const std::ptrdiff_t used = stack_base_ > here ? stack_base_ - here : here - stack_base_;
  if (used > native_stack_limit) fail(span, "calls are nested too deep; does this recursion ever end?", Code::value);
}

Evaluator::FrameGuard::FrameGuard(Evaluator& evaluator, std::uint32_t size, Span span)
    : evaluator_(evaluator), mark_(evaluator.used_), sets_(evaluator.sets_.size()) {
  if (evaluator.used_ + size > stack_slots)
    fail(span, "calls are nested too deep; does this recursion ever end?", Code::value);
  slots_ = evaluator.stack_.get() + evaluator.used_;
  std::fill_n(slots_, size, 0);
  evaluator.used_ += size;
}

Evaluator::FrameGuard::~FrameGuard() {
  evaluator_.used_ = mark_;
  evaluator_.drop_sets(sets_);
}

const Fabric& Evaluator::fabric(Span span) const {
  if (!instance_.fabric)
    fail(span, "this is known only once the fabric is; it cannot be used in the fabric line", Code::invalid);
  return *instance_.fabric;
}

std::int64_t Evaluator::value(const ir::Expression& e, Slot* frame) {
  // Most of all nodes are of these kinds, and need no table of kinds.
  if (const auto* binary = std::get_if<ir::Binary>(&e.node)) return value_of(*binary, e, frame);
  if (const auto* use = std::get_if<ir::VariableUse>(&e.node)) return frame[use->variable.value];
  if (const auto* literal = std::get_if<ir::Literal>(&e.node)) return literal->value;
  return std::visit([&](const auto& node) { return value_of(node, e, frame); }, e.node);
}

// --- leaves --------------------------------------------------------------------------------------------------------

Evaluator::Slot Evaluator::value_of(const ir::Literal& node, const ir::Expression&, Slot*) { return node.value; }

Evaluator::Slot Evaluator::value_of(const ir::VariableUse& node, const ir::Expression&, Slot* frame) {
  return frame[node.variable.value];
}

Evaluator::Slot Evaluator::value_of(const ir::ParameterUse& node, const ir::Expression& e, Slot* frame) {
  if (ir::is_set(e.type)) return keep_set(e, frame);
  return instance_.parameters[node.parameter.value];
}

Evaluator::Slot Evaluator::value_of(const ir::ProcedureUse& node, const ir::Expression&, Slot*) {
  return node.procedure.value;
}

Evaluator::Slot Evaluator::value_of(const ir::ConstantUse& node, const ir::Expression& e, Slot* frame) {
  if (ir::is_set(e.type)) return keep_set(e, frame);
  auto& value_of = constants_[node.constant.value];
  if (!value_of) {
    const OpenConstant open(*this, node.constant, e.span);
    FrameGuard own(*this, open.constant().frame.size, e.span);
    value_of = value(open.constant().value, own.slots());
  }
  return *value_of;
}

Evaluator::OpenConstant::OpenConstant(Evaluator& evaluator, ir::ConstantId id, Span span)
    : evaluator_(evaluator), id_(id) {
  if (evaluator.constant_open_[id.value])
    fail(span, fmt::format("the value of '{}' depends on itself", constant().name), Code::value);
  evaluator.constant_open_[id.value] = true;
}

Evaluator::Slot Evaluator::value_of(const ir::PatternCall& node, const ir::Expression& e, Slot* frame) {
  const std::int64_t level = value(*node.level, frame);
  const Pattern& p = instance_.patterns[node.pattern.value];
  const ir::Parameter& parameter = instance_.schedule->parameters[node.pattern.value];
  const std::string& name = parameter.name;
  if (parameter.list) {
    if (level >= 0 && level < static_cast<std::int64_t>(p.values.size()))
      return p.values[static_cast<std::size_t>(level)];
    fail(e.span,
         fmt::format("'{}' has {} values, numbered from 0; number {} was asked for", name, p.values.size(), level),
         Code::range);
  }
  if (level < 1)
    fail(e.span, fmt::format("'{}' has no value for level {}; levels are numbered from 1", name, level), Code::range);
  // A pattern is a word for every number of levels, or a list for as many as it has.
  if (p.word == "constant") return 1;
  if (p.word == "exponential") return checked_power(2, level - 1, e.span);
  if (level > static_cast<std::int64_t>(p.values.size())) {
    fail(e.span, fmt::format("'{}' has {} values; level {} was asked for", name, p.values.size(), level), Code::range);
  }
  return p.values[static_cast<std::size_t>(level - 1)];
}

// --- operators -----------------------------------------------------------------------------------------------------

Evaluator::Slot Evaluator::value_of(const ir::Unary& node, const ir::Expression& e, Slot* frame) {
  const std::int64_t x = value(*node.operand, frame);
  if (node.op == ir::UnaryOperator::logical_not) return x == 0 ? 1 : 0;
  return checked_subtract(0, x, e.span);
}

Evaluator::Slot Evaluator::value_of(const ir::Binary& node, const ir::Expression& e, Slot* frame) {
  const std::int64_t left = value(*node.left, frame);
  // Where the left side decides, the right side is not evaluated: `m > 0 and n mod m == 0` is no division by 0.
  if (node.op == ir::BinaryOperator::logical_or && left != 0) return 1;
  if (node.op == ir::BinaryOperator::logical_and && left == 0) return 0;
  return apply(node.op, left, value(*node.right, frame), e.span);
}

std::int64_t Evaluator::apply(ir::BinaryOperator op, std::int64_t a, std::int64_t b, Span span) {
  using enum ir::BinaryOperator;
  switch (op) {
    case logical_or:
    case logical_and:
      return b;  // a has not settled it
    case logical_xor:
    case bit_xor:
      return a ^ b;
    case bit_or:
      return a | b;
    case bit_and:
      return a & b;
    case equal:
      return a == b ? 1 : 0;
    case not_equal:
      return a != b ? 1 : 0;
    case less:
      return a < b ? 1 : 0;
    case less_equal:
      return a <= b ? 1 : 0;
    case greater:
      return a > b ? 1 : 0;
    case greater_equal:
      return a >= b ? 1 : 0;
    case shift_left:
      return checked_shift_left(a, b, span);
    case shift_right:
      return checked_shift_right(a, b, span);
    case add:
      return checked_add(a, b, span);
    case subtract:
      return checked_subtract(a, b, span);
    case multiply:
      return checked_multiply(a, b, span);
    case divide:
      return checked_divide(a, b, span);
    case modulo:
      return checked_modulo(a, b, span);
    case power:
      return checked_power(a, b, span);
  }
  fail(span, "internal: no operator", Code::internal);
}

Evaluator::Slot Evaluator::value_of(const ir::Conditional& node, const ir::Expression&, Slot* frame) {
  return value(truth(*node.condition, frame) ? *node.then : *node.otherwise, frame);
}

Evaluator::Slot Evaluator::value_of(const ir::ToNode& node, const ir::Expression& e, Slot* frame) {
  return e.type == ir::Type::node ? to_node(value(*node.operand, frame), e.span) : keep_set(e, frame);
}

Evaluator::Slot Evaluator::value_of(const ir::ToInteger& node, const ir::Expression& e, Slot* frame) {
  return e.type == ir::Type::integer ? to_integer(value(*node.operand, frame), e.span) : keep_set(e, frame);
}

// --- calls and folds -----------------------------------------------------------------------------------------------

Evaluator::Slot Evaluator::value_of(const ir::FunctionCall& node, const ir::Expression& e, Slot* frame) {
  if (ir::is_set(e.type)) return keep_set(e, frame);
  const ir::Function& function = instance_.schedule->functions[node.function.value];
  FrameGuard callee(*this, function.frame.size, e.span);
  pass_arguments(node, e.span, frame, callee.slots());
  // A set is a handle, which says nothing of what is in it.
  if (std::any_of(function.formals.begin(), function.formals.end(), ir::is_set))
    return value(function.value, callee.slots());
  const std::span<const Slot> arguments(callee.slots(), function.formals.size());
  if (const Slot* known = calls_.find(node.function.value, arguments)) return *known;
  const std::uint64_t before = *iterations_;
  const Slot result = value(function.value, callee.slots());
  if (RememberedCalls::worth_keeping(*iterations_ - before)) calls_.add(node.function.value, arguments, result);
  return result;
}

void Evaluator::pass_arguments(const ir::FunctionCall& call, Span span, Slot* frame, Slot* callee) {
  guard_depth(span);
  count_iteration(span);
  for (std::size_t i = 0; i < call.arguments.size(); ++i) callee[i] = value(call.arguments[i], frame);
}

Evaluator::Slot Evaluator::value_of(const ir::Fold& node, const ir::Expression& e, Slot* frame) {
  using enum ir::FoldKind;
  // The empty sum and count are 0, `all` of nothing is true, `any` of nothing false; min and max have no such value.
  std::int64_t result = node.kind == all ? 1 : 0;
  bool empty = true;
  for_each(node.each->bindings, frame, [&] {
    if (node.each->condition && !truth(*node.each->condition, frame)) return;
    const std::int64_t x = value(node.each->element, frame);
    switch (node.kind) {
      case sum:
        result = checked_add(result, x, e.span);
        break;
      case count:
        result += x;
        break;
      case min:
        result = empty ? x : std::min(result, x);
        break;
      case max:
        result = empty ? x : std::max(result, x);
        break;
      case all:
        result &= x;
        break;
      case any:
        result |= x;
        break;
    }
    empty = false;
  });
  if (empty && (node.kind == min || node.kind == max))
    fail(e.span, "the least or greatest of nothing; the set is empty here", Code::value);
  return result;
}

}  // namespace quadrille
