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
#include <numeric>

#include "compiler/evaluate/arithmetic.h"
#include "compiler/evaluate/evaluate.h"
#include "compiler/evaluate/exact.h"
#include "model/described.h"

namespace quadrille {

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
