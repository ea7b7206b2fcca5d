// ProcessorSends are what processors send one another in a whole table: a packet's hops through switches are one send.
#pragma once

#include <cstdint>
#include <vector>

#include "model/limits/limits.h"
#include "model/send_table.h"
#include "model/text/result.h"
#include "motion/moves.h"

namespace quadrille::exporting {

struct ProcessorSends {
  std::vector<ChunkMove> sends;  // by the step in which they leave; in rounds of all chunks that a message has for one
  bool switches = false;         // some go through switches
  std::uint64_t copied = 0;      // left a processor once, and reached several
  std::uint64_t lost = 0;        // end in switches: not among the sends
};

// Or why that cannot be told: a limit; switches that add up what passes them, so that a send has several senders; or
// that a switch sends what it does not have. Cost: linear in the rows, but for sorting them where they are not in
// order; memory for each send, and for each packet that a switch has.
Result<ProcessorSends> processor_sends(const SendTable& table, const Limits& limits);

// Refuses a table whose switches add up what passes them (joins_in_switches).
Diagnostic no_sender(const SendTable& table);

}  // namespace quadrille::exporting
