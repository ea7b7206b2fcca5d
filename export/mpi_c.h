// `quadrille export --to mpi-c`.
#pragma once

#include "export/targets.h"

namespace quadrille::exporting {

// A C program that carries the table out on MPI's messages, step by step, and compares what comes with MPI's own
// collective.
Result<ExportOutcome> export_mpi_c(const ExportInput& input, const Sink& sink);

}  // namespace quadrille::exporting
