// A ReductionReplay replays rows, step after step, and works out which partial reductions each row sends and what
// becomes of the arrival (model/MODEL.md, Words).
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/work.h"
#include "model/send_table.h"
#include "model/text/source.h"
#include "motion/contribution_set.h"
#include "motion/held_reductions.h"
#include "motion/reductions.h"
#include "motion/step_messages.h"
#include "place/held/send_reductions.h"

namespace quadrille {

// What is said of a row's partial reductions: by the send that made it, or by the row of a table.
struct StatedReduction {
  ContributionSet sum = {};  // what a send wants sent; empty: the partial reduction held, or
  std::span<const std::uint32_t> named =
      {};                             // the partial reductions that a row names; empty: the partial reduction held
  Arrival arrival = Arrival::joined;  // the effect that its arrival is to have
  Span span = {};                     // of the send
};

StatedReduction said_of(const SentReduction& sent);

class ReductionReplay final : ReductionVisitor {
 public:
  // All outlive it. `in_rounds`: whether what users are told speaks of rounds.
  ReductionReplay(const Fabric& fabric, const Collective& collective, bool in_rounds, Work& work)
      : fabric_(fabric),
        collective_(collective),
        in_rounds_(in_rounds),
        work_(work),
        messages_(fabric, collective, work),
        packets_(&work),
        moved_(fabric, collective, work, *this) {}
  ReductionReplay(const ReductionReplay&) = delete;
  ReductionReplay& operator=(const ReductionReplay&) = delete;

  // Replays the rows of the next step, each with what is said of it, and returns what the rows say of partial
  // reductions. Valid until the next call. Throws EvaluationError where a sender has no partial reductions for a sum,
  // and where rows that are alike say different things; throws Ended at a limit.
  std::span<const ReductionUse> step(const StepRows& rows, std::span<const StatedReduction> said);

  // Returns what each row of the last replayed step carried; of a message, only its first row has it.
  const std::vector<ContributionSet>& carried() const { return carried_; }
  // Returns what processors hold now.
  const HeldReductions& held() const { return moved_.held(); }
  // Returns the number of arrivals, at their target or in a switch that reduces, that had no effect, and of gaps in an
  // ordered operation.
  std::uint64_t faults() const { return faults_; }

 private:
  std::span<const std::uint32_t> sent(const StepRows& rows, std::uint32_t row) override;
  Arrival said(const StepRows& rows, std::uint32_t row) override;
  void fault(const StepRows& rows, const ReductionFault& fault) override;
  void settle_alike(const StepRows& rows);
  [[noreturn]] void refuse(const StepRows& rows, std::size_t row) const;
  const char* step_or_round() const { return in_rounds_ ? "round" : "step"; }

  const Fabric& fabric_;
  const Collective& collective_;
  bool in_rounds_;
  Work& work_;
  StepMessages messages_;
  std::pmr::vector<MovedPacket> packets_;  // of the step at work
  MovedReductions moved_;
  std::span<const StatedReduction> said_;
  std::vector<ReductionUse> uses_;        // by row
  std::vector<ContributionSet> carried_;  // likewise
  std::uint64_t faults_ = 0;
};

}  // namespace quadrille
