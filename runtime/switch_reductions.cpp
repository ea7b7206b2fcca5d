// Cost: a look-up for each row into or out of a switch; where switches reduce, a sort of each step's arrivals.
#include "runtime/switch_reductions.h"

#include <fmt/format.h>

namespace quadrille::replaying {

ContributionSet SwitchReductions::depart(StepId step, NodeId from, const Row& row) {
  ReductionStay* held = held_.leave(from, row.chunk);
  if (held == nullptr) {
    add_missing_packet(context_, step, from, row);
    return {};
  }
  if (reduce_ && held->stay.left == 0 && held->carried.has_gap()) add_gap(step, from, row);
  context_.queues.leave(held->stay, row.channel, step);
  return held->carried;
}

void SwitchReductions::arrive(StepId step, const Row& row, const ContributionSet& carried) {
  if (!reduce_) {
    *held_.arrive(context_.fabric.channel(row.channel).to, row.chunk).first = {{step.value, 0}, carried};
  } else {
    brought_.push_back({row, 0, carried});
  }
}

void SwitchReductions::end_step(StepId step) {
  held_.end_departures();
  const auto into = [&](const BroughtReduction& it) -> ContributionSet& {
    const auto [held, is_new] = held_.arrive(context_.fabric.channel(it.row.channel).to, it.row.chunk);
    if (is_new) held->stay = {step.value, 0};
    return held->carried;
  };
  join_in_order(brought_, context_.collective, context_.work, into,
                [&](const BroughtReduction& it) { add_clash(step, it); });
  brought_.clear();
}

void SwitchReductions::add_clash(StepId step, const BroughtReduction& it) const {
  context_.faults.add(step, it.row.channel, it.row.chunk, [&] {
    return fmt::format("a contribution is counted twice: packet {} at switch {}",
                       context_.collective.label(it.row.chunk),
                       context_.fabric.name(context_.fabric.channel(it.row.channel).to));
  });
}

void SwitchReductions::add_gap(StepId step, NodeId from, const Row& row) const {
  if (!context_.collective.ordered()) return;
  context_.faults.add(step, row.channel, row.chunk, [&] {
    return fmt::format("the partial reduction that leaves {} in {} {} has a gap", context_.fabric.name(from),
                       step_word(context_.fabric), step.value);
  });
}

}  // namespace quadrille::replaying
