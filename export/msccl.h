// `quadrille export --to msccl`.
#pragma once

#include "export/targets.h"

namespace quadrille::exporting {

// The file is judged before it is written, as `check` would: what its executor refuses, or what could go wrong in any
// of its runs, is an error, and nothing is written.
Result<ExportOutcome> export_msccl(const ExportInput& input, const Sink& sink);

}  // namespace quadrille::exporting
