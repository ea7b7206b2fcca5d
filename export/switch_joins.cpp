// What switches hold that add up what passes them.
//
// For example, 0 and 1 send to 2, around a switch, in step 1: the switch holds {0, 1} for target 2, which one row takes
// to 2 in step 2, whichever of the two it names. Cost: a sort of what a step brings, and a search for each.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "export/joined_reductions.h"

namespace quadrille::exporting {
namespace {

void put_in_order(std::vector<BroughtToSwitch>& all) {
  const auto key = [](const BroughtToSwitch& it) {
    return std::tuple(it.carried.smallest(), it.move->channel, it.move->lane, it.move->chunk);
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const BroughtToSwitch& a, const BroughtToSwitch& b) { return key(a) < key(b); });
}

}  // namespace

StepFault SwitchJoins::twice(StepId step, const ChunkMove& move) const {
  return {step, StepFault::FaultPlace::at_switch, move.number,
          fmt::format("a contribution is counted twice at switch {} in step {}, by {}", table_.fabric.name(move.to),
                      step.value, table_.collective.label(move.chunk))};
}

std::optional<ContributionSet> SwitchJoins::leave(NodeId at, ChunkId chunk) {
  const ChunkName name = table_.collective.name(chunk);
  const auto found = held_.find({at, *name.target, name.part});
  if (found == held_.end()) return std::nullopt;
  left_.push_back(found->first);
  return found->second;
}

std::optional<StepFault> SwitchJoins::end_step(StepId step, std::vector<BroughtToSwitch> all) {
  for (const SwitchHolding& place : left_) held_.erase(place);
  left_.clear();
  put_in_order(all);
  std::optional<StepFault> first;
  for (const BroughtToSwitch& it : all) {
    const ChunkName name = table_.collective.name(it.move->chunk);
    ContributionSet& joined = held_[{it.move->to, *name.target, name.part}];
    if (fit(joined, it.carried)) {
      joined = joined.united(it.carried);
      work_.take(joined.intervals(), sizeof(ContributionSet::Interval));  // an upper bound
    } else if (const StepFault fault = twice(step, *it.move); !first || fault < *first) {
      first = fault;
    }
  }
  return first;
}

std::optional<StepFault> SwitchJoins::meet(StepId step, NodeId at, std::vector<BroughtToSwitch> all,
                                           ContributionSet& joined) const {
  put_in_order(all);
  joined = {};
  for (const BroughtToSwitch& it : all) {
    if (!fit(joined, it.carried)) return twice(step, *it.move);
    joined = joined.united(it.carried);
  }
  if (all.size() == 1 || !table_.collective.ordered() || !joined.has_gap()) return std::nullopt;
  return StepFault{step, StepFault::FaultPlace::at_switch, 0, gap(table_.fabric.name(at), step)};
}

std::string SwitchJoins::gap(std::string_view at, StepId step) {
  return fmt::format("what leaves switch {} in step {} has a gap", at, step.value);
}

}  // namespace quadrille::exporting
