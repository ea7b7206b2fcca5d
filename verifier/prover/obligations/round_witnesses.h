// Guessing what a round adds to a sum over rounds (round_sums.h): from small sizes, and from messages at the ends of
// their loops' ranges. What is guessed is an obligation afterwards.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "verifier/prover/problem/interrupter.h"
#include "verifier/prover/problem/problem.h"

namespace quadrille::prover {

// The messages of one statement, one for each value of the variables with which `given` holds, and what each weighs.
struct WeighedMessages {
  const Family* family = nullptr;
  std::vector<Atom> variables;
  Formula given = nullptr;
  Number weight;
};

// A message of a round, if there is one with these values of the variables; in terms of the round.
struct RoundWitness {
  Formula exists = nullptr;
  Number weight;
};

// A round of a small size, and its heaviest message's weight.
struct KnownRound {
  Assignment values;
  Integer weight;
};

// The heaviest message of each round at one size that has any; nothing if there are too many messages.
std::optional<std::map<Integer, Integer>> heaviest_of_rounds(const std::vector<WeighedMessages>& all,
                                                             const Assignment& size);

// All rounds of those of these sizes that have few messages. `round`: a variable from 1 to `rounds`. Throws Unsupported
// if a round has no message, or no size is small enough.
std::vector<KnownRound> known_rounds(const std::vector<WeighedMessages>& all, const std::vector<Assignment>& sizes,
                                     Atom round, const Number& rounds);

// Messages of round `round`, at the ends of all ranges.
std::vector<RoundWitness> round_witnesses(Algebra& algebra, const std::vector<WeighedMessages>& all, Atom round,
                                          Interrupter& interrupter);

// Witnesses, few of them, one of which is there in every known round and has this weight; none at all if there are no
// such, or the weight is not that of some round.
std::vector<RoundWitness> cover(const std::vector<RoundWitness>& all, const Number& weight,
                                const std::vector<KnownRound>& known);

}  // namespace quadrille::prover
