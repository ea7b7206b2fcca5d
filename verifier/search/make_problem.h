// Chooses the problem that fits a collective; says whether a formula answers the question, and which bounds counting
// gives.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "verifier/search/problem/moves.h"
#include "verifier/search/problem/problem.h"

namespace quadrille::searching {

// The problem of this collective. Throws Ended if the problem would need more memory than there is room for, or when
// the watch has reached its limits. Keeps references to the arguments. Requires !cannot_search(...).
std::unique_ptr<SearchProblem> make_problem(const Fabric& fabric, const Collective& collective, const SearchGoal& goal,
                                            Watch& watch);

// The reason why no formula answers this question; nothing where one does. Formulas assume that switches copy. They
// also answer for other switch rules where these make no difference.
std::optional<std::string> why_no_formula(const Fabric& fabric, const Collective& collective, const SearchGoal& goal);

// Whether the question is about the volume of rounds. If so, T is the volume, and the goal's phases are the number of
// rounds.
bool counts_volume(const Fabric& fabric, const SearchGoal& goal);

// The lower bounds that counting gives, largest first; never empty.
std::vector<Bound> bounds_of(const Fabric& fabric, const Collective& collective, const SearchGoal& goal,
                             const Limits& limits);

// --- the kinds of problem -------------------------------------------------------------------------------------------

// The problem of a copying collective with these moves: its formula is that of verifier/FORMULA.md, its heuristics are
// list scheduling and matchings. Keeps references to the fabric and the watch.
std::unique_ptr<SearchProblem> copying_problem(const Fabric& fabric, const Collective& collective,
                                               const SearchGoal& goal, std::vector<Moves> moves, Watch& watch);

// The problem of a combining collective whose time reversal is `copied` (time_reversal.h), which has these moves. Keeps
// references to the fabric, the collective and the watch.
std::unique_ptr<SearchProblem> time_reversed_problem(const Fabric& fabric, const Collective& collective,
                                                     Collective copied, const SearchGoal& goal,
                                                     std::vector<Moves> moves, Watch& watch);

// The problem of a combining collective: its formula is over partial reductions (combining_formula.h), its heuristics
// are chains, trees and spreading. With a goal in phases it also offers schedules that are composed of copying
// schedules (composed.cpp). Keeps references to the arguments.
std::unique_ptr<SearchProblem> combining_problem(const Fabric& fabric, const Collective& collective,
                                                 const SearchGoal& goal, Watch& watch);

}  // namespace quadrille::searching
