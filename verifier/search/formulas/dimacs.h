// Formulas in DIMACS CNF, the format that all solvers and proof checkers read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "verifier/search/problem/problem.h"

namespace quadrille::searching {

// The formula, written with `formula.write`, as DIMACS CNF. Comments begin with `title` and state the meaning of each
// variable.
std::string dimacs_text(ScheduleFormula& formula, std::string_view title);

}  // namespace quadrille::searching
