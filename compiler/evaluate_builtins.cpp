// The functions that the language brings along (builtins.h), evaluated.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "compiler/arithmetic.h"
#include "compiler/evaluate.h"

namespace quadrille {

using ir::Builtin;

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

}  // namespace quadrille
