// For example, a reduction of 1, 2 and 3 to 0 around a switch, three rows in and one out, becomes three sends of two
// rows each, which arrive in three steps. Cost: that of retiming as many sends.
#include "driver/unfold.h"

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "model/text/evaluation_error.h"
#include "place/flights/unfolded_sends.h"
#include "place/retime.h"
#include "verifier/check.h"

namespace quadrille::driver {
namespace {

Diagnostic refused(const std::string& why) {
  return error_at({}, fmt::format("the table cannot be unfolded: {}", why), Code::unsupported);
}

// The rows of flights; those that cross a channel at once take its lanes in the order of their sends.
std::shared_ptr<const StoredRows> rows_of(const Flights& flights, const Fabric& fabric) {
  std::vector<StoredRows::StepRow> rows;
  std::map<std::pair<ChannelId, std::uint32_t>, std::uint32_t> lanes;
  FlightHops hops(flights, fabric);
  for (const Flight& flight : flights.list) {
    for (const Hop& hop : hops.of(flight)) {
      const LaneId lane(lanes[{hop.channel, hop.step}]++);
      rows.push_back({StepId(hop.step), {hop.channel, lane, flight.chunk}});
    }
  }
  return std::make_shared<StoredRows>(std::move(rows));
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
