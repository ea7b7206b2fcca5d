// `quadrille replay`: its options.
#include "cli/commands.h"
#include "cli/request_command.h"
#include "cli/shared_options.h"

namespace quadrille::cli {

std::unique_ptr<Command> make_replay_command(const Program& program) {
  using Request = driver::ReplayRequest;
  return request_command<Request>(
      program, "replay", "Move the packets through a simulated fabric: queues, link use, time",
      [](Options& options, Asked<Request>& asked) {
        declare_input(options, asked.request.input);
        declare_costs(options, asked.request.sizes, asked.request.costs);
        options.choice(
            {"--sync", "WHEN", "For --size: rows begin with their step (step), or as soon as they can (dependency)"},
            {"step", "dependency"}, asked.request.sync);
        declare_form(options, asked.form);
        declare_limits(options, asked.limits);
      });
}

}  // namespace quadrille::cli
