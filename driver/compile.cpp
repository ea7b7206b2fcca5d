// The command `compile`: a table to a file or to standard output. A file is replaced only by a table that is whole.
#include "driver/compile.h"

#include <fmt/format.h>

#include "driver/output_format.h"

namespace quadrille::driver {

namespace {

// A table that ended early is no table, even if a part of it has been printed.
Diagnostic not_whole(Reason reason) {
  return error_at({}, fmt::format("the table has not been written to its end: {}", to_string(reason)), code_of(reason));
}

}  // namespace

Result<CompileOutcome> run(const CompileRequest& request, Context& context) {
  const Result<const Format*> format = output_format(context.world->formats, request.format, request.output);
  if (!format) return format.diagnostics();
  Result<SendTable> table = open_table(request.input, context);
  if (!table) return table.diagnostics();
  Environment& environment = context.environment;
  Written written;
  if (request.output.empty()) {
    written = (*format)->write(*table, [&](std::string_view text) { return environment.print(text); });
  } else {
    const auto file = environment.create_file(request.output);
    written = (*format)->write(*table, [&](std::string_view text) { return file->write(text); });
    const auto failure = written.ended_early == Reason::none ? file->keep() : std::nullopt;
    if (failure) return error_at({}, fmt::format("cannot write {}: {}", request.output, *failure), Code::file);
  }
  if (written.ended_early != Reason::none) return not_whole(written.ended_early);
  return {CompileOutcome{std::move(*table)}, table.diagnostics()};
}

}  // namespace quadrille::driver
