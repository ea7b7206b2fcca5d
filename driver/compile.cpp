#include "driver/compile.h"

#include <fmt/format.h>

#include "formats/table_io.h"

namespace quadrille::driver {

namespace {

// The request's format, or that of the output's extension, or csv.
std::string format_of(const CompileRequest& request) {
  if (!request.format.empty()) return request.format;
  const FormatList formats = standard_formats();
  const Format* by_extension = format_of_path(formats, request.output);
  return by_extension != nullptr && by_extension->write ? by_extension->name : "csv";
}

// A table that ended early is no table, even if a part of it has been printed.
Diagnostic not_whole(Reason reason) {
  return error_at({}, fmt::format("the table has not been written to its end: {}", to_string(reason)), code_of(reason));
}

}  // namespace

Result<CompileOutcome> run(const CompileRequest& request, Context& context) {
  Result<SendTable> table = open_table(request.input, context);
  if (!table) return table.diagnostics();
  Environment& environment = context.environment;
  const std::string format = format_of(request);
  Written written;
  if (request.output.empty()) {
    written = write_table(*table, format, [&](std::string_view text) { return environment.print(text); });
  } else {
    const auto file = environment.create_file(request.output);
    written = write_table(*table, format, [&](std::string_view text) { return file->write(text); });
    const auto failure = written.ended_early == Reason::none ? file->keep() : std::nullopt;
    if (failure) return error_at({}, fmt::format("cannot write {}: {}", request.output, *failure));
  }
  if (written.ended_early != Reason::none) return not_whole(written.ended_early);
  return {CompileOutcome{std::move(*table)}, table.diagnostics()};
}

}  // namespace quadrille::driver
