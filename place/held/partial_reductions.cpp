// The hops of flights are replayed as rows (motion/reductions.h), and the joins at targets listed.
//
// For example, in a reduction to 0 among three: `send 2 -> 1` in step 1 leaves {1, 2} at 1; `send 1 -> 0` in step 2
// carries {1, 2}, which is disjoint from {0}, so 0 holds {0, 1, 2}. Had 2 sent to 0 as well, its contribution would
// have come twice: a fault. Packets do not join in switches: each flight has hops of its own.
#include "place/held/partial_reductions.h"

#include <algorithm>

#include "motion/reductions.h"
#include "place/held/sum_choice.h"

namespace quadrille {
namespace {

Fabric with_copying_switches(const Fabric& fabric) {
  Rules rules = fabric.rules();
  rules.switches = Switching::copy;
  return fabric.with_rules(rules);
}

class HopReplay final : ReductionVisitor {
 public:
  HopReplay(const Flights& flights, const Fabric& fabric, const Collective& collective, const Limits& limits,
            ReductionsOfSends* reductions)
      : flights_(flights),
        fabric_(with_copying_switches(fabric)),
        collective_(collective),
        reductions_of_(reductions),
        work_(limits),
        moved_(fabric_, collective, work_, *this),
        packets_(&work_) {}

  PartialReductions run() {
    const std::vector<HopAt> hops = hops_by_step(flights_);
    for (auto first = hops.begin(); first != hops.end();) {
      const auto last = std::find_if(first, hops.end(), [&](const HopAt& hop) { return hop.step != first->step; });
      step({first, last});
      first = last;
    }
    result_.held = held_at_end(moved_.held());
    return std::move(result_);
  }

 private:
  void step(std::span<const HopAt> hops) {
    at_work_ = hops;
    rows_.clear();
    for (const HopAt& hop : hops) {
      rows_.push_back({flights_.hops[hop.hop].channel, LaneId(0), flights_.list[hop.flight].chunk});
    }
    const StepRows rows{StepId(hops.front().step), rows_};
    list_packets(rows, {}, work_, packets_);
    moved_.step(rows, packets_);
  }

  const SentReduction* sent_by(std::uint32_t row) const {
    return reductions_of_ == nullptr ? nullptr : &reductions_of_->of(flights_.list[at_work_[row].flight].serial);
  }

  std::span<const std::uint32_t> sent(const StepRows& /*rows*/, std::uint32_t row) override {
    static constexpr std::uint32_t no_such_number = 0xffffffff;
    const SentReduction* sent = sent_by(row);
    if (sent == nullptr || sent->sum.empty()) return {};
    const ChunkName name = collective_.name(rows_[row].chunk);
    const auto there = moved_.held().all(name.part, NodeId(name.origin));
    auto chosen = making_up(there, sent->sum, collective_.idempotent());
    if (!chosen) return std::span(&no_such_number, 1);
    return result_.sums[at_work_[row].flight] = *std::move(chosen);
  }

  Arrival said(const StepRows& /*rows*/, std::uint32_t row) override {
    const SentReduction* sent = sent_by(row);
    return sent != nullptr && sent->keeping ? Arrival::kept : Arrival::joined;
  }

  void joins(const StepRows& /*rows*/, std::uint32_t packet, Arrival became) override {
    const std::uint32_t row = packets_[packet].arrives;
    const HopAt& hop = at_work_[row];
    const ChunkName name = collective_.name(rows_[row].chunk);
    const auto number = static_cast<std::uint32_t>(hop.hop - flights_.list[hop.flight].first_hop);
    const bool unites = became == Arrival::combined || (became == Arrival::stored && collective_.idempotent());
    result_.joins[{name.part, *name.target}].push_back(
        {hop.flight, number, hop.step, moved_.carried()[packet], unites, became == Arrival::kept});
  }

  void fault(const StepRows& /*rows*/, const ReductionFault& fault) override {
    using Kind = ReductionFault::Kind;
    const bool counts = fault.kind == Kind::missing || fault.kind == Kind::not_joined || fault.kind == Kind::gap_held;
    result_.faults += counts ? 1 : 0;
  }

  const Flights& flights_;
  Fabric fabric_;
  const Collective& collective_;
  ReductionsOfSends* reductions_of_;
  Work work_;
  MovedReductions moved_;
  std::pmr::vector<MovedPacket> packets_;  // of the step at work
  std::span<const HopAt> at_work_;         // those of the step at work
  std::vector<Row> rows_;                  // theirs
  PartialReductions result_;
};

}  // namespace

PartialReductions partial_reductions(const Flights& flights, const Fabric& fabric, const Collective& collective,
                                     const Limits& limits, ReductionsOfSends* reductions) {
  try {
    return HopReplay(flights, fabric, collective, limits, reductions).run();
  } catch (const Ended& ended) {
    return {.held = {}, .joins = {}, .faults = 0, .ended = ended.reason};
  }
}

}  // namespace quadrille
