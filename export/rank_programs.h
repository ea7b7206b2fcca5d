// All ranks' programs of a table, for systems whose ranks call a collective of MPI or NCCL.
#pragma once

#include <string>
#include <vector>

#include "export/program.h"
#include "model/limits/limits.h"
#include "model/send_table.h"
#include "model/text/result.h"

namespace quadrille::exporting {

// What the calls of a system, and its operations, can say.
struct RankCalls {
  std::vector<CollectiveKind> collectives;
  bool ordered = false;  // what comes can stand before or after what is there
};

// By processor, on the buffers of formats/PROGRAM_FORMAT.md; peers are processors, whatever switches lie between. Or a
// limit, or what is wrong with the table; switches that add up what passes them are refused.
Result<std::vector<ProcessorProgram>> processor_programs(const SendTable& table, const Limits& limits);

// The same on the buffers of calls; a collective that lists its chunks has those of its programs. Or what the system
// cannot say (Code::unsupported): a collective, the order of an operation; switches that add up what passes them; or a
// limit, or what is wrong with the table. What passes switches is one send for each receiver.
Result<std::vector<ProcessorProgram>> rank_programs(const SendTable& table, const RankCalls& calls,
                                                    const Limits& limits);

// The note on a table whose fabric has switches.
std::string left_out_switches();

}  // namespace quadrille::exporting
