// Moves partial reductions of combining collectives (motion/reductions.h), and lists what is wrong with that. step(),
// round() and finish() throw Ended.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "model/send_table.h"
#include "motion/reductions.h"
#include "motion/step_messages.h"
#include "runtime/context.h"

namespace quadrille::replaying {

class CombiningCarrier final : ReductionVisitor {
 public:
  explicit CombiningCarrier(const ReplayContext& context)
      : context_(context), moved_(context.fabric, context.collective, context.work, *this), packets_(&context.work) {}
  CombiningCarrier(const CombiningCarrier&) = delete;
  CombiningCarrier& operator=(const CombiningCarrier&) = delete;

  bool step(const StepRows& step) {  // always true
    round(step, {});
    return true;
  }
  void round(const StepRows& batch, std::span<const Message> messages);
  void finish(StepId end);
  std::uint64_t delivered() const { return delivered_; }
  std::uint64_t demanded() const { return demanded_; }

 private:
  void leaves_switch(SwitchStay& stay, ChannelId channel, StepId step) override {
    context_.queues.leave(stay, channel, step);
  }
  void fault(const StepRows& rows, const ReductionFault& fault) override;
  bool meets(std::uint32_t value, NodeId processor, const ContributionSet& wanted) const;
  void judge_end(StepId end, std::uint32_t value, NodeId processor);
  std::uint64_t met_after(std::uint32_t last);

  ReplayContext context_;
  MovedReductions moved_;
  std::pmr::vector<MovedPacket> packets_;  // of the step
  std::uint64_t delivered_ = 0;
  std::uint64_t demanded_ = 0;
};

}  // namespace quadrille::replaying
