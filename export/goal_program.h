// A table's sends as a schedule in GOAL.
#pragma once

#include <cstdint>

#include "export/processor_sends.h"
#include "model/text/result.h"
#include "programs/goal/goal.h"

namespace quadrille::exporting {

// Each send is one message of chunks · chunk_bytes bytes; its tag is its number, from 1, among those of its sender to
// its target; a lane is a network interface of that number. A processor begins the sends of a step when all that it
// sent and received in steps before has ended, and then expects what others send it in that step. Or what GOAL cannot
// say: a lane, or a size, that is too large. Cost: linear, but for receptions on their way through switches.
Result<programs::GoalSchedule> goal_program(const ProcessorSends& sends, std::uint32_t processors,
                                            std::uint64_t chunk_bytes);

}  // namespace quadrille::exporting
