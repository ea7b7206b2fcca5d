// Claims that a table is the best there is (`claim optimal steps`), at one size.
#pragma once

#include <cstddef>
#include <optional>

#include "driver/inputs/context.h"
#include "model/send_table.h"
#include "verifier/bounds.h"
#include "verifier/check.h"

namespace quadrille::driver {

// What they are judged with.
struct OptimalEvidence {
  const Bound& bound;                  // on the table's steps, or rounds
  const std::optional<Bound>& volume;  // in rounds: on its volume
  std::size_t listed;                  // how many violations are described
  // Whether a better schedule is searched for, for ten seconds; if not, those that ship are looked at, and the verdict
  // is the same on every machine.
  bool search = true;
};

// Adds to the report of a table, made without its claims of that kind, what these are: they hold where a bound meets
// the measure, or a search shows that there is no better schedule; are violated where a better one is known (one that
// ships, or that a search finds); and are unknown otherwise, as they are where the table itself does not hold. Cost: a
// search.
void judge_optimal_claims(const SendTable& table, const OptimalEvidence& evidence, Context& context, Report& report);

bool claims_optimum(const SendTable& table);

// The checker's report on a table without its claims of that kind.
Report check_without_optimal(const SendTable& table, const CheckOptions& options);

}  // namespace quadrille::driver
