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
#include "motion/moves.h"
#include "motion/reductions.h"

namespace quadrille::exporting {

// A chunk that arrives, and what becomes of it.
struct Reception {
  const ChunkMove* move;
  Action action = Action::store;
};

class JoinedReductions final : ReductionVisitor {
 public:
  // Both outlive it.
  JoinedReductions(const SendTable& table, Work& work)
      : table_(table), moved_(table.fabric, table.collective, work, *this), packets_(&work) {}
  // Likewise, of the packets of these values alone, in less memory. `passed_on`: packets are known to go on from their
  // targets; else GoesOnFromTarget is thrown if one does.
  JoinedReductions(const SendTable& table, Work& work, ValueRange values, bool passed_on)
      : table_(table), moved_(table.fabric, table.collective, work, *this, values, passed_on), packets_(&work) {}
  JoinedReductions(const JoinedReductions&) = delete;
  JoinedReductions& operator=(const JoinedReductions&) = delete;

  // Carries out a step: its moves, and its arrivals in their order (motion/followed_moves.h); or says what breaks the
  // model's rules. Throws Ended, and GoesOnFromTarget.
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
  bool has(const ChunkMove& move) const;

 private:
  struct Joining {
    std::pair<std::uint32_t, NodeId> place;  // value, processor
    const ChunkMove* move;
    ContributionSet before;   // held there when the step begins, if the operation is ordered
    ContributionSet brought;  // and what becomes of it
    Arrival became = Arrival::joined;
  };
  using Joinings = std::vector<Joining>::iterator;

  bool at_target(const ChunkMove& move) const { return table_.collective.name(move.chunk).target == move.to.value; }
  void fault(const StepRows& rows, const ReductionFault& fault) override;
  void list_joinings(std::span<const ChunkMove> arrivals);
  void keep();
  std::optional<StepFault> join(StepId step, Joinings first, Joinings last);
  bool chain(Joinings first, Joinings last, const ContributionSet& from);

  const SendTable& table_;
  MovedReductions moved_;
  std::pmr::vector<MovedPacket> packets_;  // of the step
  std::vector<std::uint32_t> numbers_;     // by packet: its move's
  std::vector<std::uint32_t> packet_of_;   // by a move's number
  std::optional<StepFault> fault_;         // of the step: the least but for those at arrivals
  std::vector<Joining> joinings_;
  std::vector<Reception> receptions_;
};

}  // namespace quadrille::exporting
