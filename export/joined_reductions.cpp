// Joins by the rules of model/MODEL.md, step by step, with the sets of contributions that the simulator has.
//
// For example, an ordered reduction to 2 among four, in one step: 2 holds {2}, and {0}, {1} and {3} arrive. What
// becomes of them is settled by smallest contribution; they are added in an order in which each stands next to what is
// held, so 1 comes first (before), then 0 (before), then 3 (after). Where an arrival contains what is held, it takes
// its place, and what was joined earlier in the step is not needed. Cost: the runs of the sets that are joined.
#include "export/joined_reductions.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace quadrille::exporting {

// The partial reductions that the move's row names, joined; nothing if one is not there, is named twice or leaves a
// gap.
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

// Takes out of the move's first node what it carries; or says why there is nothing.
std::optional<StepFault> JoinedReductions::take(StepId step, const ChunkMove& move, ContributionSet& carried) {
  const bool from_processor = table_.fabric.is_processor(move.from);
  std::optional<ContributionSet> found;
  if (from_processor) {
    found = departing(move);
  } else if (const ContributionSet* held = in_switches_.leave(move.from, move.chunk)) {
    found = *held;
  }
  const auto wrong = [&](std::string why) {
    return StepFault{step, StepFault::FaultPlace::departure, move.number, std::move(why)};
  };
  if (!found) {
    const std::string name = table_.fabric.name(move.from);
    const std::string packet = table_.collective.label(move.chunk);
    return wrong(from_processor ? fmt::format("{} sends {} in step {}, but does not have it", name, packet, step.value)
                                : fmt::format("in step {} switch {} sends packet {}, which it does not have",
                                              step.value, name, packet));
  }
  if (!from_processor && table_.collective.ordered() && found->has_gap()) {
    return gap(StepFault::FaultPlace::departure, step, move.from, move.number);
  }
  carried = *std::move(found);
  return std::nullopt;
}

// Joins in `carried` all that the paths of the move's message bring to its receiver.
std::optional<StepFault> JoinedReductions::take_joined(const StepRows& step, const ChunkMove& move,
                                                       ContributionSet& carried) {
  std::optional<StepFault> first;
  const auto note = [&](std::optional<StepFault> wrong) {
    if (wrong && !first) first = {step.step, StepFault::FaultPlace::departure, move.number, std::move(wrong->why)};
  };
  const auto take_row = [&](std::uint32_t row) {
    ChunkMove hop = move;
    hop.from = table_.fabric.channel(step.rows[row].channel).from;
    hop.chunk = step.rows[row].chunk;
    hop.leaving = step.uses.empty() ? nullptr : &step.uses[row];
    ContributionSet taken;
    note(take(step.step, hop, taken));
    return taken;
  };
  const auto join = [&](NodeId at, std::vector<BroughtReduction>& brought) {
    ContributionSet joined;
    note(meet(step.step, at, brought, joined));
    return joined;
  };
  carried = joined_along(*move.joining, move.packet, step, table_.fabric, take_row, join);
  return first;
}

// Joins in `joined` all that paths of a message bring to the switch where they meet; or says what is wrong with that.
std::optional<StepFault> JoinedReductions::meet(StepId step, NodeId at, std::vector<BroughtReduction>& all,
                                                ContributionSet& joined) {
  std::optional<StepFault> first;
  const auto into = [&](const BroughtReduction&) -> ContributionSet& { return joined; };
  join_in_order(all, table_.collective, work_, into, [&](const BroughtReduction& it) {
    if (!first) first = twice(step, it);
  });
  if (first || all.size() == 1 || !table_.collective.ordered() || !joined.has_gap()) return first;
  return gap(StepFault::FaultPlace::at_switch, step, at);
}

StepFault JoinedReductions::twice(StepId step, const BroughtReduction& it) const {
  return {step, StepFault::FaultPlace::at_switch, it.number,
          fmt::format("a contribution is counted twice at switch {} in step {}, by {}",
                      table_.fabric.name(table_.fabric.channel(it.row.channel).to), step.value,
                      table_.collective.label(it.row.chunk))};
}

StepFault JoinedReductions::gap(StepFault::FaultPlace place, StepId step, NodeId at, std::uint32_t move) const {
  return {step, place, move,
          fmt::format("what leaves switch {} in step {} has a gap", table_.fabric.name(at), step.value)};
}

std::optional<StepFault> JoinedReductions::depart(const StepRows& step, std::span<const ChunkMove> moves) {
  const bool many_steps = table_.fabric.has_switches() && !joins_;
  if (!many_steps) carried_.clear();
  for (const ChunkMove& move : moves) {
    if (!joins_ && !table_.fabric.is_processor(move.from)) continue;
    ContributionSet carried;
    std::optional<StepFault> wrong;
    if (move.joining != nullptr) {
      wrong = take_joined(step, move, carried);
    } else if (!move.leaves_to_join) {
      wrong = take(step.step, move, carried);
    }
    if (wrong) return wrong;
    carried_.push_back(std::move(carried));
    if (many_steps) work_.take(1, sizeof(ContributionSet));
  }
  return std::nullopt;
}

