// Computes the costs of a schedule in rounds besides its number of rounds, as formulas: `volume` and `hops`.
#pragma once

#include <optional>
#include <vector>

#include "model/limits/watch.h"
#include "verifier/prover/obligations/round_witnesses.h"
#include "verifier/prover/obligations/writing.h"
#include "verifier/prover/problem/obligation.h"
#include "verifier/prover/problem/problem.h"

namespace quadrille::prover {

// Sums over the rounds 1 … `rounds`, wherever the parameters are in their ranges and `when` holds. Each round adds
// the largest weight of its messages. The formula for it is guessed from small sizes. The obligations say that no
// message weighs more, and that one weighs as much.
class RoundSums {
 public:
  RoundSums(const Writing& writing, Formula when, Number rounds, std::vector<Obligation>& obligations);

  // These throw Unsupported and Ended.
  Number volume();  // sums the chunks of the longest messages; for held paths
  Number hops();    // sums the channels of the longest paths

 private:
  using Messages = std::vector<WeighedMessages>;
  Messages messages();
  bool never_sent(const WeighedMessages& messages);
  Number chunks_of(const Family& message);
  Number chunks(const Family& family);
  Number counted(const Family& family, std::vector<Formula> conditions, bool maybe_none);
  // The values of a chunk's variable: `value`, for i = `variable` in first … last, if `must` holds.
  struct ChosenChunks {
    Atom variable = nullptr;
    Number first, last, value;
    Formula must = nullptr;
  };
  // The condition (v + more) mod by == rest.
  struct Residue {
    Number by, rest, more;
  };
  std::optional<ChosenChunks> chosen(Atom variable, std::vector<Formula>& conditions);
  std::optional<ChosenChunks> narrowed(ChosenChunks from, std::vector<Formula>& conditions);
  bool bound(const Number& positive, ChosenChunks& chosen);
  std::vector<ChosenChunks> renamings(Atom variable, const std::vector<Formula>& conditions);
  static std::optional<Residue> residue_of(Atom variable, const Number& zero);
  void choose(const Residue& residue, ChosenChunks& chosen);
  Number summed(const Messages& all, const char* what);
  std::optional<Number> summed_together(const Messages& all, const std::vector<Assignment>& sizes, const char* what);
  // A statement with rounds of its own (round_pieces.cpp).
  struct RoundPiece {
    const WeighedMessages* messages = nullptr;
    Formula exists = nullptr;  // it has messages
    Number first, last;        // their rounds
    Number weight;             // in round `round_`
    Number sum;
    std::vector<RoundWitness> enough;
  };
  std::optional<Number> summed_by_pieces(const Messages& all, const std::vector<Assignment>& sizes, const char* what);
  std::optional<RoundPiece> piece(const WeighedMessages& messages, const std::vector<Assignment>& sizes);
  void write_piece(const RoundPiece& piece, const char* what);
  Obligation about(const RoundPiece& piece, std::string name, std::string meaning) const;
  void write_bounds(const Messages& all, const Number& weight, const std::vector<RoundWitness>& enough,
                    const char* what);
  std::optional<Number> total(const Number& weight, const std::vector<KnownRound>& known, const char* what);
  std::vector<Number> values_of(const Number& weight);
  // `end`: the round that adds something else, the first or the last one.
  bool fits(const Number& most, const Number& other, const Number& end, const std::vector<KnownRound>& known) const;
  std::optional<Number> total_but_end(const Number& most, const Number& other, const Number& end, const Number& weight,
                                      const char* what);
  Obligation step_of_claim(Span span) const;

  const Writing& writing_;
  Algebra& algebra_;
  const Problem& problem_;
  Formula when_;
  Number rounds_;
  Atom round_;
  std::vector<Obligation>& obligations_;
  Watch& watch_;
};

}  // namespace quadrille::prover
