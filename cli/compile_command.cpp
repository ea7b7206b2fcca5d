#include "cli/commands.h"
#include "cli/written_file.h"
#include "model/verdict.h"

namespace quadrille::cli {

int compile_command(const CompileArguments& arguments, Outside& outside) {
  Sources sources;
  const Result<SendTable> table = open_table(arguments.request, outside, sources);
  if (!table) return refuse(table.diagnostics(), sources, outside);
  outside.complain(render(table.diagnostics(), sources));

  if (arguments.output.empty()) {
    write_table(*table, arguments.format, [&](std::string_view text) { return outside.print(text); });
    return exit_done;
  }
  const auto fill = [&](NewFile& file) {
    write_table(*table, arguments.format, [&](std::string_view text) { return file.write(text); });
  };
  if (const auto failure = write_file(arguments.output, fill, outside)) {
    return refuse({error_at({}, *failure)}, sources, outside);
  }
  return exit_done;
}

}  // namespace quadrille::cli
