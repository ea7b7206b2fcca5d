// Sets are evaluated to their elements, and kept by handles while they are in use.
//
// A range is a progression, first, step and count, and is never listed where it is only run through: `for k in 0..2^20`
// takes no memory. Other sets are lists without repetition, in the order in which elements are first met: `{k mod 3 for
// k in 1..4}` is 1, 2, 0. A set in a variable is a handle: 0, 1, … are the evaluator's own, dropped when the iteration
// or frame around them ends; -1, -2, … are the instance's, which regions share and keep (Evaluator::share). Of each
// function the last costly outcome is kept, for a set that does not depend on the innermost loop: `for g in 0..7, h in
// 0..7: send g -> h carrying 0 -> * part given(g)` finds each `given(g)` once. Cost: the elements.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_set>

#include "compiler/evaluate/evaluate.h"

namespace quadrille {

using ir::Builtin;

namespace {

constexpr std::size_t set_limit = std::size_t{1} << 26;  // elements of one set
constexpr std::size_t kept_set_limit = std::size_t{1} << 20;
constexpr std::size_t most_remembered = std::size_t{1} << 16;  // elements of a call's outcome

void append(std::vector<std::int64_t>& elements, const std::vector<std::int64_t>& more) {
  elements.insert(elements.end(), more.begin(), more.end());
}

}  // namespace

std::optional<Evaluator::Progression> Evaluator::progression(const ir::Expression& set, Slot* frame) {
  if (const auto* range = std::get_if<ir::Range>(&set.node)) {
    const std::int64_t first = value(*range->first, frame);
    const std::int64_t last = value(*range->last, frame);
    if (range->down ? first < last : first > last) return Progression{first, 1, 0};
    // Unsigned, for the distance of two 64-bit numbers may not fit into 63 bits.
    const std::uint64_t distance = range->down ? static_cast<std::uint64_t>(first) - static_cast<std::uint64_t>(last)
                                               : static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
    if (distance >= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      fail(set.span, "this range has more than 2^63 - 1 elements", Code::range);
    }
    return Progression{first, range->down ? -1 : 1, distance + 1};
  }
  const auto* call = std::get_if<ir::BuiltinCall>(&set.node);
  if (call != nullptr && call->builtin == Builtin::parts) return Progression{0, 1, parts(set.span)};
  if (call != nullptr && (call->builtin == Builtin::processors || call->builtin == Builtin::all)) {
    return Progression{0, 1, processors(set.span)};
  }
  return std::nullopt;
}

const Evaluator::Elements& Evaluator::kept(Slot handle) const {
  return handle < 0 ? (*instance_.sets)[static_cast<std::size_t>(-1 - handle)]
                    : sets_[static_cast<std::size_t>(handle)];
}

Evaluator::Slot Evaluator::share(Slot handle) const {
  if (handle < 0) return handle;
  instance_.sets->push_back(kept(handle));
  return -static_cast<Slot>(instance_.sets->size());
}

const Evaluator::Elements& Evaluator::constant_set(ir::ConstantId id, Span span) {
  auto& value_of = constant_sets_[id.value];
  if (!value_of) {
    const OpenConstant open(*this, id, span);
    FrameGuard frame(*this, open.constant().frame.size, span);
    Elements elements;
    collect(open.constant().value, frame.slots(), elements);
    value_of = std::move(elements);
  }
  return *value_of;
}

Evaluator::Slot Evaluator::keep_set(const ir::Expression& e, Slot* frame) {
  if (sets_.size() >= kept_set_limit)
    fail(e.span, fmt::format("more than {} sets are kept; that is this program's limit", kept_set_limit), Code::limit);
  Elements elements;
  collect(e, frame, elements);
  sets_.push_back(std::move(elements));
  return static_cast<std::int64_t>(sets_.size() - 1);
}

Evaluator::Slot Evaluator::value_of(const ir::Range&, const ir::Expression& e, Slot* frame) {
  return keep_set(e, frame);
}
Evaluator::Slot Evaluator::value_of(const ir::SetLiteral&, const ir::Expression& e, Slot* frame) {
  return keep_set(e, frame);
}
Evaluator::Slot Evaluator::value_of(const ir::Comprehension&, const ir::Expression& e, Slot* frame) {
  return keep_set(e, frame);
}

// --- elements ------------------------------------------------------------------------------------------------------

namespace {

// Elements in the order in which they are first added.
class Distinct {
 public:
  Distinct(std::vector<std::int64_t>& elements, Span span) : elements_(elements), span_(span) {}

  void add(std::int64_t x) {
    if (seen_.size() >= set_limit)
      fail(span_, fmt::format("a set of more than {} elements; that is the limit", set_limit), Code::limit);
    if (seen_.insert(x).second) elements_.push_back(x);
  }

