// dimacs_text writes formulas in DIMACS CNF, the form that all solvers and proof checkers read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "verifier/search/problem/problem.h"

namespace quadrille::searching {

// Writes the formula, by `formula.write`, as DIMACS CNF. Comments begin with `title` and give the meaning of each
// variable.
std::string dimacs_text(ScheduleFormula& formula, std::string_view title);

}  // namespace quadrille::searching
