// A ReductionReplay replays rows, step after step, and works out which partial reductions each row sends and what
// becomes of the arrival (model/MODEL.md, Words).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/work.h"
#include "model/send_table.h"
#include "model/text/source.h"
#include "motion/contribution_set.h"
#include "motion/held_reductions.h"
#include "motion/packets_in_switches.h"
#include "motion/reduction_joins.h"
#include "motion/step_messages.h"
#include "place/held/send_reductions.h"

namespace quadrille {

// StatedReduction is what is said of a row's partial reductions: by the send that made it, or by the row of a table.
struct StatedReduction {
  ContributionSet sum = {};  // what a send wants sent; empty: the partial reduction held, or
  std::span<const std::uint32_t> named =
      {};                             // the partial reductions that a row names; empty: the partial reduction held
  Arrival arrival = Arrival::joined;  // the effect that its arrival is to have
  Span span = {};                     // of the send
};

StatedReduction said_of(const SentReduction& sent);

class ReductionReplay {
 public:
  // All outlive it. `in_rounds`: whether what users are told speaks of rounds.
  ReductionReplay(const Fabric& fabric, const Collective& collective, bool in_rounds, Work& work)
      : fabric_(fabric),
        collective_(collective),
        work_(work),
        in_rounds_(in_rounds),
        messages_(fabric, collective, work),
        held_(collective, work),
        in_switches_(fabric, collective, work) {}

  // Replays the rows of the next step, each with what is said of it, and returns what the rows say of partial
  // reductions. Valid until the next call. Throws EvaluationError where a sender has no partial reductions for a sum,
  // and where rows that are alike say different things; throws Ended at a limit.
  std::span<const ReductionUse> step(const StepRows& rows, std::span<const StatedReduction> said);

  // Returns what each row of the last replayed step carried; of a message, only its first row has it.
  const std::vector<ContributionSet>& carried() const { return carried_; }
  // Returns what processors hold now.
  const HeldReductions& held() const { return held_; }
  // Returns the number of arrivals, at their target or in a switch that reduces, that had no effect, or that left a gap
  // in an ordered operation.
  std::uint64_t faults() const { return faults_; }

 private:
  using PacketAt = std::pair<std::uint64_t, NodeId>;

  // One packet of a message, as the message brings it to its receiver.
  struct PacketMove {
    const Message* message;
    std::uint32_t packet;
    std::uint32_t departs;  // the row out of the sender; where paths join, out of the first of them
    std::uint32_t arrives;  // into the receiver
    NodeId to;
    ChunkName name;  // as which it arrives
    Row last;        // into `to`
    ContributionSet carried;
  };

  void list_moves();
  NodeId sender(std::uint32_t row) const { return fabric_.channel(rows_.rows[row].channel).from; }
  ContributionSet joined_on_path(const Message& message, std::uint32_t packet);
  ContributionSet picked_up(std::uint32_t row);
  ContributionSet from_reductions(std::uint32_t row, const ChunkName& name);
  void put_down(const PacketMove& move);
  void join_all();
  void count_gaps();
  void settle_alike();
  [[noreturn]] void refuse(std::size_t row) const;
  bool is_switch(NodeId node) const { return !fabric_.is_processor(node); }
  const char* step_or_round() const { return in_rounds_ ? "round" : "step"; }

  const Fabric& fabric_;
  const Collective& collective_;
  Work& work_;
  bool in_rounds_;
  StepMessages messages_;
  HeldReductions held_;
  StepRows rows_;  // of the step at work
  std::span<const StatedReduction> said_;
  std::vector<PacketMove> moves_;
  std::vector<std::uint32_t> left_;       // rows out of switches that reduce
  std::vector<ReductionUse> uses_;        // by row
  std::vector<ContributionSet> carried_;  // likewise
  std::uint64_t faults_ = 0;
  std::map<PacketAt, ContributionSet> brought_;     // what the latest row of a packet brought
  PacketsInSwitches<ContributionSet> in_switches_;  // that do more than copy
  std::vector<BroughtReduction> to_switches_;       // that reduce, in this step
};

}  // namespace quadrille