 private:
  std::vector<std::int64_t>& elements_;
  Span span_;
  std::unordered_set<std::int64_t> seen_;
};

}  // namespace

void Evaluator::collect(const ir::Expression& set, Slot* frame, std::vector<std::int64_t>& elements) {
  if (const auto range = progression(set, frame)) {
    if (range->count > set_limit)
      fail(set.span, fmt::format("a set of {} elements; the limit is {}", range->count, set_limit), Code::limit);
    expect_elements(range->count, set.span);
    elements.reserve(elements.size() + range->count);
    std::int64_t x = range->first;
    for (std::uint64_t k = 0; k < range->count; ++k, x += range->step) elements.push_back(x);
    return;
  }
  const std::size_t before = elements.size();
  std::visit([&](const auto& node) { collect_from(node, set, frame, elements); }, set.node);
  expect_elements(elements.size() - before, set.span);
}

template <class Node>
void Evaluator::collect_from(const Node&, const ir::Expression& e, Slot*, Elements&) {
  fail(e.span, "internal: no set", Code::internal);
}

void Evaluator::collect_from(const ir::SetLiteral& node, const ir::Expression& e, Slot* frame, Elements& elements) {
  Distinct set(elements, e.span);
  for (const ir::Expression& element : node.elements) set.add(value(element, frame));
}

void Evaluator::collect_from(const ir::Comprehension& node, const ir::Expression& e, Slot* frame, Elements& elements) {
  Distinct set(elements, e.span);
  for_each(node.each->bindings, frame, [&] {
    if (!node.each->condition || truth(*node.each->condition, frame)) set.add(value(node.each->element, frame));
  });
}

void Evaluator::collect_from(const ir::ToNode& node, const ir::Expression& e, Slot* frame, Elements& elements) {
  const std::size_t mark = elements.size();
  collect(*node.operand, frame, elements);
  for (std::size_t i = mark; i < elements.size(); ++i) elements[i] = to_node(elements[i], e.span);
}

void Evaluator::collect_from(const ir::ToInteger& node, const ir::Expression& e, Slot* frame, Elements& elements) {
  const std::size_t mark = elements.size();
  collect(*node.operand, frame, elements);
  for (std::size_t i = mark; i < elements.size(); ++i) elements[i] = to_integer(elements[i], e.span);
}

void Evaluator::collect_from(const ir::Conditional& node, const ir::Expression&, Slot* frame, Elements& elements) {
  collect(truth(*node.condition, frame) ? *node.then : *node.otherwise, frame, elements);
}

void Evaluator::collect_from(const ir::FunctionCall& node, const ir::Expression& e, Slot* frame, Elements& elements) {
  const ir::Function& function = instance_.schedule->functions[node.function.value];
  FrameGuard callee(*this, function.frame.size, e.span);
  pass_arguments(node, e.span, frame, callee.slots());
  // A set is a handle, which says nothing of what is in it.
  if (std::ranges::any_of(function.formals, ir::is_set)) return collect(function.value, callee.slots(), elements);
  const std::span<const Slot> arguments(callee.slots(), function.formals.size());
  const auto known = set_calls_.find(node.function.value);
  if (known != set_calls_.end() && std::ranges::equal(known->second.arguments, arguments)) {
    return append(elements, known->second.elements);
  }
  const std::size_t mark = elements.size();
  const std::uint64_t before = *iterations_;
  collect(function.value, callee.slots(), elements);
  if (!RememberedCalls::worth_keeping(*iterations_ - before) || elements.size() - mark > most_remembered) return;
  const auto first = elements.begin() + static_cast<std::ptrdiff_t>(mark);
  set_calls_.insert_or_assign(node.function.value,
                              SetCall{{arguments.begin(), arguments.end()}, Elements(first, elements.end())});
}

void Evaluator::collect_from(const ir::ConstantUse& node, const ir::Expression& e, Slot*, Elements& elements) {
  const Elements& set = constant_set(node.constant, e.span);
  expect_elements(set.size(), e.span);
  append(elements, set);
}

// Appends a list, too, with its repetitions; its size needs them.
void Evaluator::collect_from(const ir::ParameterUse& node, const ir::Expression& e, Slot*, Elements& elements) {
  const Elements& set = instance_.patterns[node.parameter.value].values;
  expect_elements(set.size(), e.span);
  append(elements, set);
}

void Evaluator::collect_from(const ir::VariableUse& node, const ir::Expression& e, Slot* frame, Elements& elements) {
  const Elements& set = kept(frame[node.variable.value]);
  expect_elements(set.size(), e.span);
  append(elements, set);
}

void Evaluator::collect_from(const ir::BuiltinCall& node, const ir::Expression& e, Slot* frame, Elements& elements) {
  const Fabric& on = fabric(e.span);
  const std::int64_t x = value(node.arguments[0], frame);
  const auto as_node = [&] { return NodeId(static_cast<std::uint32_t>(x)); };
  if (node.builtin == Builtin::switches) {
    for (std::uint32_t v = on.processors(); v < on.nodes(); ++v) {
      if (on.level(NodeId(v)) == x) elements.push_back(v);
    }
  } else if (node.builtin == Builtin::neighbours) {
    for (const ChannelId channel : on.channels_from(as_node())) elements.push_back(on.channel(channel).to.value);
  } else {
    collect_leaves(as_node(), e.span, elements);
  }
}

// The processors below a switch of a tree or star.
void Evaluator::collect_leaves(NodeId below, Span span, Elements& elements) const {
  const Fabric& on = fabric(span);
  std::vector<NodeId> open = {below};
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
