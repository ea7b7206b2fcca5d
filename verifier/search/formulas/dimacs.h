// Formulas in DIMACS CNF, the form that all solvers and proof checkers read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "verifier/search/problem/problem.h"

namespace quadrille::searching {

// The formula, written with `formula.write`, as DIMACS CNF. Comments begin with `title` and say what each variable
// means.
std::string dimacs_text(ScheduleFormula& formula, std::string_view title);

}  // namespace quadrille::searching
