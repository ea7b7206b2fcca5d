// JoinedReductions says what becomes of arrivals in a combining collective. A table names packets, not what they carry,
// so their contributions are followed through the whole table.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "export/program.h"
#include "model/send_table.h"
#include "motion/held_reductions.h"
#include "motion/moves.h"
#include "motion/packets_in_switches.h"
#include "motion/reduction_joins.h"

namespace quadrille::exporting {

// A chunk that arrives, and what becomes of it.
struct Reception {
  const ChunkMove* move;
  Action action = Action::store;
};

// A packet goes on from its target, where it was not kept.
struct GoesOnFromTarget {};

class JoinedReductions {
 public:
  // Both outlive it.
  JoinedReductions(const SendTable& table, Work& work)
      : JoinedReductions(table, work, HeldReductions(table.collective, work), true) {}
  // Likewise, of the packets of these values alone, in less memory. `passed_on`: packets are known to go on from their
  // targets; else GoesOnFromTarget is thrown if one does.
  JoinedReductions(const SendTable& table, Work& work, ValueRange values, bool passed_on)
      : JoinedReductions(table, work, HeldReductions(table.collective, work, values), passed_on) {}

  // Carries out a step: its moves, of which those out of processors count, and its arrivals in their order
  // (motion/followed_moves.h); or says what breaks the model's rules. Throws Ended, and GoesOnFromTarget.
  std::optional<StepFault> step(const StepRows& step, std::span<const ChunkMove> moves,
                                std::span<const ChunkMove> arrivals);
  // The last step's arrivals, in an order in which what is combined always makes an interval, if the operation is
  // ordered. Valid as long as the arrivals.
  std::span<const Reception> receptions() const { return receptions_; }

  // The partial reductions that make up the processor's result for a value as it is now, in order of rank.
  std::vector<std::uint32_t> result(std::uint32_t value, NodeId processor) const;
  // The partial reductions that a row names, in the order in which they are combined: that of rank, if the operation is
  // ordered.
  std::vector<std::uint32_t> in_order(std::uint32_t value, NodeId processor, std::vector<std::uint32_t> numbers) const;

  // Whether all are there that the move's row names, and can be chained.
  bool has(const ChunkMove& move) const { return chained(move).has_value(); }

 private:
  JoinedReductions(const SendTable& table, Work& work, HeldReductions held, bool keeps_at_targets)
      : table_(table),
        work_(work),
        held_(std::move(held)),
        keeps_at_targets_(keeps_at_targets),
        joins_(joins_in_switches(table)),
        in_switches_(table.fabric, table.collective, work),
        brought_(work) {}

  struct Joining {
    std::pair<std::uint32_t, NodeId> place;  // value, processor
    const ChunkMove* move;
    ContributionSet brought;
  };

  bool at_target(ChunkId chunk, NodeId node) const { return table_.collective.name(chunk).target == node.value; }
  std::optional<ContributionSet> chained(const ChunkMove& move) const;
  std::optional<ContributionSet> departing(const ChunkMove& move) const;
  std::optional<StepFault> take(StepId step, const ChunkMove& move, ContributionSet& carried);
  std::optional<StepFault> take_joined(const StepRows& step, const ChunkMove& move, ContributionSet& carried);
  std::optional<StepFault> meet(StepId step, NodeId at, std::vector<BroughtReduction>& all, ContributionSet& joined);
  StepFault twice(StepId step, const BroughtReduction& it) const;
  StepFault gap(StepFault::FaultPlace place, StepId step, NodeId at, std::uint32_t move = 0) const;
  std::optional<StepFault> reach_switches(StepId step, std::span<const ChunkMove> moves);
  std::optional<StepFault> depart(const StepRows& step, std::span<const ChunkMove> moves);
  void keep();
  std::optional<StepFault> join(StepId step, std::vector<Joining>::iterator first, std::vector<Joining>::iterator last);
  bool chain(std::vector<Joining>::iterator first, std::vector<Joining>::iterator last, const ContributionSet& from);

  const SendTable& table_;
  Work& work_;
  HeldReductions held_;
  bool keeps_at_targets_;
  bool joins_;                                      // switches add up what passes them
  PacketsInSwitches<ContributionSet> in_switches_;  // if so
  PacketTable<PlaceKey, ContributionSet> brought_;  // by packet and processor, from where it goes on
  std::vector<ContributionSet> carried_;            // by departure; of what leaves for a message that joins: empty
  std::vector<Joining> joinings_;
  std::vector<Reception> receptions_;
};

}  // namespace quadrille::exporting
