// Programs of ranks as an MSCCL file.
#pragma once

#include <string>
#include <vector>

#include "export/program.h"
#include "model/limits/limits.h"
#include "model/text/result.h"
#include "programs/msccl/executor.h"
#include "programs/msccl/xml.h"

namespace quadrille::exporting {

// A thread block for each connection's end (rank to rank, over one lane), with its transmissions in order; one more for
// copies; and the waits between them that keep each rank's order wherever two operations touch the same chunk. What
// moves side by side in one step, from neighbouring chunks to neighbouring ones, is one step of the file. At most 32
// connections of a rank have one channel number, each way, as loaders demand it. The head's name, collective and
// protocol are left to the caller.
//
// By rank. Or what does not fit together: a reception without its send; or, before anything is made, a rank that needs
// more thread blocks than the executor runs. Cost: linear, but for the waits.
Result<programs::MscclFile> msccl_program(std::vector<ProcessorProgram> ranks, const programs::Executor& executor,
                                          const Limits& limits);

}  // namespace quadrille::exporting
