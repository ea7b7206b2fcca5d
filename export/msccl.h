// `quadrille export --to msccl`.
#pragma once

#include "export/rank_programs.h"
#include "export/targets.h"
#include "model/collective.h"
#include "programs/program.h"

namespace quadrille::exporting {

// The file is judged before it is written, as `check` would: what its executor refuses, or what could go wrong in any
// of its runs, is an error, and nothing is written.
Result<ExportOutcome> export_msccl(const ExportInput& input, const Sink& sink);

// What such files can say; and the family that a collective is there, `other` if it is none.
const RankCalls& msccl_calls();
programs::ProgramFamily family_of(const Collective& collective);

}  // namespace quadrille::exporting
