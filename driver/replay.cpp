// The command `replay`: a table simulated, and the best lower bound beside its steps.
#include "driver/replay.h"

#include "driver/notations.h"

namespace quadrille::driver {

Result<ReplayOutcome> run(const ReplayRequest& request, Context& context) {
  Result<SendTable> opened = open_table(request.input, context);
  if (!opened) return opened.diagnostics();

  SendTable table = made_ahead(std::move(*opened));
  ReplayOptions options;
  options.limits = remaining(context);
  Measurements measured = quadrille::replay(table, options);
  tell_stage(context, "looking for lower bounds");
  Bound bound = best_bound(table.fabric, table.collective, measured.steps, context.limits);
  return {ReplayOutcome{std::move(table), asked_for(request.input.on, request.input.without), std::move(measured),
                        std::move(bound), opened.diagnostics()},
          opened.diagnostics()};
}

}  // namespace quadrille::driver
