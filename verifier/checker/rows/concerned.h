// Every row that a violation is about, not only the latest: the other packet on the lane, what a switch holds, the row
// that brought a contribution the first time.
#pragma once

#include <vector>

#include "model/limits/limits.h"
#include "model/send_table.h"
#include "verifier/checker/rows/findings.h"

namespace quadrille::checker {

// Fills in Violation::rows, without their origins, in the order of the table; the places of these rows, by finding,
// come back. Reads the table once more, as far as there is something to find and within the limits: what cannot be
// found is left out. Cost: a reading; for each row a look at each finding that is about other steps.
std::vector<std::vector<RowPlace>> find_concerned(std::vector<BlamedViolation>& findings, const SendTable& table,
                                                  const Limits& limits);

}  // namespace quadrille::checker
