#include "driver/replay.h"

#include "driver/report_rows.h"

namespace quadrille::driver {

Result<ReplayOutcome> run(const ReplayRequest& request, Context& context) {
  Result<SendTable> opened = open_table(request.input, context);
  if (!opened) return opened.diagnostics();

  SendTable table = made_ahead(std::move(*opened));
  ReplayOptions options;
  options.progress = report_rows("replaying", table, context.limits);
  options.memory = context.limits.memory;
  Measurements measured = quadrille::replay(table, options);
  Bound bound = best_bound(table.fabric, table.collective, measured.steps);
  return {ReplayOutcome{std::move(table), std::move(measured), std::move(bound)}, opened.diagnostics()};
}

}  // namespace quadrille::driver