// Joins in switches all that the moves bring there; or says which cannot be joined.
std::optional<StepFault> JoinedReductions::reach_switches(StepId step, std::span<const ChunkMove> moves) {
  in_switches_.end_departures();
  std::vector<BroughtReduction> brought;
  for (const ChunkMove& move : moves) {
    if (table_.fabric.is_processor(move.to) || move.leaves_to_join) continue;
    brought.push_back({{move.channel, move.lane, move.chunk}, move.number, carried_[move.departure]});
  }
  std::optional<StepFault> first;
  const auto into = [&](const BroughtReduction& it) -> ContributionSet& {
    return *in_switches_.arrive(table_.fabric.channel(it.row.channel).to, it.row.chunk).first;
  };
  join_in_order(brought, table_.collective, work_, into, [&](const BroughtReduction& it) {
    if (StepFault fault = twice(step, it); !first || fault < *first) first = std::move(fault);
  });
  return first;
}

std::optional<StepFault> JoinedReductions::step(const StepRows& step, std::span<const ChunkMove> moves,
                                                std::span<const ChunkMove> arrivals) {
  if (auto wrong = depart(step, moves)) return wrong;
  if (joins_) {
    if (auto wrong = reach_switches(step.step, moves)) return wrong;
  }
  joinings_.clear();
  receptions_.clear();
  for (const ChunkMove& move : arrivals) {
    const ContributionSet& carried = carried_[move.departure];
    const bool ends = at_target(move.chunk, move.to);
    if (!ends || keeps_at_targets_) *brought_.insert({move.chunk.value, move.to.value}).first = carried;
    if (!ends) continue;
    joinings_.push_back({{table_.collective.value_of(move.chunk), move.to}, &move, carried});
  }
  std::stable_sort(joinings_.begin(), joinings_.end(), [](const Joining& a, const Joining& b) {
    return std::tuple(a.place, a.brought.smallest()) < std::tuple(b.place, b.brought.smallest());
  });
  keep();
  for (auto first = joinings_.begin(); first != joinings_.end();) {
    const auto last =
        std::find_if(first, joinings_.end(), [&](const Joining& joining) { return joining.place != first->place; });
    if (auto wrong = join(step.step, first, last)) return wrong;
    first = last;
  }
  for (const ChunkMove& move : arrivals) {
    if (!at_target(move.chunk, move.to)) receptions_.push_back({&move});
  }
  return std::nullopt;
}

// Takes those that are kept out of the joinings, which are in the order of arrivals.
void JoinedReductions::keep() {
  std::erase_if(joinings_, [&](const Joining& joining) {
    const ReductionUse* use = joining.move->arriving;
    if (use == nullptr || use->arrival != Arrival::kept) return false;
    receptions_.push_back({joining.move, Action::keep});
    held_.arrive(joining.place.first, joining.place.second, joining.brought, Arrival::kept);
    return true;
  });
}

// All that reaches one processor and value in this step.
std::optional<StepFault> JoinedReductions::join(StepId step, std::vector<Joining>::iterator first,
                                                std::vector<Joining>::iterator last) {
  const NodeId at = first->move->to;
  const auto wrong = [&](std::string why) {
    return StepFault{step, StepFault::FaultPlace::arrival, 0, std::move(why)};
  };
  ContributionSet base = held_.at(first->place.first, at);  // what the last one that replaced has left
  auto after_base = first;                                  // what came behind it
  for (auto it = first; it != last; ++it) {
    const ReductionUse* use = it->move->arriving;
    const Arrival said = use == nullptr ? Arrival::joined : use->arrival;
    const Arrival became = held_.arrive(it->place.first, at, it->brought, said);
    // An arrival that can be combined is, unless the table says otherwise.
    if (became == Arrival::stored && (said == Arrival::stored || !table_.collective.idempotent())) {
      for (; after_base != it; ++after_base) receptions_.push_back({after_base->move, Action::discard});
      receptions_.push_back({it->move, Action::store});
      base = it->brought;
      after_base = it + 1;
    } else if (became == Arrival::joined) {
      return wrong(fmt::format("{} at processor {} in step {}, by {}",
                               said == Arrival::stored ? "what is held is replaced by what does not contain it"
                                                       : "a contribution is counted twice",
                               table_.fabric.name(at), step.value, table_.collective.label(it->move->chunk)));
    }
  }
  if (!chain(after_base, last, base)) {
    return wrong(fmt::format("what processor {} combines in step {} has a gap", table_.fabric.name(at), step.value));
  }
  return std::nullopt;
}

// Unites these with `from`: in any order if the operation commutes, else outwards on either side.
bool JoinedReductions::chain(std::vector<Joining>::iterator first, std::vector<Joining>::iterator last,
                             const ContributionSet& from) {
  if (!table_.collective.ordered()) {
    for (auto it = first; it != last; ++it) receptions_.push_back({it->move, Action::combine});
    return true;
  }
  // They come by increasing smallest contribution.
  const auto above =
      std::find_if(first, last, [&](const Joining& joining) { return joining.brought.smallest() > from.smallest(); });
  ContributionSet now = from;
  const auto add = [&](const Joining& joining, Action action) {
    receptions_.push_back({joining.move, action});
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
