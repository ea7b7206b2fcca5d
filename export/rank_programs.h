// All ranks' programs of a table, for systems whose ranks call a collective of MPI or NCCL.
#pragma once

#include <vector>

#include "export/program.h"
#include "model/limits/limits.h"
#include "model/send_table.h"
#include "model/text/result.h"

namespace quadrille::exporting {

// By processor. Or what such systems cannot say (Code::unsupported): another collective, an operation that does not
// commute, switches on the way of what counts steps (in rounds, a message goes from end to end); or a limit, or what is
// wrong with the table.
Result<std::vector<ProcessorProgram>> rank_programs(const SendTable& table, const Limits& limits);

}  // namespace quadrille::exporting
