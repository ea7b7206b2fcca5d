// Joins by the rules of model/MODEL.md, step by step, with the sets of contributions that the simulator has.
//
// For example, an ordered reduction to 2 among four, in one step: 2 holds {2}, and {0}, {1} and {3} arrive. What
// becomes of them is settled by smallest contribution; they are added in an order in which each stands next to what is
// held, so 1 comes first (before), then 0 (before), then 3 (after). Where an arrival contains what is held, it takes
// its place, and what was joined earlier in the step is not needed. Cost: the runs of the sets that are joined.
#include "export/joined_reductions.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "export/processor_sends.h"

namespace quadrille::exporting {

// What those make that the move's row names; nothing if one is not there, is named twice or leaves a gap.
std::optional<ContributionSet> JoinedReductions::chained(const ChunkMove& move) const {
  const std::uint32_t value = table_.collective.value_of(move.chunk);
  HeldReductions::Chain chain = held_.chained(value, move.from, move.leaving->sent);
  if (chain.missing || chain.overlapping > 0 || (chain.gap && table_.collective.ordered())) return std::nullopt;
  return std::move(chain.made);
}

std::vector<std::uint32_t> JoinedReductions::in_order(std::uint32_t value, NodeId processor,
                                                      std::vector<std::uint32_t> numbers) const {
  if (!table_.collective.ordered()) return numbers;
  std::ranges::sort(numbers, {}, [&](std::uint32_t number) { return held_.at(value, processor, number).smallest(); });
  return numbers;
}

std::vector<std::uint32_t> JoinedReductions::result(std::uint32_t value, NodeId processor) const {
  const auto wanted = table_.collective.wanted_contributions(value, processor);
  if (!wanted) return {};
  const ContributionSet all(static_cast<std::uint32_t>(wanted->first), static_cast<std::uint32_t>(wanted->second));
  return held_.wanted(value, processor, all);
}

// Nothing if the packet is not there.
std::optional<ContributionSet> JoinedReductions::departing(const ChunkMove& move) const {
  if (table_.collective.name(move.chunk).origin == move.from.value) {
    if (move.leaving != nullptr && !move.leaving->sent.empty()) return chained(move);
    return held_.at(table_.collective.value_of(move.chunk), move.from);
  }
  if (!keeps_at_targets_ && at_target(move.chunk, move.from)) throw GoesOnFromTarget{};
  const ContributionSet* brought = brought_.find({move.chunk.value, move.from.value});
  return brought == nullptr ? std::nullopt : std::optional(*brought);
}

void JoinedReductions::join_in_switches() {
  if (has_no_sender(table_)) in_switches_.emplace(table_, work_);
}

// What the move takes out of its first node; or why there is nothing.
std::optional<StepFault> JoinedReductions::take(StepId step, const ChunkMove& move, ContributionSet& carried) {
  const bool from_processor = table_.fabric.is_processor(move.from);
  auto found = from_processor ? departing(move) : in_switches_->leave(move.from, move.chunk);
  const auto wrong = [&](std::string why) {
    return StepFault{step, StepFault::FaultPlace::departure, move.number, std::move(why)};
  };
  const std::string name = table_.fabric.name(move.from);
  if (!found && from_processor) {
    return wrong(fmt::format("{} sends {} in step {}, but does not have it", name, table_.collective.label(move.chunk),
                             step.value));
  }
  if (!found) {
    return wrong(fmt::format("in step {} switch {} sends packet {}, which it does not have", step.value, name,
                             table_.collective.label(move.chunk)));
  }
  if (!from_processor && table_.collective.ordered() && found->has_gap()) {
    return wrong(SwitchJoins::gap(name, step));
  }
  carried = *std::move(found);
  return std::nullopt;
}

// What reaches the receiver of a message that joins: what comes to a node of its paths is known before what leaves it.
std::optional<StepFault> JoinedReductions::take_joined(StepId step, const ChunkMove& move, ContributionSet& carried) {
  std::map<NodeId, std::vector<BroughtToSwitch>> brought;
  for (const ChunkMove& hop : *move.paths) {
    const auto before = brought.find(hop.from);
    std::optional<StepFault> wrong = before == brought.end()
                                         ? take(step, hop, carried)
                                         : in_switches_->meet(step, hop.from, std::move(before->second), carried);
    if (wrong) return StepFault{step, StepFault::FaultPlace::departure, move.number, std::move(wrong->why)};
    brought[hop.to].push_back({&hop, carried});
  }
  return std::nullopt;
}

std::optional<StepFault> JoinedReductions::depart(StepId step, std::span<const ChunkMove> moves) {
  const bool many_steps = table_.fabric.has_switches() && !in_switches_;
  if (!many_steps) carried_.clear();
  for (const ChunkMove& move : moves) {
    if (!in_switches_ && !table_.fabric.is_processor(move.from)) continue;
    ContributionSet carried;
    std::optional<StepFault> wrong;
    if (move.paths != nullptr) {
      wrong = take_joined(step, move, carried);
    } else if (move.part == ChunkMove::JoinedPart::whole) {
      wrong = take(step, move, carried);
    }
    if (wrong) return wrong;
    carried_.push_back(std::move(carried));
    if (many_steps) work_.take(1, sizeof(ContributionSet));
  }
  return std::nullopt;
}

std::optional<StepFault> JoinedReductions::reach_switches(StepId step, std::span<const ChunkMove> moves) {
  std::vector<BroughtToSwitch> brought;
  for (const ChunkMove& move : moves) {
    if (table_.fabric.is_processor(move.to) || move.part == ChunkMove::JoinedPart::leaves) continue;
    brought.push_back({&move, carried_[move.departure]});
  }
  return in_switches_->end_step(step, std::move(brought));
}

std::optional<StepFault> JoinedReductions::step(StepId step, std::span<const ChunkMove> departures,
                                                std::vector<ChunkMove>& moves) {
  if (auto wrong = depart(step, departures)) return wrong;
  if (in_switches_) {
    if (auto wrong = reach_switches(step, departures)) return wrong;
  }
  joinings_.clear();
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const ChunkMove& move = moves[i];
    const ContributionSet& carried = carried_[move.departure];
    const bool ends = at_target(move.chunk, move.to);
    if (!ends || keeps_at_targets_) *brought_.insert({move.chunk.value, move.to.value}).first = carried;
    if (!ends) continue;
    joinings_.push_back({{table_.collective.value_of(move.chunk), move.to}, i, carried});
  }
  std::stable_sort(joinings_.begin(), joinings_.end(), [](const Joining& a, const Joining& b) {
    return std::tuple(a.place, a.brought.smallest()) < std::tuple(b.place, b.brought.smallest());
  });
  order_.clear();
  keep(moves);
  for (auto first = joinings_.begin(); first != joinings_.end();) {
    const auto last =
        std::find_if(first, joinings_.end(), [&](const Joining& joining) { return joining.place != first->place; });
    if (auto wrong = join(step, first, last, moves)) return wrong;
    first = last;
  }
  std::vector<ChunkMove> ordered;
  for (const std::size_t i : order_) ordered.push_back(moves[i]);
  for (const ChunkMove& move : moves) {
    if (!at_target(move.chunk, move.to)) ordered.push_back(move);
  }
  moves = std::move(ordered);
  return std::nullopt;
}

