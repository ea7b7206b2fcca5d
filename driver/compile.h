// `quadrille compile`: writes the table of a schedule for one size, or the programs of single processors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "driver/inputs/context.h"
#include "driver/inputs/input.h"
#include "model/limits/limits.h"
#include "model/send_table.h"
#include "model/text/result.h"

namespace quadrille::driver {

struct CompileRequest {
  TableRequest input = {};
  std::string output = {};  // a path; empty: standard output
  std::string format = {};  // its name; empty: the format of the output's extension, or the first that can be written
  // Programs in place of the table (driver/compile_programs.h); then the formats are text, csv and json.
  std::optional<std::uint32_t> rank = {};  // one processor's program
  std::string by_rank = {};                // a folder for every processor's program; empty: not wanted
};

struct CompileOutcome {
  SendTable table;  // as it was written
};

// Compiles and writes. Also an error if the file cannot be written; then the old one stays.
Result<CompileOutcome> run(const CompileRequest& request, Context& context);

}  // namespace quadrille::driver
