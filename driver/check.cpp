// The command `check`: the explicit checker on one table, and the best lower bound beside its steps. That the table
// holds and only its claims fail (on another fabric than they speak of, say) is told apart.
#include "driver/check.h"

#include "driver/notations.h"

namespace quadrille::driver {

Verdict CheckOutcome::table_verdict() const {
  Verdict verdict = Verdict::holds;
  for (std::size_t i = 0; i < property_count; ++i) {
    const auto property = static_cast<Property>(i);
    if (property == Property::claims || property == Property::non_redundant) continue;
    verdict = both(verdict, report.of(property).verdict);
  }
  return verdict;
}

bool CheckOutcome::only_claims_violated() const {
  return table_verdict() == Verdict::holds && report.of(Property::claims).verdict == Verdict::violated;
}

Result<CheckOutcome> run(const CheckRequest& request, Context& context) {
  Result<SendTable> opened = open_table(request.input, context);
  if (!opened) return opened.diagnostics();
  if (!request.claims) opened->claims.clear();

  SendTable table = made_ahead(std::move(*opened));
  CheckOptions options;
  options.listed_per_property = request.listed;
  options.limits = remaining(context);
  Report report = quadrille::check(table, options);
  tell_stage(context, "looking for lower bounds");
  Bound bound = best_bound(table.fabric, table.collective, report.steps, context.limits);
  std::optional<Bound> volume;
  if (report.volume) volume = volume_bounds(table.fabric, table.collective, context.limits).front();
  return {CheckOutcome{std::move(table), asked_for(request.input.on, request.input.without), std::move(report),
                       std::move(bound), std::move(volume), request.claims, opened.diagnostics()},
          opened.diagnostics()};
}

}  // namespace quadrille::driver
