#include "compiler/region_runner.h"

#include <fmt/format.h>

#include <algorithm>

namespace quadrille {

std::vector<std::pair<std::string, std::int64_t>> RegionRunner::variables() const {
  std::vector<std::pair<std::string, std::int64_t>> result;
  if (current_.statement == nullptr) return result;
  ir::for_each_in_scope(*current_.frame, *current_.statement, [&](const ir::Variable& variable) {
    const bool number = variable.type == ir::Type::integer || variable.type == ir::Type::node;
    if (number) result.emplace_back(variable.name, current_.slots[variable.slot]);
  });
  std::reverse(result.begin(), result.end());
  return result;
}

bool RegionRunner::repeats(const ir::Statement& s, Evaluator::Slot* frame) {
  constexpr std::uint64_t enough = 16;
  const auto* loop = std::get_if<ir::For>(&s.node);
  if (loop == nullptr) return false;
  const auto range = evaluator_.progression(loop->bindings[0].set[0], frame);
  return range && range->count >= enough;
}

NodeId RegionRunner::relabelled(NodeId node, std::uint32_t relabelling, Span span) {
  while (relabelling != 0) {
    const Relabelling& r = plan_.relabellings[relabelling];
    Evaluator::FrameGuard frame(evaluator_, static_cast<std::uint32_t>(r.frame.size()), span);
    std::copy(r.frame.begin(), r.frame.end(), frame.slots());
    frame.slots()[r.relabel->slot] = node.value;
    const std::int64_t image = evaluator_.value(r.relabel->image, frame.slots());
    const auto n = static_cast<std::int64_t>(plan_.instance.fabric->processors());
    if (image < 0 || image >= n) {
      fail(r.relabel->image.span,
           fmt::format("processor {} is relabelled {}; the fabric has processors 0 to {}", node.value, image, n - 1));
    }
    node = NodeId(static_cast<std::uint32_t>(image));
    relabelling = r.outer;
  }
  return node;
}

std::uint32_t RegionRunner::carried(std::int64_t processor, std::uint32_t relabelling, Span span) {
  const auto n = static_cast<std::int64_t>(plan_.instance.fabric->processors());
  while (relabelling != 0) {
    const Relabelling& r = plan_.relabellings[relabelling];
    Evaluator::FrameGuard frame(evaluator_, static_cast<std::uint32_t>(r.frame.size()), span);
    std::copy(r.frame.begin(), r.frame.end(), frame.slots());
    const bool own = r.relabel->carried_slot.has_value();
    frame.slots()[own ? *r.relabel->carried_slot : r.relabel->slot] = processor;
    processor = evaluator_.value(own ? *r.relabel->carried_image : r.relabel->image, frame.slots());
    relabelling = r.outer;
  }
  if (processor < 0 || processor >= n) {
    fail(span, fmt::format("there is no packet of processor {}; the fabric has processors 0 to {}", processor, n - 1));
  }
  return static_cast<std::uint32_t>(processor);
}

void RegionRunner::resolve_targets(const ir::Send& send, Evaluator::Slot* frame, const Region& region) {
  targets_.clear();
  if (send.target.type != ir::Type::node_set) {
    targets_.push_back(NodeId(static_cast<std::uint32_t>(evaluator_.value(send.target, frame))));
    result_.multicast = false;
    return;
  }
  numbers_.clear();
  evaluator_.collect(send.target, frame, numbers_);
  for (const std::int64_t number : numbers_) {
    const NodeId target = relabelled(NodeId(static_cast<std::uint32_t>(number)), region.relabelling, send.target.span);
    if (target != result_.source) targets_.push_back(target);
  }
  result_.multicast = true;
}

ChunkId RegionRunner::resolve_chunk(const ir::Send& send, Evaluator::Slot* frame, const Region& region,
                                    NodeId inner_source, std::optional<NodeId> inner_target) {
  const Collective& collective = plan_.collectives[region.collective];
  if (region.relabelling == 0 && !send.origin && !send.addressee && !send.part && !send.for_everyone) {
    const auto target = inner_target ? std::optional(inner_target->value) : std::nullopt;
    if (const auto chunk = collective.usual_chunk(inner_source.value, target, 0)) return *chunk;
  }
  const auto number = [&](const std::optional<ir::Expression>& e, std::int64_t otherwise) {
    return e ? evaluator_.value(*e, frame) : otherwise;
  };
  const std::uint32_t origin = carried(number(send.origin, inner_source.value), region.relabelling,
                                       send.origin ? send.origin->span : send.source.span);
  std::optional<std::uint32_t> target;
  if (send.addressee || (inner_target && !send.for_everyone)) {
    target = carried(number(send.addressee, inner_target ? inner_target->value : 0), region.relabelling,
                     send.addressee ? send.addressee->span : send.target.span);
  }
  const std::int64_t part = number(send.part, 0);
  const bool sane = part >= 0 && part <= 0xffffffff;
  const auto p = static_cast<std::uint32_t>(part);
  std::optional<ChunkId> chunk;
  if (sane && (send.addressee || send.for_everyone)) {
    chunk = collective.chunk({origin, target, p});
  } else if (sane) {
    chunk = collective.usual_chunk(origin, target, p);
    if (!chunk && collective.kind() == CollectiveKind::custom) chunk = collective.chunk({origin, std::nullopt, p});
  }
  if (chunk) return *chunk;
  const bool several = !target && !send.for_everyone;
  fail(send.origin ? send.origin->span : send.target.span,
       fmt::format("{} has no packet {}->{}{}; say which one with 'carrying'", collective.notation(), origin,
                   target ? fmt::to_string(*target) : std::string(several ? "(several)" : "*"),
                   part == 0 ? std::string() : fmt::format(" part {}", part)));
}

void RegionRunner::resolve_path(const ir::Send& send, Evaluator::Slot* frame, const Region& region) {
  along_.clear();
  waits_.clear();
  const auto real = [&](const ir::Expression& e) {
    const NodeId node(static_cast<std::uint32_t>(evaluator_.value(e, frame)));
    return plan_.instance.fabric->is_processor(node) ? relabelled(node, region.relabelling, e.span) : node;
  };
  for (const ir::Expression& hop : send.along) along_.push_back(real(hop));
  if (!along_.empty()) along_.push_back(targets_[0]);
  for (const ir::Wait& wait : send.waits) {
    const std::int64_t steps = evaluator_.value(wait.steps, frame);
    if (steps < 0 || steps > max_step) {
      fail(wait.steps.span, fmt::format("a wait of {} steps; expected 0 to {}", steps, max_step));
    }
    waits_.emplace_back(real(wait.at), static_cast<std::uint32_t>(steps));
  }
}

const ResolvedSend& RegionRunner::resolve(const ir::Send& send, Span span, Evaluator::Slot* frame,
                                          const Region& region) {
  const Fabric& fabric = *plan_.instance.fabric;
  const NodeId inner_source(static_cast<std::uint32_t>(evaluator_.value(send.source, frame)));
  if (!fabric.is_processor(inner_source)) {
    fail(send.source.span,
         fmt::format("switch {} cannot send of its own; expected a processor", fabric.name(inner_source)));
  }
  result_.statement = &send;
  result_.span = span;
  result_.source =
      region.relabelling == 0 ? inner_source : relabelled(inner_source, region.relabelling, send.source.span);
  resolve_targets(send, frame, region);
  std::optional<NodeId> inner_target;
  if (!result_.multicast) {
    inner_target = targets_[0];
    if (region.relabelling != 0) targets_[0] = relabelled(targets_[0], region.relabelling, send.target.span);
    if (targets_[0] == result_.source) {
      fail(span, fmt::format("processor {} sends to itself", result_.source.value));
    }
  }
  const std::uint32_t n = fabric.processors();
  for (const NodeId target : targets_) {
    if (target.value >= n) {
      fail(send.target.span, fmt::format("this is switch {}; expected a processor", fabric.name(target)));
    }
  }
  result_.chunk = resolve_chunk(send, frame, region, inner_source, inner_target);
  if (!send.along.empty() || !send.waits.empty()) {
    resolve_path(send, frame, region);
    result_.along = along_;
    result_.waits = waits_;
  } else {
    result_.along = {};
    result_.waits = {};
  }
  result_.targets = targets_;
  return result_;
}

}  // namespace quadrille
