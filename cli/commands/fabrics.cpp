// `quadrille fabrics`: its options.
#include "cli/commands/commands.h"
#include "cli/commands/request_command.h"
#include "cli/commands/shared_options.h"

namespace quadrille::cli {

std::unique_ptr<Command> make_fabrics_command(const Registry& registry) {
  using Request = driver::FabricsRequest;
  return request_command<Request>(
      registry, "fabrics", "Name the kinds of fabric that --on and schedules understand",
      [](Options& options, Asked<Request>& asked) {
        options.word({"--hamiltonian", "FABRIC", "Find a cycle through all processors of this fabric, along its links"},
                     asked.request.hamiltonian);
        declare_without(options, asked.request.without);
        declare_form(options, asked.form);
        declare_limits(options, asked.limits);
      });
}

}  // namespace quadrille::cli
