// The context that all carriers share.
#pragma once

#include <fmt/format.h>

#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/work.h"
#include "model/send_table.h"
#include "runtime/fault_log.h"
#include "runtime/queue_meter.h"

namespace quadrille::replaying {

// Refers to values that must outlive it.
struct ReplayContext {
  const Fabric& fabric;
  const Collective& collective;
  FaultLog& faults;
  QueueMeter& queues;
  Work& work;
};

// The word for the time unit that the fabric counts.
inline const char* step_word(const Fabric& fabric) { return fabric.in_rounds() ? "round" : "step"; }

// Adds a fault: a row, or a message in rounds, takes a packet from a node where it is not.
inline void add_missing_packet(const ReplayContext& context, StepId step, NodeId from, const Row& row) {
  context.faults.add(step, row.channel, row.chunk, [&] {
    return fmt::format("packet {} is not at {} when {} {} begins", context.collective.label(row.chunk),
                       context.fabric.name(from), step_word(context.fabric), step.value);
  });
}

}  // namespace quadrille::replaying
