// `quadrille export --to msccl`.
#pragma once

#include "driver/export.h"

namespace quadrille::driver {

// The file is judged before it is written, as `check` would: what its executor refuses, or what could go wrong in any
// of its runs, is an error, and nothing is written.
Result<ExportOutcome> export_msccl(const ExportInput& input, const Sink& sink);

}  // namespace quadrille::driver
