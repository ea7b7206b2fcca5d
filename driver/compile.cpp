#include "driver/compile.h"

#include "driver/write_file.h"

namespace quadrille::driver {

Result<CompileOutcome> run(const CompileRequest& request, Context& context) {
  Result<SendTable> table = open_table(request.input, context);
  if (!table) return table.diagnostics();
  Environment& environment = context.environment;
  if (request.output.empty()) {
    write_table(*table, request.format, [&](std::string_view text) { return environment.print(text); });
    return {CompileOutcome{std::move(*table)}, table.diagnostics()};
  }
  const auto fill = [&](NewFile& file) {
    write_table(*table, request.format, [&](std::string_view text) { return file.write(text); });
  };
  if (const auto failure = write_file(request.output, fill, environment)) return error_at({}, *failure);
  return {CompileOutcome{std::move(*table)}, table.diagnostics()};
}

}  // namespace quadrille::driver
