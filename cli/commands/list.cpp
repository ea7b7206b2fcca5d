// `quadrille list`: its options.
#include "cli/commands/commands.h"
#include "cli/commands/request_command.h"
#include "cli/commands/shared_options.h"

namespace quadrille::cli {

std::unique_ptr<Command> make_list_command(const Registry& registry) {
  using Request = driver::ListRequest;
  return request_command<Request>(registry, "list", "Name the schedules that ship, with their parameters",
                                  [](Options& options, Asked<Request>& asked) { declare_form(options, asked.form); });
}

}  // namespace quadrille::cli
