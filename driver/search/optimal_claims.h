// Judges claims that a table is the best possible (`claim optimal steps`), at one size.
#pragma once

#include <cstddef>
#include <optional>

#include "driver/inputs/context.h"
#include "model/send_table.h"
#include "verifier/bounds.h"
#include "verifier/check.h"

namespace quadrille::driver {

// The evidence for the judgement.
struct OptimalEvidence {
  const Bound& bound;                  // on the table's steps, or rounds
  const std::optional<Bound>& volume;  // in rounds: on its volume
  std::size_t listed;                  // number of violations that are described
  // Whether to search for a better schedule, for ten seconds. If not, only schedules that ship are compared, and the
  // verdict is the same on every machine.
  bool search = true;
};

// Adds the verdicts on such claims to the report of a table, which was made without them. A claim holds if a bound
// meets the measure, or if a search shows that there is no better schedule. It is violated if a better schedule is
// known (one that ships, or one that a search finds). It is unknown otherwise, and also if the table itself does not
// hold. Cost: a search.
void judge_optimal_claims(const SendTable& table, const OptimalEvidence& evidence, Context& context, Report& report);

bool claims_optimum(const SendTable& table);

// The checker's report on a table without such claims.
Report check_without_optimal(const SendTable& table, const CheckOptions& options);

}  // namespace quadrille::driver
