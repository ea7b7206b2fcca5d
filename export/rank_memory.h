// A processor's program on the buffers of an executor: input, output and scratch, as MPI and NCCL calls have them.
#pragma once

#include <cstdint>

#include "export/program.h"
#include "model/send_table.h"
#include "model/text/result.h"
#include "programs/program.h"

namespace quadrille::exporting {

// The family of calls that the collective is; other: none of theirs, and on_call_buffers is not for it.
programs::ProgramFamily family_of(const Collective& collective);

// Chunks of the whole message of such a call.
std::uint64_t call_chunks(const Collective& collective);

// The program with the buffers of MPI's and NCCL's calls, input, output and scratch: an all-gather's output has the
// part of rank r at r·parts, an all-to-all's input that for rank r, and so on. Copies before all steps are of step 0,
// those after all of the last step there can be. Nothing writes to the input. What a send reads is not
// overwritten before the step ends in which it arrives: what comes for that value goes to a slot beside it. Or what
// cannot be said so: partial reductions that are kept, operations that do not commute; or the limit that was reached.
Result<ProcessorProgram> on_call_buffers(const ProcessorProgram& program, const SendTable& table, const Limits& limits);

}  // namespace quadrille::exporting
