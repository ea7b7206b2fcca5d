// All ranks' programs of a table, for systems whose ranks call a collective of MPI or NCCL.
#pragma once

#include <string>
#include <vector>

#include "export/program.h"
#include "model/limits/limits.h"
#include "model/send_table.h"
#include "model/text/result.h"

namespace quadrille::exporting {

// By processor. Or what such systems cannot say (Code::unsupported): another collective, an operation that does not
// commute, switches that add up what passes them; or a limit, or what is wrong with the table. What passes switches is
// one send for each receiver.
Result<std::vector<ProcessorProgram>> rank_programs(const SendTable& table, const Limits& limits);

// The note on a table whose fabric has switches.
std::string left_out_switches();

}  // namespace quadrille::exporting
