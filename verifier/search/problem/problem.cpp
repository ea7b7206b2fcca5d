// What formulas do unless they say otherwise: the table of an assignment is that of its rows.
#include "verifier/search/problem/problem.h"

namespace quadrille::searching {

std::optional<SendTable> ScheduleFormula::table(const SearchProblem& problem,
                                                const std::function<bool(int variable)>& is_true) const {
  return problem.table("search", rows(is_true));
}

}  // namespace quadrille::searching
