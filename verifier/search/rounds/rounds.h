// The search problem in rounds: few rounds, whatever the length of messages is, or a small volume in a given number
// of rounds.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "verifier/search/problem/problem.h"

namespace quadrille::searching {

// The problem of a collective on a fabric that counts rounds. With `rounds`, the question is about so many rounds, and
// T is the volume. Keeps references. Throws Ended if it would be too large, or when the watch has reached its limits.
std::unique_ptr<SearchProblem> rounds_problem(const Fabric& fabric, const Collective& collective,
                                              std::optional<std::uint32_t> rounds, Watch& watch);

// Trees of messages, as first schedules: towards a processor, and from there to all (trees.cpp). Offers schedules by
// trees of different shapes and roots, while `take` returns that another may be of use. Offers none if that would be
// much work, if some processor is not reached, or for prefixes. The checker must judge whether they keep to the rules.
// Throws Ended when the watch has reached its limits.
void for_round_trees(const Fabric& fabric, const Collective& collective, Watch& watch,
                     const std::function<bool(SendTable table)>& take);

}  // namespace quadrille::searching
