// `quadrille compile --rank` and `--by-rank`: what single processors do of a table.
#pragma once

#include <optional>

#include "driver/compile.h"

namespace quadrille::driver {

// Whether the request asks for programs in place of the table.
bool asks_for_programs(const CompileRequest& request);

// What of the request does not go together, or is out of range; before and after the table is known.
std::optional<Diagnostic> refused_programs(const CompileRequest& request);

// Writes the programs. The table is read once for one processor; for all, as often as their programs do not fit into a
// quarter of the memory.
std::optional<Diagnostic> write_programs(const SendTable& table, const CompileRequest& request, Context& context);

}  // namespace quadrille::driver
