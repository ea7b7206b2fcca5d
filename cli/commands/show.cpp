// `quadrille show`: its options.
#include "cli/commands/commands.h"
#include "cli/commands/request_command.h"
#include "cli/commands/shared_options.h"

namespace quadrille::cli {

std::unique_ptr<Command> make_show_command(const Registry& registry) {
  using Request = driver::ShowRequest;
  return request_command<Request>(registry, "show", "Print a schedule, or a fabric as the language declares it",
                                  [](Options& options, Asked<Request>& asked) {
                                    options.positional(
                                        {"NAME", "", "Its name or path, or a fabric (see list and fabrics)", true},
                                        asked.request.name);
                                    declare_form(options, asked.form);
                                  });
}

}  // namespace quadrille::cli
