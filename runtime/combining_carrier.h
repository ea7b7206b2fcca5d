// Moves partial reductions of combining collectives. Rows, or messages in rounds, carry them; one that reaches its
// target is joined to the one that is held there. The tables grow within the memory of the Work, so step(), round()
// and finish() throw Ended.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "model/containers/packet_table.h"
#include "model/send_table.h"
#include "motion/contribution_set.h"
#include "motion/held_reductions.h"
#include "motion/reduction_joins.h"
#include "motion/step_messages.h"
#include "runtime/context.h"
#include "runtime/switch_reductions.h"

namespace quadrille::replaying {

class CombiningCarrier {
 public:
  explicit CombiningCarrier(const ReplayContext& context)
      : context_(context),
        in_switches_(context),
        stays_(context.work),
        held_(context.collective, context.work),
        moves_(&context.work),
        carried_(&context.work),
        joinings_(&context.work) {}
  bool step(const StepRows& step);  // always true
  void round(const StepRows& batch, std::span<const Message> messages);
  void finish(StepId end);
  std::uint64_t delivered() const { return delivered_; }
  std::uint64_t demanded() const { return demanded_; }

 private:
  // One packet that a row, or a message, brings to the head of `row`.
  struct CarriedPacket {
    NodeId from;                       // if paths join: without meaning
    const Row* row;                    // the last one
    const Row* first;                  // the one out of `from`
    const Message* message = nullptr;  // if paths join: its message
    std::uint32_t packet = 0;          // likewise: its index among the message's packets
  };
  struct CarriedStay {
    ReplayedStay stay;
    ContributionSet carried;
  };
  struct Joining {  // a partial reduction at its target; in the order of joining
    NodeId processor;
    std::uint32_t value;
    std::uint32_t smallest;
    const Row* row;
    const ContributionSet* carried;
    Arrival arrival;
  };
  void carry_moves(const StepRows& step);
  ContributionSet depart(const StepRows& step, NodeId from, const Row& first, const Row& row);
  ContributionSet join_paths(const StepRows& batch, const CarriedPacket& move);
  ContributionSet join_at(StepId round, NodeId node, std::vector<BroughtReduction>& brought);
  ContributionSet chain(StepId step, NodeId from, const Row& row, std::span<const std::uint32_t> numbers);
  void arrive(const StepRows& step, const Row& row, const ContributionSet& carried);
  void join(StepId step, std::span<const Joining> joinings);
  void add_not_joined(StepId step, const Joining& joining);
  bool meets(std::uint32_t value, NodeId processor, const ContributionSet& wanted);
  void judge_end(StepId end, std::uint32_t value, NodeId processor);
  std::uint64_t met_after(std::uint32_t last);

  ReplayContext context_;
  SwitchReductions in_switches_;              // where switches do more than copy
  PacketTable<PlaceKey, CarriedStay> stays_;  // (packet, node)
  HeldReductions held_;
  std::pmr::vector<CarriedPacket> moves_;      // of the step, by channel and lane
  std::pmr::vector<ContributionSet> carried_;  // that they carry
  std::pmr::vector<Joining> joinings_;
  std::uint64_t delivered_ = 0;
  std::uint64_t demanded_ = 0;
};

}  // namespace quadrille::replaying
