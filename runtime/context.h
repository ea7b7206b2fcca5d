// What all ways of moving packets work with.
#pragma once

#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/work.h"
#include "model/send_table.h"
#include "runtime/fault_log.h"
#include "runtime/queue_meter.h"

namespace quadrille::replaying {

// Everything outlives those who work with it.
struct ReplayContext {
  const Fabric& fabric;
  const Collective& collective;
  FaultLog& faults;
  QueueMeter& queues;
  Work& work;
};

// What the fabric counts.
inline const char* step_word(const Fabric& fabric) { return fabric.in_rounds() ? "round" : "step"; }

// A packet that a row, in rounds a message, takes from a node where it is not.
void add_missing_packet(const ReplayContext& context, StepId step, NodeId from, const Row& row);

}  // namespace quadrille::replaying
