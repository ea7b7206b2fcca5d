// Computes the costs of a schedule in rounds besides its number of rounds, as formulas: `volume` and `hops`.
#pragma once

#include "verifier/prover/obligations/writing.h"

namespace quadrille::prover {

// Sums over the rounds 1 … `rounds`, wherever the parameters are in their ranges and `when` holds. Each round adds
// the largest weight of its messages. The formula for it is guessed from small sizes. The obligations that are added
// say that no message weighs more, and that one weighs as much.
//
// The volume sums the chunks of the longest messages, for held paths; the hops sum the channels of the longest paths.
// Those that are asked for are put into `measures`, whose `steps` are the rounds. Throws Unsupported and Ended.
void sum_over_rounds(const Writing& writing, Formula when, bool volume, bool hops, ClaimMeasures& measures);

// The number of chunks of the family's message, with those of other families (lengths.cpp). Throws Unsupported.
Number message_length(const Writing& writing, Formula when, const Family& message);

}  // namespace quadrille::prover
