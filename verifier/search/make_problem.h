// make_problem chooses the problem that fits a collective; the other functions say whether formulas cover the question,
// and which bounds counting gives.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "verifier/search/problem/problem.h"

namespace quadrille::searching {

// Returns the problem of this collective. Throws Ended if it would take more memory than there is room for, or if the
// watch has reached its limits. Keeps references to the arguments. Requires !cannot_search(...).
std::unique_ptr<SearchProblem> make_problem(const Fabric& fabric, const Collective& collective, const SearchGoal& goal,
                                            Watch& watch);

// Returns why no formula answers this question; nothing where one does. Formulas are about switches that copy; they
// answer for other rules where these make no difference.
std::optional<std::string> why_no_formula(const Fabric& fabric, const Collective& collective, const SearchGoal& goal);

// Whether the question is about the volume of rounds; then T is the volume, and the goal's phases are the rounds.
bool counts_volume(const Fabric& fabric, const SearchGoal& goal);

// Returns the bounds by counting, largest first; never empty.
std::vector<Bound> bounds_of(const Fabric& fabric, const Collective& collective, const SearchGoal& goal,
                             const Limits& limits);

}  // namespace quadrille::searching
