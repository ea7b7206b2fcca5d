// `quadrille compare`: its options.
#include "cli/commands/commands.h"
#include "cli/commands/request_command.h"
#include "cli/commands/shared_options.h"

namespace quadrille::cli {

std::unique_ptr<Command> make_compare_command(const Registry& registry) {
  using Request = driver::CompareRequest;
  return request_command<Request>(
      registry, "compare", "Measure every algorithm that ships for a collective, on one fabric",
      [](Options& options, Asked<Request>& asked) {
        declare_question(options, asked.request.collective, asked.request.on, asked.request.without);
        declare_costs(options, asked.request.sizes, asked.request.costs);
        declare_form(options, asked.form);
        declare_page(options, asked.form.page, false);
        declare_limits(options, asked.limits);
      });
}

}  // namespace quadrille::cli
