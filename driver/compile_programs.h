// `quadrille compile --rank` and `--by-rank`: the programs of single processors in a table.
#pragma once

#include <optional>

#include "driver/compile.h"

namespace quadrille::driver {

// Whether the request asks for programs in place of the table.
bool asks_for_programs(const CompileRequest& request);

// An error if parts of the request do not go together. write_programs() checks the processor's number, once the table
// is known.
std::optional<Diagnostic> refused_programs(const CompileRequest& request);

// Writes the programs. For one processor, the table is read once; for all, as often as needed so that the programs of
// each pass fit into a quarter of the memory.
std::optional<Diagnostic> write_programs(const SendTable& table, const CompileRequest& request, Context& context);

}  // namespace quadrille::driver
