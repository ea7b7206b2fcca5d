#include "cli/commands.h"
#include "cli/refuse.h"
#include "driver/write_file.h"
#include "model/verdict.h"

namespace quadrille::cli {

int compile_command(const CompileArguments& arguments, driver::Environment& environment) {
  Sources sources;
  const Result<SendTable> table = driver::open_table(arguments.request, environment, sources);
  if (!table) return refuse(table.diagnostics(), sources, environment);
  environment.print_error(render(table.diagnostics(), sources));

  if (arguments.output.empty()) {
    write_table(*table, arguments.format, [&](std::string_view text) { return environment.print(text); });
    return exit_done;
  }
  const auto fill = [&](driver::NewFile& file) {
    write_table(*table, arguments.format, [&](std::string_view text) { return file.write(text); });
  };
  if (const auto failure = driver::write_file(arguments.output, fill, environment)) {
    return refuse({error_at({}, *failure)}, sources, environment);
  }
  return exit_done;
}

}  // namespace quadrille::cli
