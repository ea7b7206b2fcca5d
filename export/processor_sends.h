// What processors send one another in a table, whatever lies between them: a packet's hops through switches are one
// send.
#pragma once

#include <cstdint>
#include <vector>

#include "model/limits/limits.h"
#include "model/send_table.h"
#include "model/text/result.h"

namespace quadrille::exporting {

// In rounds a message, or what of it reaches one receiver.
struct ProcessorSend {
  NodeId from;
  NodeId to;
  StepId leaves;   // the step in which it leaves its sender
  StepId arrives;  // and the one in which it reaches its target, later if it passes switches
  LaneId first_lane;
  LaneId last_lane;
  std::uint32_t chunks = 1;
};

struct ProcessorSends {
  std::vector<ProcessorSend> sends;  // by the step in which they leave
  bool switches = false;             // some go through switches
  std::uint64_t copied = 0;          // left a processor once, and reached several
  std::uint64_t lost = 0;            // end in switches: not among the sends
};

// Or why that cannot be told: a limit; switches that add up what passes them, so that a send has several senders; or
// that a switch sends what it does not have. Cost: linear in the rows, but for sorting them where they are not in
// order; memory for each send, and for each packet that a switch has.
Result<ProcessorSends> processor_sends(const SendTable& table, const Limits& limits);

}  // namespace quadrille::exporting
