// Computes the number of steps that a schedule takes, as a formula.
#pragma once

#include <vector>

#include "verifier/prover/obligations/writing.h"

namespace quadrille::prover {

inline constexpr const char* arrives_in_time = "arrives in time";  // an obligation's name

// steps_taken finds the last step in which anything arrives, wherever the parameters are in their ranges and `when`
// holds. The formula is guessed: of the arrivals at the corners of the loops' ranges, it is one that is the latest at
// some small sizes. The obligations that are added then say that nothing arrives later, and that something arrives in
// that step. All three functions throw Unsupported and Ended.
Number steps_taken(const Writing& writing, Formula when);
// length_of finds the length of one clock in which nothing has a clock of its own.
Number length_of(const Writing& writing, const Clock& clock);
// starts_of finds, for each family, the step in which its sends leave, in the schedule's time.
std::vector<Number> starts_of(const Writing& writing, Formula when, const std::vector<const Family*>& families);

}  // namespace quadrille::prover
