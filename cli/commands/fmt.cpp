// `quadrille fmt`: its options.
#include "cli/commands/commands.h"
#include "cli/commands/request_command.h"
#include "cli/commands/shared_options.h"

namespace quadrille::cli {

std::unique_ptr<Command> make_fmt_command(const Registry& registry) {
  using Request = driver::LayoutRequest;
  return request_command<Request>(
      registry, "fmt", "Give schedule files their one canonical layout", [](Options& options, Asked<Request>& asked) {
        options.positionals({"FILE", "", "Files to rewrite; - is standard input to standard output", true},
                            asked.request.files);
        options.flag({"--check", "", "Rewrite nothing; name the files that differ, and end with 1 if any does"},
                     asked.request.check);
        declare_color(options, asked.form);
      });
}

}  // namespace quadrille::cli
