// The command `check`: runs the explicit checker on one table, and reports the best lower bound beside its steps. It
// distinguishes the case in which the table holds and only its claims or invariants fail (for example, on another
// fabric than they are about).
#include "driver/check/check.h"

#include "driver/inputs/bandwidth.h"
#include "driver/inputs/message_time.h"
#include "driver/inputs/notations.h"
#include "driver/search/optimal_claims.h"

namespace quadrille::driver {

Verdict CheckOutcome::table_verdict() const {
  Verdict verdict = Verdict::holds;
  for (std::size_t i = 0; i < property_count; ++i) {
    const auto property = static_cast<Property>(i);
    if (property == Property::claims || property == Property::invariants || report.only_warns(property)) continue;
    verdict = both(verdict, report.of(property).verdict);
  }
  return verdict;
}

std::optional<Property> CheckOutcome::only_violated_of_schedule() const {
  if (table_verdict() != Verdict::holds) return std::nullopt;
  for (const Property property : {Property::claims, Property::invariants}) {
    if (report.of(property).verdict == Verdict::violated) return property;
  }
  return std::nullopt;
}

bool CheckOutcome::only_claims_unknown() const {
  return both(table_verdict(), report.of(Property::invariants).verdict) == Verdict::holds &&
         report.of(Property::claims).verdict == Verdict::unknown;
}

namespace {

// The time of a table. In rounds, it is as measured. In steps, which are in lock step, each step is a round of
// messages of one chunk over one channel. If links differ, only the transfers of tables that hold can be timed.
std::optional<double> time_of(const CheckOutcome& outcome, std::uint64_t size, const Limits& limits) {
  const Verdict verdict = outcome.table_verdict();
  const Measures measures = measures_of(outcome.table.fabric, outcome.report);
  const bool by_row = timed_by_row(outcome.table.fabric, measures, outcome.costs);
  if (verdict == Verdict::unknown || (by_row && verdict != Verdict::holds)) return std::nullopt;
  return message_time(outcome.table, measures, outcome.costs, size, limits);
}

}  // namespace

Result<CheckOutcome> run(const CheckRequest& request, Context& context) {
  const Result<Costs> costs = parse_costs(request.costs);
  if (!costs) return costs.diagnostics();
  Result<std::vector<std::uint64_t>> sizes = parse_sizes(request.sizes);
  if (!sizes) return sizes.diagnostics();
  if (sizes->empty() && !request.costs.empty()) {
    return error_at({}, "--costs: expected --size, too: what a message takes depends on its bytes", Code::usage);
  }
  const Result<StepRange> listed = parse_steps("--rows", request.rows.empty() ? "all" : request.rows);
  if (!listed) return listed.diagnostics();
  if (request.unlisted_channels) allow_unlisted_channels(context);
  Result<SendTable> opened = open_table(request.input, context);
  if (!opened) return opened.diagnostics();
  sizes = message_sizes(*std::move(sizes), request.size_of, opened->collective);
  if (!sizes) return sizes.diagnostics();
  const bool invariants_written = !opened->invariants.empty();
  if (!request.claims) {
    opened->claims.clear();
    opened->invariants.clear();
  }

  SendTable table = made_ahead(std::move(*opened), context.limits);
  CheckOptions options;
  options.listed_per_property = request.listed;
  options.agreement = request.agreement;
  options.limits = remaining(context);
  Report report = check_without_optimal(table, options);
  tell_stage(context, "looking for lower bounds");
  Bound bound = best_bound(table.fabric, table.collective, report.steps, context.limits);
  std::optional<Bound> volume;
  if (report.volume) volume = volume_bounds(table.fabric, table.collective, context.limits).front();
  judge_optimal_claims(table, {bound, volume, request.listed}, context, report);
  CheckOutcome outcome{std::move(table),
                       asked_for(request.input.on, request.input.without),
                       std::move(report),
                       std::move(bound),
                       std::move(volume),
                       request.claims,
                       invariants_written,
                       opened.diagnostics(),
                       *costs,
                       std::move(*sizes)};
  outcome.slow_down = slow_down_of(request.input, outcome.table, context);
  for (const std::uint64_t size : outcome.sizes) outcome.times.push_back(time_of(outcome, size, remaining(context)));
  if (!request.rows.empty()) outcome.rows = list_rows(outcome.table, *listed, remaining(context));
  outcome.cut = context.limits.ended_early();
  return {std::move(outcome), opened.diagnostics()};
}

}  // namespace quadrille::driver
