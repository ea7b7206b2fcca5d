// States the result of a proof in a sentence that a person can quote.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verifier/prove.h"

namespace quadrille::driver {

struct Theorem {
  std::string domain;  // "N >= 2, P in 1..1000"; empty if the schedule has one size only
  // "allgather_ring is a correct allgather on a complete graph of N processors, in rounds, with single ports, for every
  // N >= 2, in N - 1 rounds of volume N - 1, and no schedule there has less volume"
  std::string text;
  std::vector<std::string> optimal = {};  // the measures in which no schedule is better: "volume", "steps when L >= 3"
};

// For example "L in 1..62", "N >= 2", "L = 4", "capacity constant or exponential".
std::string in_words(const ProvedParameter& parameter, const ir::Schedule& schedule);

// The theorem; nothing unless everything but claims is proved. It includes the claims that are proved and apply to
// some size.
std::optional<Theorem> theorem_of(const Proof& proof, const ir::Schedule& schedule);

}  // namespace quadrille::driver
