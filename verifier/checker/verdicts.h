// Verdicts: what a report says of each property, from what was found and from what could not be looked at.
#pragma once

#include <initializer_list>
#include <vector>

#include "model/send_table.h"
#include "verifier/check.h"
#include "verifier/checker/rows/budget.h"
#include "verifier/checker/rows/findings.h"

namespace quadrille::checker {

// Sets these to unknown, for this reason; none leaves them as they are.
void leave_unknown(std::initializer_list<Property> properties, Reason reason, const Budget& budget, Report& report);

// Claims speak of the whole table, so of measures that are known only if all of it was judged: that is required.
void judge_claims(const std::vector<TableClaim>& claims, Findings& findings, Report& report);

// Counts, verdicts and the list of violations, from what was found; the last thing that is done.
void conclude(const SendTable& table, const Findings& findings, const Limits& limits, Report& report);

}  // namespace quadrille::checker
