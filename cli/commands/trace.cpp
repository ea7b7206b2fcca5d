// `quadrille trace`: its options.
#include "cli/commands/commands.h"
#include "cli/commands/request_command.h"
#include "cli/commands/shared_options.h"

namespace quadrille::cli {

std::unique_ptr<Command> make_trace_command(const Registry& registry) {
  using Request = driver::TraceRequest;
  return request_command<Request>(
      registry, "trace", "Write a table's packets as events in time, for Perfetto (ui.perfetto.dev)",
      [](Options& options, Asked<Request>& asked) {
        declare_input(options, asked.request.input);
        declare_costs(options, asked.request.sizes, asked.request.costs);
        declare_size_of(options, asked.request.size_of);
        options.word({"--steps", "A..B", "Only these steps; their times stay"}, asked.request.steps);
        options.word({"-o,--output", "FILE", "Where the trace goes; standard output if not given"},
                     asked.request.output);
        declare_color(options, asked.form);
        declare_limits(options, asked.limits);
      });
}

}  // namespace quadrille::cli
