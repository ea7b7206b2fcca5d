// A processor's program on the buffers of an executor: input, output and scratch, as MPI and NCCL calls have them.
#pragma once

#include <cstdint>

#include "export/program.h"
#include "model/send_table.h"
#include "model/text/result.h"

namespace quadrille::exporting {

// Chunks of the whole message of a call: those of its larger buffer.
std::uint64_t call_chunks(const Collective& collective);

// The program with the buffers of MPI's and NCCL's calls, input, output and scratch: an all-gather's output has the
// part of rank r at r·parts, an all-to-all's input that for rank r, and so on. Copies before all steps are of step 0,
// those after all of the last step there can be. Nothing writes to the input. What a send reads is not
// overwritten before the step ends in which it arrives: what comes for that value goes to a slot beside it. A send of
// several slots becomes a send of one, in which they have been combined at the end of the step before. Or the limit
// that was reached. Requires a collective with a buffer of one message, or of one for each rank: no listed one.
Result<ProcessorProgram> on_call_buffers(const ProcessorProgram& program, const SendTable& table, const Limits& limits);

}  // namespace quadrille::exporting
