// Opens the inputs that a person names on the command line for a table: a schedule with its arguments, or a table
// itself.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/compile.h"
#include "driver/inputs/context.h"
#include "model/send_table.h"
#include "model/text/file_text.h"
#include "model/text/result.h"

namespace quadrille::driver {

struct TableRequest {
  std::string file = {};                  // a path, `-`, or the bare name of a schedule that ships
  std::vector<std::string> defines = {};  // "name=value"
  std::string on = {};                    // a fabric's notation; empty: the fabric that the schedule was written for
  std::vector<std::string> without = {};  // links to be removed from that fabric: "0--1", "2->3"
  bool retime = false;
  bool spread = false;
  bool arrivals = false;    // for combining: rows state what becomes of arrivals
  std::string timing = {};  // "steps" or "rounds", instead of the fabric's
};

// The table of the request. The first line of a file tells whether it is a table. The context receives every text
// that is read, also if the result is an error, so that diagnostics can be rendered.
Result<SendTable> open_table(const TableRequest& request, Context& context);

// The table of a schedule's text, as it is written, for the size that its parameters' defaults give.
Result<SendTable> table_of_text(const std::string& text, Context& context);

// The table's sends, placed anew as `--retime` places those of a schedule (compiler/compile.h). Without the table's
// claims.
Result<SendTable> retimed(const SendTable& table, ElaborateOptions options, Context& context);

// The schedule of this file, path or name, for every size.
Result<std::shared_ptr<const ir::Schedule>> open_schedule(const std::string& file, Context& context);

// A schedule for every size, and values of some of its parameters.
struct OpenedSchedule {
  std::shared_ptr<const ir::Schedule> schedule;
  Arguments given;
};
Result<OpenedSchedule> open_schedule(const std::string& file, const std::vector<std::string>& defines,
                                     Context& context);

// All of a file, or of standard input, which is `-`. Error: it cannot be read.
Result<std::string> text_of(const std::string& file, Context& context);

// "cannot read x.qd: Is a directory".
Diagnostic cannot_read(const std::string& path, Environment& environment);

// Reads files for texts that name them. Requires that `environment` lives as long as the reader.
ReadFile file_reader(Environment& environment);

// A schedule that ships: its text, and compiled. An error names similar names.
Result<Source> shipped_source(const std::string& name);
Result<std::shared_ptr<const ir::Schedule>> open_shipped_schedule(const std::string& name, Context& context);

// Turns "name=value" pairs into the compiler's arguments.
Result<Arguments> parse_defines(const std::vector<std::string>& defines);

// The same table. If it is large, or its size is unknown, a thread of its own makes its rows ahead, in at most a
// sixteenth of the memory of the limits.
SendTable made_ahead(SendTable table, const Limits& limits);

}  // namespace quadrille::driver
