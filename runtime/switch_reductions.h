// The contents of switches that do more than copy: copies that leave one by one, or partial reductions that have
// joined (model/MODEL.md, Switches).
#pragma once

#include <vector>

#include "model/ids.h"
#include "model/limits/work.h"
#include "model/send_table.h"
#include "motion/contribution_set.h"
#include "motion/packets_in_switches.h"
#include "motion/reduction_joins.h"
#include "runtime/context.h"

namespace quadrille::replaying {

// For combining collectives, under `switches: forward` and `switches: reduce`.
class SwitchReductions {
 public:
  explicit SwitchReductions(const ReplayContext& context)
      : context_(context),
        reduce_(context.fabric.switches_reduce()),
        held_(context.fabric, context.collective, context.work) {}

  // Whether switches do more than copy. If not, the functions below must not be called.
  bool apply() const { return !held_.copy(); }

  // The partial reduction that the row, or the message in rounds whose last row it is, takes out of a switch. It is
  // empty if there is nothing to take, which is a fault. Requires rows by channel, lane and packet, and before the
  // step's arrivals.
  ContributionSet depart(StepId step, NodeId from, const Row& row);
  // Notes that the row brings this to a switch. Requires the same order.
  void arrive(StepId step, const Row& row, const ContributionSet& carried);
  // Joins everything that has arrived.
  void end_step(StepId step);

  // Add faults: what is brought overlaps what it joins; what leaves a switch, in an ordered operation, has a gap.
  void add_clash(StepId step, const BroughtReduction& it) const;
  void add_gap(StepId step, NodeId from, const Row& row) const;

 private:
  struct ReductionStay {
    ReplayedStay stay;
    ContributionSet carried;
  };

  ReplayContext context_;
  bool reduce_;
  PacketsInSwitches<ReductionStay> held_;
  std::vector<BroughtReduction> brought_;  // in this step
};

}  // namespace quadrille::replaying
