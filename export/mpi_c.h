// `quadrille export --to mpi-c`.
#pragma once

#include "export/rank_programs.h"
#include "export/targets.h"

namespace quadrille::exporting {

// A C program that carries the table out on MPI's messages, step by step, and compares what comes with MPI's own
// collective; of a barrier, whether a rank leaves before all have entered.
Result<ExportOutcome> export_mpi_c(const ExportInput& input, const Sink& sink);

// What such programs can say.
const RankCalls& mpi_calls();

}  // namespace quadrille::exporting
