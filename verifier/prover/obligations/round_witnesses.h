// Guesses what a round adds to a sum over rounds (round_sums.h): from small sizes, and from messages at the ends of
// their loops' ranges. Each guess becomes an obligation.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "model/limits/watch.h"
#include "verifier/prover/problem/problem.h"

namespace quadrille::prover {

// The messages of one statement, one for each value of the variables with which `given` holds, and the weight of
// each.
struct WeighedMessages {
  const Family* family = nullptr;
  std::vector<Atom> variables;
  Formula given = nullptr;
  Number start;  // the round, in the schedule's time
  Number weight;
};

// A message of a round, which exists with these values of the variables if `exists` holds; in terms of the round.
struct RoundWitness {
  Formula exists = nullptr;
  Number weight;
};

// A round of a small size, and the weight of its heaviest message.
struct KnownRound {
  Assignment values;
  Integer weight;
};

// The weight of the heaviest message of each round at one size that has any; nothing if there are too many messages.
std::optional<std::map<Integer, Integer>> heaviest_of_rounds(const std::vector<WeighedMessages>& all,
                                                             const Assignment& size);

// All rounds of those of these sizes that have few messages. `round`: a variable from 1 to `rounds`. Throws
// Unsupported if a round has no message, or if no size is small enough.
std::vector<KnownRound> known_rounds(const std::vector<WeighedMessages>& all, const std::vector<Assignment>& sizes,
                                     Atom round, const Number& rounds);

// Messages of round `round`, at the ends of all ranges.
std::vector<RoundWitness> round_witnesses(Algebra& algebra, const std::vector<WeighedMessages>& all, Atom round,
                                          Watch& watch);

// Weights that a round may have: numbers, and powers of two, that grow, or shrink, from the first round to the last.
std::vector<Number> plain_weights(Atom round, const Number& first, const Number& last);

// A few witnesses such that one of them exists in every known round and has this weight. Empty if there are no such
// witnesses, or if some round has another weight.
std::vector<RoundWitness> cover(const std::vector<RoundWitness>& all, const Number& weight,
                                const std::vector<KnownRound>& known);

}  // namespace quadrille::prover
