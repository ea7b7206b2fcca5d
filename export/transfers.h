// What ranks send one another and copy, as programs of other systems say it: stretches of neighbouring chunks.
#pragma once

#include <cstdint>
#include <vector>

#include "export/program.h"
#include "model/text/result.h"

namespace quadrille::exporting {

// The programs of all ranks, whose instructions are of a chunk each, with longer ones. What moves between two ranks
// over one lane is sent in the order in which it is received. Chunks that move side by side in one step, from
// neighbouring slots to neighbouring ones, are one instruction at both ends, of at most `most` chunks; so is what is
// local. Or what does not fit together: a reception without its send; or the limit that was reached. Cost: linear, but
// for the logarithm of a connection's sends.
Result<std::vector<ProcessorProgram>> merged_transfers(std::vector<ProcessorProgram> ranks, std::uint64_t most,
                                                       const Limits& limits);

}  // namespace quadrille::exporting
