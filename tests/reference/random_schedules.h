// Schedules from dice, for few sizes: what is said of all of them can be tried.
#pragma once

#include <string>

#include "tests/reference/random_tables.h"

namespace quadrille::reference {

// A right broadcast with a parameter or two and a claim about numbers: arithmetic, digits, choices, folds. It may be
// true, false or undefined.
std::string schedule_with_claim(Dice& dice);

// A right scatter, total exchange or multinode broadcast, of which some sends are later, or go elsewhere, where some
// condition holds: anywhere, or nowhere.
std::string schedule_with_changes(Dice& dice);

// A scatter, right or wrong, of sends side by side, one after another, in turn, backwards and under conditions; and
// claims that tell its steps where they fail: "L != 3 or steps == 0".
std::string schedule_with_times(Dice& dice);

// A schedule in rounds, right or wrong, on a few kinds of machines: messages of several chunks, to one or to many; and
// perhaps claims that tell its measures where they fail: "L != 3 or volume == 0".
std::string schedule_in_rounds(Dice& dice);

}  // namespace quadrille::reference
