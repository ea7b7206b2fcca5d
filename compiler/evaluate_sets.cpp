// Sets: what they hold, and how they are kept while they are in use.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_set>

#include "compiler/evaluate.h"

namespace quadrille {

using ir::Builtin;
using ir::Op;

namespace {

constexpr std::size_t set_limit = std::size_t{1} << 26;  // elements of one set
constexpr std::size_t kept_set_limit = std::size_t{1} << 20;

void append(std::vector<std::int64_t>& elements, const std::vector<std::int64_t>& more) {
  elements.insert(elements.end(), more.begin(), more.end());
}

}  // namespace

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

const std::vector<std::int64_t>& Evaluator::kept(Slot handle) const {
  return handle < 0 ? instance_.sets[static_cast<std::size_t>(-1 - handle)] : sets_[static_cast<std::size_t>(handle)];
}

Evaluator::Slot Evaluator::share(Slot handle, std::vector<std::vector<std::int64_t>>& sets) const {
  if (handle < 0) return handle;
  sets.push_back(kept(handle));
  return -static_cast<Slot>(sets.size());
}

const std::vector<std::int64_t>& Evaluator::constant_set(const ir::Expression& e) {
  auto& value_of = constant_sets_[static_cast<std::size_t>(e.number)];
  if (!value_of) {
    const OpenConstant open(*this, e);
    FrameGuard frame(*this, open.constant().frame.size, e.span);
    std::vector<std::int64_t> elements;
    collect(open.constant().value, frame.slots(), elements);
    value_of = std::move(elements);
  }
  return *value_of;
}

Evaluator::Slot Evaluator::keep_set(const ir::Expression& e, Slot* frame) {
  if (sets_.size() >= kept_set_limit)
    fail(e.span, fmt::format("more than {} sets are kept; that is this program's limit", kept_set_limit), Code::limit);
  std::vector<std::int64_t> elements;
  collect(e, frame, elements);
  sets_.push_back(std::move(elements));
  return static_cast<std::int64_t>(sets_.size() - 1);
}

void Evaluator::collect(const ir::Expression& set, Slot* frame, std::vector<std::int64_t>& elements) {
  if (const auto range = progression(set, frame)) {
    if (range->count > set_limit)
      fail(set.span, fmt::format("a set of {} elements; the limit is {}", range->count, set_limit), Code::limit);
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
          fail(set.span, fmt::format("a set of more than {} elements; that is the limit", set_limit), Code::limit);
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
    case Op::call_function: {
      const ir::Function& function = instance_.schedule->functions[static_cast<std::size_t>(set.number)];
      FrameGuard callee(*this, function.frame.size, set.span);
      pass_arguments(set, frame, callee.slots());
      return collect(function.value, callee.slots(), elements);
    }
    case Op::constant:
      return append(elements, constant_set(set));
    default:  // a slot
      return append(elements, kept(value(set, frame)));
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
