// What a person names on the command line when a table is wanted: a schedule with its arguments, or a table itself.
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
  std::string on = {};                    // a fabric's notation; empty: the one that the schedule was written for
  std::vector<std::string> without = {};  // links of that fabric which are taken away: "0--1", "2->3"
  bool retime = false;
  bool arrivals = false;    // where packets combine: rows say what becomes of what arrives
  std::string timing = {};  // "steps" or "rounds", instead of the fabric's
};

// The table asked for. Files are told from tables by their first line. The context receives every text read, also when
// the result is an error, so that diagnostics can be rendered.
Result<SendTable> open_table(const TableRequest& request, Context& context);

// The schedule of that file, path or name, for every size.
Result<std::shared_ptr<const ir::Schedule>> open_schedule(const std::string& file, Context& context);

// A schedule for every size, and values that some of its parameters may have.
struct OpenedSchedule {
  std::shared_ptr<const ir::Schedule> schedule;
  Arguments given;
};
Result<OpenedSchedule> open_schedule(const std::string& file, const std::vector<std::string>& defines,
                                     Context& context);

// All of a file, or of standard input, which is `-`; or why it cannot be read.
Result<std::string> text_of(const std::string& file, Context& context);

// "cannot read x.qd: Is a directory".
Diagnostic cannot_read(const std::string& path, Environment& environment);

// Reads files for those who name them in a text; `environment` must live as long as the reader.
ReadFile file_reader(Environment& environment);

// A schedule that ships: its text, or what names are near; and compiled.
Result<Source> shipped_source(const std::string& name);
Result<std::shared_ptr<const ir::Schedule>> open_shipped_schedule(const std::string& name, Context& context);

// "name=value" pairs as the compiler wants them.
Result<Arguments> parse_defines(const std::vector<std::string>& defines);

// The same table; where it is large, or no one knows how large, its rows are made on a thread of their own.
SendTable made_ahead(SendTable table);

}  // namespace quadrille::driver
