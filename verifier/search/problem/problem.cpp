// The default table of an assignment is the table of its rows.
#include "verifier/search/problem/problem.h"

namespace quadrille::searching {

std::optional<SendTable> ScheduleFormula::table(const SearchProblem& problem,
                                                const std::function<bool(int variable)>& is_true) const {
  return problem.table("search", rows(is_true));
}

}  // namespace quadrille::searching
