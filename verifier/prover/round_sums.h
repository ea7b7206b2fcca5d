// What a schedule in rounds costs besides its number of rounds, as formulas: `volume` and `hops`.
#pragma once

#include <optional>
#include <vector>

#include "verifier/prover/obligation.h"
#include "verifier/prover/problem.h"
#include "verifier/prover/round_witnesses.h"
#include "verifier/prover/watch.h"

namespace quadrille::prover {

// Sums over the rounds 1 … `rounds`, wherever the parameters are in their ranges and `when` holds. What a round adds is
// the largest of a weight of its messages. The formula for it is guessed from small sizes; that no message weighs more,
// and that one weighs as much, are put among the obligations.
class RoundSums {
 public:
  RoundSums(Algebra& algebra, const Problem& problem, Formula when, Number rounds, std::vector<Obligation>& obligations,
            Watch& watch);

  // Throw Unsupported, LimitsReached.
  Number volume();  // of the longest message's chunks; on held paths
  Number hops();    // of the longest path's channels

 private:
  using Messages = std::vector<WeighedMessages>;
  Messages messages() const;
  Number chunks_of(const Family& message);
  Number chunks(const Family& family);
  Number summed(const Messages& all, const char* what);
  void write_bounds(const Messages& all, const Number& weight, const std::vector<RoundWitness>& enough,
                    const char* what);
  std::optional<Number> total(const Number& weight, const std::vector<KnownRound>& known, const char* what);
  bool fits(const Number& most, const Number& last, const std::vector<KnownRound>& known) const;
  std::optional<Number> total_but_last(const Number& most, const Number& last, const Number& weight, const char* what);
  Obligation step_of_claim(Span span) const;

  Algebra& algebra_;
  const Problem& problem_;
  Formula when_;
  Number rounds_;
  Atom round_;
  std::vector<Obligation>& obligations_;
  Watch& watch_;
};

}  // namespace quadrille::prover
