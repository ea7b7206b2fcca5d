// Switches that forward hand out copies in the order in which they came; switches that reduce hold one partial
// reduction for each target and part, until the step in which rows take it away.
//
// Cost: a search in an ordered map for each row into or out of a switch; where switches reduce, a sort of each step's
// arrivals.
#include "runtime/switch_reductions.h"

#include <fmt/format.h>

#include <algorithm>

namespace quadrille::replaying {

void SwitchCopies::come(ChunkId packet, NodeId node, Copy copy) {
  Line& line = lines_[{packet, node}];
  // Copies that have left are dropped when they are half of all, so each copy is moved once on average.
  if (line.first > 0 && 2 * line.first >= line.copies.size()) {
    line.copies.erase(line.copies.begin(), line.copies.begin() + static_cast<std::ptrdiff_t>(line.first));
    line.first = 0;
  }
  line.copies.push_back(std::move(copy));
}

std::optional<SwitchCopies::Copy> SwitchCopies::leave(ChunkId packet, NodeId node) {
  const auto found = lines_.find({packet, node});
  if (found == lines_.end() || found->second.first == found->second.copies.size()) return std::nullopt;
  Line& line = found->second;
  return std::move(line.copies[line.first++]);
}

SwitchReductions::SwitchReductions(const ReplayContext& context)
    : context_(context),
      switching_(context.fabric.rules().switches),
      copies_(context.work),
      joined_(&context.work),
      arrivals_(&context.work) {}

SwitchReductions::ValueAtSwitch SwitchReductions::place(NodeId node, ChunkId packet) const {
  const ChunkName name = context_.collective.name(packet);
  return {node, *name.target, name.part};
}

ContributionSet SwitchReductions::depart(StepId step, NodeId from, const Row& row) {
  if (switching_ == Switching::reduce) return depart_joined(step, from, row);
  const auto copy = copies_.leave(row.chunk, from);
  if (!copy) {
    add_missing_packet(context_, step, from, row);
    return {};
  }
  ReplayedStay stay{copy->arrived, 0};
  context_.queues.leave(stay, row.channel, step);
  return copy->carried;
}

// A partial reduction that left in an earlier step is no longer there; it is replaced when the next one comes.
ContributionSet SwitchReductions::depart_joined(StepId step, NodeId from, const Row& row) {
  const auto found = joined_.find(place(from, row.chunk));
  if (found == joined_.end() || (found->second.stay.left != 0 && found->second.stay.left != step.value)) {
    add_missing_packet(context_, step, from, row);
    return {};
  }
  Joined& joined = found->second;
  if (joined.stay.left == 0 && joined.carried.has_gap() && context_.collective.ordered()) {
    context_.faults.add(step, row.channel, row.chunk, [&] {
      return fmt::format("the partial reduction that leaves {} in {} {} has a gap", context_.fabric.name(from),
                         step_word(context_.fabric), step.value);
    });
  }
  context_.queues.leave(joined.stay, row.channel, step);
  return joined.carried;
}

void SwitchReductions::arrive(StepId step, const Row& row, const ContributionSet& carried) {
  if (switching_ == Switching::forward) {
    copies_.come(row.chunk, context_.fabric.channel(row.channel).to, {step.value, carried});
  } else if (!carried.empty()) {
    arrivals_.emplace_back(row, carried);
  }
}

void SwitchReductions::end_step(StepId step) {
  std::stable_sort(arrivals_.begin(), arrivals_.end(), [this](const auto& a, const auto& b) {
    context_.work.spend(1);
    return std::tuple(a.second.smallest(), a.first.channel, a.first.lane, a.first.chunk) <
           std::tuple(b.second.smallest(), b.first.channel, b.first.lane, b.first.chunk);
  });
  for (const auto& [row, carried] : arrivals_) {
    context_.work.spend(1);
    join(step, row, carried);
  }
  arrivals_.clear();
}

void SwitchReductions::join(StepId step, const Row& row, const ContributionSet& carried) {
  const NodeId to = context_.fabric.channel(row.channel).to;
  const auto [place_of_it, is_new] = joined_.try_emplace(place(to, row.chunk));
  Joined& joined = place_of_it->second;
  if (is_new || joined.stay.left != 0) {
    joined = {{step.value, 0}, carried};
  } else if (context_.collective.idempotent() || joined.carried.disjoint(carried)) {
    joined.carried = joined.carried.united(carried);
    context_.work.take(joined.carried.intervals(), sizeof(ContributionSet::Interval));  // an upper bound
  } else {
    context_.faults.add(step, row.channel, row.chunk, [&] {
      return fmt::format("a contribution is counted twice: packet {} at switch {}",
                         context_.collective.label(row.chunk), context_.fabric.name(to));
    });
  }
}

}  // namespace quadrille::replaying