// Takes those that are kept out of the joinings, which are in the order of arrivals.
void JoinedReductions::keep(std::vector<ChunkMove>& moves) {
  std::erase_if(joinings_, [&](const Joining& joining) {
    ChunkMove& move = moves[joining.move];
    if (move.arriving == nullptr || move.arriving->arrival != Arrival::kept) return false;
    move.action = Action::keep;
    order_.push_back(joining.move);
    held_.arrive(joining.place.first, joining.place.second, joining.brought, Arrival::kept);
    return true;
  });
}

// All that reaches one processor and value in this step.
std::optional<StepFault> JoinedReductions::join(StepId step, std::vector<Joining>::iterator first,
                                                std::vector<Joining>::iterator last, std::vector<ChunkMove>& moves) {
  const NodeId at = moves[first->move].to;
  const auto wrong = [&](std::string why) {
    return StepFault{step, StepFault::FaultPlace::arrival, 0, std::move(why)};
  };
  ContributionSet base = held_.at(first->place.first, at);  // what the last one that replaced has left
  auto after_base = first;                                  // what came behind it
  for (auto it = first; it != last; ++it) {
    const ReductionUse* use = moves[it->move].arriving;
    const Arrival said = use == nullptr ? Arrival::joined : use->arrival;
    const Arrival became = held_.arrive(it->place.first, at, it->brought, said);
    // What can be combined is, unless the table says otherwise.
    if (became == Arrival::stored && (said == Arrival::stored || !table_.collective.idempotent())) {
      for (auto before = after_base; before != it; ++before) moves[before->move].action = Action::discard;
      for (auto before = after_base; before != it; ++before) order_.push_back(before->move);
      moves[it->move].action = Action::store;
      order_.push_back(it->move);
      base = it->brought;
      after_base = it + 1;
    } else if (became == Arrival::joined) {
      return wrong(fmt::format("{} at processor {} in step {}, by {}",
                               said == Arrival::stored ? "what is held is replaced by what does not contain it"
                                                       : "a contribution is counted twice",
                               table_.fabric.name(at), step.value, table_.collective.label(moves[it->move].chunk)));
    }
  }
  if (!chain(after_base, last, base, moves)) {
    return wrong(fmt::format("what processor {} combines in step {} has a gap", table_.fabric.name(at), step.value));
  }
  return std::nullopt;
}

// Those that are united with `from`: in any order if the operation commutes, else outwards on either side.
bool JoinedReductions::chain(std::vector<Joining>::iterator first, std::vector<Joining>::iterator last,
                             const ContributionSet& from, std::vector<ChunkMove>& moves) {
  if (!table_.collective.ordered()) {
    for (auto it = first; it != last; ++it) {
      moves[it->move].action = Action::combine;
      order_.push_back(it->move);
    }
    return true;
  }
  // They come by increasing smallest contribution.
  const auto above =
      std::find_if(first, last, [&](const Joining& joining) { return joining.brought.smallest() > from.smallest(); });
  ContributionSet now = from;
  const auto add = [&](const Joining& joining, Action action) {
    moves[joining.move].action = action;
    order_.push_back(joining.move);
    now = now.united(joining.brought);
    return !now.has_gap();
  };
  for (auto it = above; it != first; --it) {
    if (!add(*(it - 1), Action::combine_before)) return false;
  }
  for (auto it = above; it != last; ++it) {
    if (!add(*it, Action::combine_after)) return false;
  }
  return true;
}

}  // namespace quadrille::exporting
