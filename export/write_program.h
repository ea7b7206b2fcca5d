// A processor's program as text: for a person, or as CSV or JSON for machines (formats/PROGRAM_FORMAT.md).
#pragma once

#include <functional>
#include <string_view>

#include "export/program.h"
#include "model/limits/limits.h"
#include "model/send_table.h"

namespace quadrille::exporting {

enum class ProgramForm { text, csv, json };

// Hands the program to the sink piece by piece, until it takes no more. The limit that ended it before its end, or
// none.
Reason write_program(const ProcessorProgram& program, const SendTable& table, ProgramForm form,
                     const std::function<bool(std::string_view)>& sink, const Limits& limits);

}  // namespace quadrille::exporting
