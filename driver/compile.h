// `quadrille compile`: the table of a schedule for one size, written; or what its processors do, each by itself.
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
  std::string format = {};  // its name; empty: that of the output's extension, or the first that can be written
  // In place of the table (driver/compile_programs.h); the formats are text, csv and json then.
  std::optional<std::uint32_t> rank = {};  // one processor's program
  std::string by_rank = {};                // a folder for every processor's; empty: not asked for
};

struct CompileOutcome {
  SendTable table;  // as it was written
};

// An error, too, if the file cannot be written: then the old one stays.
Result<CompileOutcome> run(const CompileRequest& request, Context& context);

}  // namespace quadrille::driver
