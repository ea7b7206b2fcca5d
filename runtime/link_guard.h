// Checks what links and ports carry in one step: lanes, duplex and port rules.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/fabric.h"
#include "model/send_table.h"
#include "motion/step_messages.h"
#include "runtime/fault_log.h"

namespace quadrille::replaying {

// Requires that fabric and faults live as long. A channel carries more than its capacity only if a row uses a lane
// that does not exist, or a lane is used twice, so that rule needs no count of its own.
class LinkGuard {
 public:
  LinkGuard(const Fabric& fabric, FaultLog& faults);

  // Puts all rows of the step on their lanes. Requires steps in increasing order.
  void step(const StepRows& step);
  // Does the same for the messages of a round (model/MODEL.md, Rounds).
  void round(const StepRows& batch, std::span<const Message> messages);

  std::uint64_t messages() const { return messages_; }  // number of rows, or messages in rounds, that left a processor

  static std::uint64_t bytes_needed(const Fabric& fabric);

 private:
  // A count within one step; it begins at 0 in every step.
  struct Count {
    std::uint32_t step = 0;
    std::uint32_t number = 0;
    std::uint32_t increase(StepId now) {
      if (step != now.value) *this = {now.value, 0};
      return ++number;
    }
    std::uint32_t in(StepId now) const { return step == now.value ? number : 0; }
  };

  void use_lane(StepId step, const Row& row) {
    if (lane_exists(step, row)) take_lane(step, row);
  }
  bool lane_exists(StepId step, const Row& row);
  void take_lane(StepId step, const Row& row);
  void hold_path(const StepRows& batch, const Message& message);
  void use_ports(const StepRows& batch, const Message& message);
  void share_link(StepId step, const Row& row);
  void use_port(StepId step, const Row& row, NodeId processor, std::vector<Count>& same,
                const std::vector<Count>& other, const char* verb);

  const char* step_word() const { return rounds_ ? "round" : "step"; }
  const char* packet_word() const { return rounds_ ? "message" : "packet"; }

  const Fabric* fabric_;
  FaultLog* faults_;
  bool rounds_;

  ChannelList channels_;
  std::vector<std::uint64_t> first_lane_;  // of each channel, among all lanes
  std::vector<std::uint32_t> last_use_;    // of each lane: a step
  std::vector<Count> link_use_;            // half duplex: by the link's lower channel
  std::vector<Count> sent_, received_;     // single port: by processor
  std::uint64_t messages_ = 0;
};

}  // namespace quadrille::replaying
