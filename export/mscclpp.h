// `quadrille export --to mscclpp`.
#pragma once

#include "export/targets.h"

namespace quadrille::exporting {

// The plan is judged before it is written, as `check` would: what the executor refuses, or what could go wrong in any
// of its runs, is an error, and nothing is written. What could not be judged is a note.
Result<ExportOutcome> export_mscclpp(const ExportInput& input, const Sink& sink);

}  // namespace quadrille::exporting
