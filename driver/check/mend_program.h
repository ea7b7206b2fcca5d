// Looks for a mend of an MSCCL XML file after the file was judged.
#pragma once

#include <vector>

#include "driver/check/check_program.h"
#include "driver/inputs/context.h"
#include "model/text/result.h"
#include "programs/msccl/load.h"

namespace quadrille::driver {

// Adds a mend to the outcome if only the timing is wrong and a mend is found, and writes the mended file if
// requested. Requires that the calls of the outcome are judged.
Result<bool> mend_program(const CheckProgramRequest& request, const programs::MscclFile& file,
                          const std::vector<programs::MscclCall>& calls, Context& context,
                          CheckProgramOutcome& outcome);

}  // namespace quadrille::driver
