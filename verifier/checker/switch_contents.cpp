// Idea and cost: SwitchContents in reduction_tracker.h.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "verifier/checker/copies.h"
#include "verifier/checker/reduction_tracker.h"

namespace quadrille::checker {
namespace {

class ForwardedReductions final : public SwitchContents {
 public:
  explicit ForwardedReductions(Pass pass) : copies_(pass) {}

  ContributionsRef leave(const StepRows& batch, const Move& move) override {
    Forwarding::Copy copy;
    copies_.take(batch, move, copy);
    return copy.set;
  }
  void reach(const StepRows& batch, const Move& move, const ContributionsRef& set) override {
    copies_.bring(move.chunk, move.to, batch.step.value, set);
  }
  void end_step(const StepRows&) override {}

 private:
  Forwarding copies_;
};

class JoinedReductions final : public SwitchContents {
 public:
  JoinedReductions(Pass pass, Additions& additions)
      : pass_(pass), additions_(additions), share_(pass.budget), held_(pass.budget) {}

  ContributionsRef leave(const StepRows& batch, const Move& move) override;
  void reach(const StepRows& batch, const Move& move, const ContributionsRef& set) override;
  void end_step(const StepRows& batch) override;

 private:
  // What a switch holds for one (target, part); null: nothing. stay.departure: the step in which it left.
  struct HeldAtSwitch {
    Stay stay;
    ContributionsRef set;
    bool there() const { return set != nullptr && stay.departure == 0; }
  };
  struct Join {
    std::uint32_t node;
    std::uint64_t wanted;    // the number of (target, part)
    std::uint32_t smallest;  // contribution in its set
    ChannelId channel;
    LaneId lane;
    ChunkId packet;
    std::uint32_t place;  // in the order of the arrivals
    std::uint32_t row;
    ContributionsRef set;
  };

  std::uint64_t wanted(ChunkId packet) const {
    const ChunkName name = pass_.table.collective.name(packet);
    return std::uint64_t{name.part} * pass_.table.fabric.processors() + *name.target;
  }
  void judge_gaps(const StepRows& batch, const Move& move, const SharedContributions& leaving);
  void blame(const StepRows& batch, const Join& join, const Intervals& held);

  Pass pass_;
  Additions& additions_;
  Share share_;
  PacketTable<PairKey, HeldAtSwitch> held_;  // by (target and part, switch)
  std::vector<Join> joins_;
};

ContributionsRef JoinedReductions::leave(const StepRows& batch, const Move& move) {
  const NodeId at = move.from;
  HeldAtSwitch* held = held_.find({wanted(move.chunk), at.value});
  if (held == nullptr || (!held->there() && held->stay.departure != batch.step.value)) {
    add_causal(pass_, batch, move.row, at, [] { return std::string(": the switch holds nothing for its target"); });
    return nullptr;
  }
  if (held->there()) judge_gaps(batch, move, *held->set);
  leave_switch(pass_, held->stay, move.channel, at, batch.step.value);
  return held->set;
}

// An ordered operation cannot take apart what leaves a switch as one, to put something in between.
void JoinedReductions::judge_gaps(const StepRows& batch, const Move& move, const SharedContributions& leaving) {
  if (leaving.intervals().size() <= 1 || !pass_.table.collective.ordered()) return;
  pass_.findings.add(Property::complete, batch.step.value, [&] {
    std::string text =
        fmt::format("{} leaves switch {} in step {} with the contributions {}: an ordered operation leaves no gaps",
                    pass_.table.collective.label(move.chunk), pass_.table.fabric.name(move.from), batch.step.value,
                    text_of(leaving.intervals()));
    return BlamedViolation{{.step = batch.step,
                            .channel = move.channel,
                            .node = move.from,
                            .chunk = move.chunk,
                            .message = std::move(text)},
                           RowPlace{batch.step, move.row}};
  });
}

void JoinedReductions::reach(const StepRows&, const Move& move, const ContributionsRef& set) {
  if (set == nullptr) return;
  share_.add(sizeof(Join));
  const auto place = static_cast<std::uint32_t>(joins_.size());
  joins_.push_back({move.to.value, wanted(move.chunk), set->intervals().front().first, move.channel, move.lane,
                    move.chunk, place, move.row, set});
}

void JoinedReductions::end_step(const StepRows& batch) {
  std::uint64_t compared = 0;
  const auto order = [](const Join& it) {
    return std::tie(it.node, it.wanted, it.smallest, it.channel, it.lane, it.packet, it.place);
  };
  std::sort(joins_.begin(), joins_.end(), [&](const Join& a, const Join& b) {
    look_at_limits(pass_.limits, compared++);
    return order(a) < order(b);
  });
  // A switch adds what comes to what it holds; it never puts one in place of the other.
  for (auto next = joins_.begin(); next != joins_.end();) {
    const Join& first = *next;
    HeldAtSwitch& held = *held_.insert({first.wanted, first.node}).first;
    if (!held.there()) held = HeldAtSwitch{Stay{batch.step.value, 0}, nullptr};
    Sum sum(additions_, held.set);
    for (; next != joins_.end() && next->node == first.node && next->wanted == first.wanted; ++next) {
      if (sum.fits(*next->set)) {
        sum.add(next->set, {batch.step.value, next->row, NodeId{next->node}});
      } else {
        blame(batch, *next, sum.now()->intervals());
      }
    }
    held.set = sum.made();
  }
  share_.remove(joins_.size() * sizeof(Join));
  joins_.clear();
}

void JoinedReductions::blame(const StepRows& batch, const Join& join, const Intervals& held) {
  pass_.findings.add(Property::complete, batch.step.value, [&] {
    std::string text =
        fmt::format("{} brings the contributions {} to switch {} in step {}, which holds {}: {} is counted twice",
                    pass_.table.collective.label(join.packet), text_of(join.set->intervals()),
                    pass_.table.fabric.name(NodeId{join.node}), batch.step.value, text_of(held),
                    first_common(join.set->intervals(), held));
    return BlamedViolation{{.step = batch.step,
                            .channel = join.channel,
                            .node = NodeId{join.node},
                            .chunk = join.packet,
                            .value = pass_.table.collective.name(join.packet).part,
                            .contribution = first_common(join.set->intervals(), held),
                            .message = std::move(text)},
                           RowPlace{batch.step, join.row}};
  });
}

}  // namespace

std::unique_ptr<SwitchContents> SwitchContents::make(Pass pass, Additions& additions) {
  const Fabric& fabric = pass.table.fabric;
  if (!fabric.has_switches()) return nullptr;
  if (fabric.switches_forward()) return std::make_unique<ForwardedReductions>(pass);
  if (fabric.switches_reduce()) return std::make_unique<JoinedReductions>(pass, additions);
  return nullptr;
}

}  // namespace quadrille::checker
