// For example, a reduction of 1, 2 and 3 to 0 around a switch, three rows in and one out, becomes three sends of two
// rows each, which arrive in three steps. Cost: that of retiming as many sends.
#include "driver/unfold.h"

#include <fmt/format.h>

#include <utility>

#include "driver/flight_rows.h"
#include "model/text/evaluation_error.h"
#include "place/flights/unfolded_sends.h"
#include "place/retime.h"
#include "verifier/check.h"

namespace quadrille::driver {
namespace {

Diagnostic refused(const std::string& why) {
  return error_at({}, fmt::format("the table cannot be unfolded: {}", why), Code::unsupported);
}

}  // namespace

Result<SendTable> unfolded(const SendTable& table, Context& context) {
  const Fabric& fabric = table.fabric;
  if (!table.collective.combining() || !fabric.switches_reduce() || !fabric.has_switches()) return table;
  if (table.rows->has_partial_reductions())
    return refused("its rows say something of partial reductions, whose numbers would be others");
  tell_stage(context, "unfolding");
  Rules rules = fabric.rules();
  rules.switches = Switching::forward;
  rules.timing = Timing::steps;
  rules.paths = Paths::held;
  SendTable result = table;
  result.fabric = fabric.with_rules(rules);
  result.claims.clear();
  result.invariants.clear();
  try {
    const Limits limits = remaining(context);
    UnfoldedSends sends = unfolded_sends(table, limits);
    const RetimedFlights placed =
        retimed(std::move(sends.flights), sends.fabric, table.collective, result.fabric, limits);
    result.rows = rows_of(placed.flights, result.fabric);
  } catch (const EvaluationError& error) {
    return error.diagnostic;
  }
  CheckOptions options;
  options.listed_per_property = 1;
  options.limits = remaining(context);
  options.limits.progress = {};
  const Report report = check(result, options);
  if (report.verdict == Verdict::holds) return result;
  if (report.verdict == Verdict::unknown)
    return refused(fmt::format("it is not known to be right: {}", to_string(report.ended_early)));
  return refused(report.violations.empty() ? "it would not be right" : report.violations.front().message);
}

}  // namespace quadrille::driver
