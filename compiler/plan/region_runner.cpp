// The runner resolves a send: it evaluates the expressions, maps the processors through the relabellings around it
// (packet_names.cpp), and names the packet after `carrying`, or else as the collective has it.
//
// For example, in `relabel x -> x + 4: send 0 -> 1`, of a total exchange, the send goes from 4 to 5 and carries 4->5.
// Cost: the expressions, and those of each relabelling for source, targets and packet.
#include "compiler/plan/region_runner.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/described.h"

namespace quadrille {

namespace {

// Returns the text to write where a send to several processors was meant to bring each its own packet.
std::string a_packet_each(const Collective& collective, std::uint32_t source, std::span<const NodeId> targets) {
  constexpr std::size_t most_shown = 4;
  std::string set = fmt::format("processors if t != {}", source);
  if (targets.size() + 1 < collective.processors() && targets.size() <= most_shown) {
    set.clear();
    for (const NodeId target : targets) set += fmt::format("{}{}", set.empty() ? "" : ", ", target.value);
    set = "{" + set + "}";
  }
  return fmt::format(
      "a send to several brings all of them one packet, and {} has one for each; expected a send for each, such as "
      "'for t in {}: send {} -> t'",
      described(collective), set, source);
}

}  // namespace

std::vector<std::pair<std::string, std::int64_t>> RegionRunner::variables() const {
  std::vector<std::pair<std::string, std::int64_t>> result;
  if (current_.statement == nullptr) return result;
  ir::for_each_in_scope(*current_.frame, *current_.statement, [&](ir::VariableId id, const ir::Variable& variable) {
    const bool number = variable.type == ir::Type::integer || variable.type == ir::Type::node;
    if (number) result.emplace_back(variable.name, current_.slots[id.value]);
  });
  std::reverse(result.begin(), result.end());
  return result;
}

bool RegionRunner::repeats(const ir::Statement& s, Evaluator::Slot* frame) {
  constexpr std::uint64_t enough = 16;
  const auto* loop = std::get_if<ir::For>(&s.node);
  if (loop == nullptr) return false;
  const auto range = evaluator_->progression(loop->bindings[0].set, frame);
  return range && range->count >= enough;
}

bool RegionRunner::has_a_packet_each(const ir::Send& send, const Region& region) const {
  return send.target.type == ir::Type::node_set && !send.addressee && send.links.empty() &&
         plan_.collectives[region.collective].combining();
}

std::vector<std::int64_t> RegionRunner::targets_of(const ir::Send& send, Evaluator::Slot* frame) {
  std::vector<std::int64_t> targets;
  evaluator_->collect(send.target, frame, targets);
  return targets;
}

void RegionRunner::resolve_targets(const ir::Send& send, Evaluator::Slot* frame, const Region& region) {
  targets_.clear();
  if (only_target_) {
    targets_.push_back(NodeId(static_cast<std::uint32_t>(*only_target_)));
    result_.multicast = false;
    return;
  }
  if (send.target.type != ir::Type::node_set) {
    targets_.push_back(NodeId(static_cast<std::uint32_t>(evaluator_->value(send.target, frame))));
    result_.multicast = false;
    return;
  }
  numbers_.clear();
  evaluator_->collect(send.target, frame, numbers_);
  for (const std::int64_t number : numbers_) {
    if (const NodeId inner(static_cast<std::uint32_t>(number)); !own_fabric(region).is_processor(inner)) {
      fail(send.target.span, fmt::format("this is switch {}; expected a processor", own_fabric(region).name(inner)),
           Code::type);
    }
    const NodeId target =
        names_.processor(NodeId(static_cast<std::uint32_t>(number)), region.relabelling, send.target.span);
    if (target != result_.source) targets_.push_back(target);
  }
  result_.multicast = true;
}

// Resolves the chunks to all combinations of the values after `carrying`, each of which is a number or a set.
void RegionRunner::resolve_chunks(const ir::Send& send, Evaluator::Slot* frame, const Region& region,
                                  NodeId inner_source, std::optional<NodeId> inner_target) {
  chunks_.clear();
  if (!ir::carries_several(send)) {
    const auto number = [&](const std::optional<ir::Expression>& e) {
      return e ? std::optional(evaluator_->value(*e, frame)) : std::nullopt;
    };
    const Named named{number(send.origin), number(send.addressee), number(send.part)};
    resolve_chunk(send, named, region, inner_source, inner_target);
    if (chunks_.size() > 1) sort_chunks();
    return;
  }
  using Numbers = std::vector<std::optional<std::int64_t>>;
  const auto numbers = [&](const std::optional<ir::Expression>& e) -> Numbers {
    if (!e) return {std::nullopt};
    if (!ir::is_set(e->type)) return {evaluator_->value(*e, frame)};
    numbers_.clear();
    evaluator_->collect(*e, frame, numbers_);
    return {numbers_.begin(), numbers_.end()};
  };
  const Numbers origins = numbers(send.origin);
  const Numbers addressees = numbers(send.addressee);
  const Numbers parts = numbers(send.part);
  for (const auto& origin : origins) {
    for (const auto& addressee : addressees) {
      for (const auto& part : parts) {
        evaluator_->count_iteration(current_.statement->span);
        resolve_chunk(send, {origin, addressee, part}, region, inner_source, inner_target);
      }
    }
  }
  sort_chunks();
}

void RegionRunner::sort_chunks() {
  std::sort(chunks_.begin(), chunks_.end());
  chunks_.erase(std::unique(chunks_.begin(), chunks_.end()), chunks_.end());
}

// Appends the chunk; or several, where relabellings map it to several.
void RegionRunner::resolve_chunk(const ir::Send& send, const Named& named, const Region& region, NodeId inner_source,
                                 std::optional<NodeId> inner_target) {
  const Collective& collective = plan_.collectives[region.collective];
  // The common case: the packet is the one that the collective has for source and target.
  if (region.relabelling == 0 && !named.origin && !named.addressee && !named.part && !send.for_everyone) {
    const auto target = inner_target ? std::optional(inner_target->value) : std::nullopt;
    if (const auto chunk = collective.default_chunk(inner_source.value, target, 0)) return chunks_.push_back(*chunk);
  }
  NamedPacket packet;
  packet.origin = named.origin.value_or(inner_source.value);
  if (named.addressee || (inner_target && !send.for_everyone))
    packet.target = named.addressee.value_or(inner_target ? inner_target->value : 0);
  packet.part = named.part.value_or(0);
  packet.exact = send.addressee || send.for_everyone;
  packet.span = send.origin ? send.origin->span : send.target.span;
  if (!plan_.relabellings[region.relabelling].one_to_one) {
    return names_.chunks(region, packet, inner_source, inner_target, chunks_);
  }
  packet.origin = names_.end(packet.origin, region.relabelling, send.origin ? send.origin->span : send.source.span);
  if (packet.target) {
    const Span span = send.addressee ? send.addressee->span : send.target.span;
    packet.target = names_.end(*packet.target, region.relabelling, span);
  }
  if (const auto chunk = PacketNames::chunk_named(collective, packet)) return chunks_.push_back(*chunk);
  const bool several = !packet.target && !send.for_everyone;
  if (several && !targets_.empty()) {
    NamedPacket for_one = packet;
    for_one.target = targets_.front().value;
    if (PacketNames::chunk_named(collective, for_one))
      fail(send.target.span, a_packet_each(collective, inner_source.value, targets_), Code::name);
  }
  PacketNames::fail_unknown(collective, packet, several);
}

NodeId RegionRunner::real_node(std::int64_t number, const Region& region, Span span) {
  const NodeId node(static_cast<std::uint32_t>(number));
  if (own_fabric(region).is_processor(node)) return names_.processor(node, region.relabelling, span);
  if (plan_.home(region.setting) != 0) {
    fail(span,
         fmt::format("a schedule that is run goes along no switch of its own fabric, such as {}; only along processors",
                     own_fabric(region).name(node)),
         Code::unsupported);
  }
  return node;
}

void RegionRunner::resolve_links(const ir::Send& send, Evaluator::Slot* frame, const Region& region) {
  links_.clear();
  for (std::size_t i = 0; i < send.links.size(); ++i) {
    const auto& [from, to] = send.links[i];
    const NodeId at = real_node(evaluator_->value(from, frame), region, from.span);
    numbers_.clear();
    if (ir::is_set(to.type)) {
      evaluator_->collect(to, frame, numbers_);
    } else {
      numbers_.push_back(evaluator_->value(to, frame));
    }
    for (const std::int64_t number : numbers_) links_.push_back({at, real_node(number, region, to.span), i});
  }
}

void RegionRunner::resolve_path(const ir::Send& send, Evaluator::Slot* frame, const Region& region) {
  along_.clear();
  waits_.clear();
  const auto real = [&](const ir::Expression& e) { return real_node(evaluator_->value(e, frame), region, e.span); };
  for (const ir::Expression& hop : send.along) along_.push_back(real(hop));
  if (!along_.empty()) along_.push_back(targets_[0]);
  resolve_links(send, frame, region);
  for (const ir::Wait& wait : send.waits) {
    const std::int64_t steps = evaluator_->value(wait.steps, frame);
    if (steps < 0 || steps > max_step) {
      fail(wait.steps.span, fmt::format("a wait of {} steps; expected 0 to {}", steps, max_step), Code::range);
    }
    waits_.push_back({real(wait.at), {}, static_cast<std::uint32_t>(steps)});
    if (wait.before) waits_.back().before = real(*wait.before);
  }
}

const ResolvedSend& RegionRunner::resolve(const ir::Send& send, Span span, Evaluator::Slot* frame,
                                          const Region& region) {
  const Fabric& fabric = own_fabric(region);
  const NodeId inner_source(static_cast<std::uint32_t>(evaluator_->value(send.source, frame)));
  if (!fabric.is_processor(inner_source)) {
    fail(send.source.span,
         fmt::format("switch {} cannot send of its own; expected a processor", fabric.name(inner_source)),
         Code::invalid);
  }
  result_.statement = &send;
  result_.span = span;
  result_.source =
      region.relabelling == 0 ? inner_source : names_.processor(inner_source, region.relabelling, send.source.span);
  resolve_targets(send, frame, region);
  // The packet's name comes from the processors as the block has them (inner), by a mapping of its own; the route goes
  // between the processors that they are relabelled to.
  std::optional<NodeId> inner_target;
  if (!result_.multicast) {
    inner_target = targets_[0];
    if (!fabric.is_processor(*inner_target)) {
      fail(send.target.span, fmt::format("this is switch {}; expected a processor", fabric.name(*inner_target)),
           Code::type);
    }
    if (region.relabelling != 0) targets_[0] = names_.processor(targets_[0], region.relabelling, send.target.span);
    if (targets_[0] == result_.source && only_target_) {
      targets_.clear();  // in a set the source does not count
      result_.targets = targets_;
      return result_;
    }
    if (targets_[0] == result_.source) {
      fail(span, fmt::format("processor {} sends to itself", result_.source.value), Code::invalid);
    }
  }
  result_.held = send.held.has_value();
  if (result_.held) {
    resolve_held(send, frame, region);
  } else {
    resolve_chunks(send, frame, region, inner_source, inner_target);
  }
  result_.chunks = chunks_;
  resolve_words(send, frame, region);
  if (!send.along.empty() || !send.links.empty() || !send.waits.empty()) {
    resolve_path(send, frame, region);
    result_.along = along_;
    result_.links = links_;
    result_.waits = waits_;
  } else {
    result_.along = {};
    result_.links = {};
    result_.waits = {};
  }
  result_.targets = targets_;
  return result_;
}

}  // namespace quadrille
