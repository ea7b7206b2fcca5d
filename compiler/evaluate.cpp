#include "compiler/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <unordered_set>

#include "compiler/arithmetic.h"

namespace quadrille {

using ir::Builtin;
using ir::Op;

namespace {

constexpr std::size_t stack_slots = std::size_t{1} << 20;
constexpr std::ptrdiff_t native_stack_limit = std::ptrdiff_t{4} << 20;  // bytes; half of the usual stack
constexpr std::size_t set_limit = std::size_t{1} << 26;                 // elements of one set
constexpr std::size_t kept_set_limit = std::size_t{1} << 20;

}  // namespace

void fail(Span span, std::string message) { throw EvaluationError{error_at(span, std::move(message)), false}; }

Evaluator::Evaluator(const Instance& instance)
    : instance_(instance),
      stack_(std::make_unique_for_overwrite<Slot[]>(stack_slots)),
      constants_(instance.schedule->constants.size()),
      constant_open_(instance.schedule->constants.size()),
      stack_base_(static_cast<const char*>(__builtin_frame_address(0))) {}

void Evaluator::too_many_iterations(Span span) const {
  fail(span,
       fmt::format("the schedule's loops run more than {} times; that is this program's limit", instance_.iterations));
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

Evaluator::FrameGuard::~FrameGuard() { evaluator_.used_ = mark_; }

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
      return constant(e);
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
      return call(e, frame);
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
  guard_depth(e.span);
  FrameGuard callee(*this, function.frame.size, e.span);
  for (std::size_t i = 0; i < e.operands.size(); ++i) callee.slots()[i] = value(e.operands[i], frame);
  return value(function.value, callee.slots());
}

std::int64_t Evaluator::constant(const ir::Expression& e) {
  const auto index = static_cast<std::size_t>(e.number);
  if (constants_[index]) return *constants_[index];
  const ir::Constant& constant = instance_.schedule->constants[index];
  if (constant_open_[index]) fail(e.span, fmt::format("the value of '{}' depends on itself", constant.name));
  constant_open_[index] = true;
  FrameGuard frame(*this, constant.frame.size, e.span);
  constants_[index] = value(constant.value, frame.slots());
  return *constants_[index];
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

std::int64_t Evaluator::builtin(const ir::Expression& e, Slot* frame) {
  const auto& in = e.operands;
  const auto argument = [&](std::size_t i) { return value(in[i], frame); };
  switch (static_cast<Builtin>(e.number)) {
    case Builtin::processor_count:
      return fabric(e.span).processors();
    case Builtin::levels:
      return fabric(e.span).levels();
    case Builtin::processors:
    case Builtin::all:
    case Builtin::switches:
    case Builtin::neighbours:
    case Builtin::leaves:
      return keep_set(e, frame);
    case Builtin::log2: {
      const std::int64_t x = argument(0);
      if (x < 1) fail(e.span, fmt::format("log2 of {}; expected at least 1", x));
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
      if (a < 0 || b < 0) fail(e.span, fmt::format("gcd of {} and {}; expected no negative number", a, b));
      return std::gcd(a, b);
    }
    case Builtin::abs: {
      const std::int64_t x = argument(0);
      return x < 0 ? checked_subtract(0, x, e.span) : x;
    }
    case Builtin::min:
    case Builtin::max: {
      std::int64_t best = argument(0);
      for (std::size_t i = 1; i < in.size(); ++i) {
        const std::int64_t x = argument(i);
        best = static_cast<Builtin>(e.number) == Builtin::min ? std::min(best, x) : std::max(best, x);
      }
      return best;
    }
    case Builtin::size: {
      if (const auto range = progression(in[0], frame)) return static_cast<std::int64_t>(range->count);
      std::vector<std::int64_t> elements;
      collect(in[0], frame, elements);
      return static_cast<std::int64_t>(elements.size());
    }
    case Builtin::steps:
    case Builtin::messages:
    case Builtin::rows:
    case Builtin::max_queue:
      return claim_builtin(e);
    default:
      return fabric_builtin(e, frame);
  }
}

std::int64_t Evaluator::claim_builtin(const ir::Expression& e) const {
  const Measured& measured = instance_.measured.value();
  switch (static_cast<Builtin>(e.number)) {
    case Builtin::steps:
      return measured.steps;
    case Builtin::messages:
      return measured.messages;
    case Builtin::rows:
      return measured.rows;
    default:
      return measured.max_queue;
  }
}

std::int64_t Evaluator::fabric_builtin(const ir::Expression& e, Slot* frame) {
  const Fabric& on = fabric(e.span);
  const auto node = [&](std::size_t i) { return NodeId(static_cast<std::uint32_t>(value(e.operands[i], frame))); };
  switch (static_cast<Builtin>(e.number)) {
    case Builtin::switch_at: {
      const std::int64_t level = value(e.operands[0], frame);
      const std::int64_t j = value(e.operands[1], frame);
      const bool sane = level >= 0 && level <= on.levels() && j >= 0;
      const auto found =
          sane ? on.switch_at(static_cast<std::uint32_t>(level), static_cast<std::uint64_t>(j)) : std::nullopt;
      if (!found) fail(e.span, fmt::format("there is no switch {}.{} in {}", level, j, on.notation()));
      return found->value;
    }
    case Builtin::parent: {
      const NodeId child = node(0);
      for (const ChannelId channel : on.channels_from(child)) {
        const NodeId up = on.channel(channel).to;
        if (on.level(up) > on.level(child)) return up.value;
      }
      fail(e.span, fmt::format("node {} has no parent", on.name(child)));
    }
    case Builtin::level:
      return on.level(node(0));
    case Builtin::lca: {
      const NodeId a = node(0);
      const auto found = instance_.router->lowest_common_ancestor(a, node(1));
      if (!found) fail(e.span, fmt::format("there are no common ancestors in {}; it is not a tree", on.notation()));
      return found->value;
    }
    case Builtin::distance: {
      const NodeId a = node(0);
      const NodeId b = node(1);
      const auto found = instance_.router->distance(a, b);
      if (!found) fail(e.span, fmt::format("there is no way from {} to {}", on.name(a), on.name(b)));
      return *found;
    }
    case Builtin::capacity_at: {
      const std::int64_t level = value(e.operands[0], frame);
      for (const Channel& channel : on.all_channels()) {
        if (channel.level == level) return channel.capacity;
      }
      fail(e.span, fmt::format("there are no channels of level {} in {}", level, on.notation()));
    }
    default:
      fail(e.span, "internal: unknown builtin");
  }
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

// --- sets -------------------------------------------------------------------------------------------------------

std::optional<Evaluator::Progression> Evaluator::progression(const ir::Expression& set, Slot* frame) {
  if (set.op == Op::range_up || set.op == Op::range_down) {
    const std::int64_t first = value(set.operands[0], frame);
    const std::int64_t last = value(set.operands[1], frame);
    const bool up = set.op == Op::range_up;
    if (up ? first > last : first < last) return Progression{first, 1, 0};
    const std::uint64_t distance = up ? static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first)
                                      : static_cast<std::uint64_t>(first) - static_cast<std::uint64_t>(last);
    if (distance >= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      fail(set.span, "this range has more than 2^63 - 1 elements");
    }
    return Progression{first, up ? 1 : -1, distance + 1};
  }
  if (set.op == Op::call_builtin &&
      (static_cast<Builtin>(set.number) == Builtin::processors || static_cast<Builtin>(set.number) == Builtin::all)) {
    return Progression{0, 1, fabric(set.span).processors()};
  }
  return std::nullopt;
}

std::int64_t Evaluator::keep_set(const ir::Expression& e, Slot* frame) {
  if (sets_.size() >= kept_set_limit)
    fail(e.span, fmt::format("more than {} sets are kept; that is this program's limit", kept_set_limit));
  std::vector<std::int64_t> elements;
  collect(e, frame, elements);
  sets_.push_back(std::move(elements));
  return static_cast<std::int64_t>(sets_.size() - 1);
}

void Evaluator::collect(const ir::Expression& set, Slot* frame, std::vector<std::int64_t>& elements) {
  if (const auto range = progression(set, frame)) {
    if (range->count > set_limit)
      fail(set.span, fmt::format("a set of {} elements; the limit is {}", range->count, set_limit));
    std::int64_t x = range->first;
    for (std::uint64_t k = 0; k < range->count; ++k, x += range->step) elements.push_back(x);
    return;
  }
  switch (set.op) {
    case Op::set_literal:
    case Op::set_comprehension: {
      std::unordered_set<std::int64_t> seen;
      const auto add = [&](const ir::Expression& element) {
        const std::int64_t x = value(element, frame);
        if (seen.size() >= set_limit)
          fail(set.span, fmt::format("a set of more than {} elements; that is the limit", set_limit));
        if (seen.insert(x).second) elements.push_back(x);
      };
      if (set.op == Op::set_literal) {
        for (const ir::Expression& element : set.operands) add(element);
      } else {
        for_each(set.bindings, frame, [&] {
          if (set.operands.size() < 2 || truth(set.operands[1], frame)) add(set.operands[0]);
        });
      }
      return;
    }
    case Op::to_node:
    case Op::to_integer: {
      const std::size_t mark = elements.size();
      collect(set.operands[0], frame, elements);
      for (std::size_t i = mark; i < elements.size(); ++i) {
        elements[i] = set.op == Op::to_node ? to_node(elements[i], set.span) : to_integer(elements[i], set.span);
      }
      return;
    }
    case Op::conditional:
      return collect(set.operands[truth(set.operands[0], frame) ? 1 : 2], frame, elements);
    case Op::call_builtin:
      return collect_builtin(set, frame, elements);
    default: {  // a slot, a constant, a function's result: a handle
      const auto& kept = sets_[static_cast<std::size_t>(value(set, frame))];
      elements.insert(elements.end(), kept.begin(), kept.end());
    }
  }
}

void Evaluator::collect_builtin(const ir::Expression& e, Slot* frame, std::vector<std::int64_t>& elements) {
  const Fabric& on = fabric(e.span);
  const std::int64_t x = value(e.operands[0], frame);
  switch (static_cast<Builtin>(e.number)) {
    case Builtin::switches:
      for (std::uint32_t v = on.processors(); v < on.nodes(); ++v) {
        if (on.level(NodeId(v)) == x) elements.push_back(v);
      }
      return;
    case Builtin::neighbours:
      for (const ChannelId channel : on.channels_from(NodeId(static_cast<std::uint32_t>(x)))) {
        elements.push_back(on.channel(channel).to.value);
      }
      return;
    default:
      break;
  }
  // leaves(v): the processors below a switch of a tree or star.
  std::vector<NodeId> open = {NodeId(static_cast<std::uint32_t>(x))};
  while (!open.empty()) {
    const NodeId v = open.back();
    open.pop_back();
    if (on.is_processor(v)) {
      elements.push_back(v.value);
      continue;
    }
    for (const ChannelId channel : on.channels_from(v)) {
      if (on.level(on.channel(channel).to) < on.level(v)) open.push_back(on.channel(channel).to);
    }
  }
  std::sort(elements.begin(), elements.end());
}

}  // namespace quadrille
