// `quadrille bounds`: its options.
#include "cli/commands/commands.h"
#include "cli/commands/request_command.h"
#include "cli/commands/shared_options.h"

namespace quadrille::cli {

std::unique_ptr<Command> make_bounds_command(const Registry& registry) {
  using Request = driver::BoundsRequest;
  return request_command<Request>(registry, "bounds", "Tell how many steps any schedule needs at least, and why",
                                  [](Options& options, Asked<Request>& asked) {
                                    declare_question(options, asked.request.collective, asked.request.on,
                                                     asked.request.without);
                                    declare_form(options, asked.form);
                                    declare_limits(options, asked.limits);
                                  });
}

}  // namespace quadrille::cli
