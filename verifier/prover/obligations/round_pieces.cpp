// Sums over rounds for schedules whose statements have rounds of their own, as phases have. The sum of each statement
// is found, and no round counts twice.
//
//   all-reduce after Rabenseifner: rounds 1 … L add P/2^t each, which is P - 1; rounds L + 1 … 2L add the same again;
//   and, if N is no power of two, a round before and one after add P each
//
// For each statement, three things are guessed from small sizes: the rounds of its first and last message, when it
// has any, and the weight of the longest message. The obligations are: no message is in another round, or adds more;
// in each round one message adds as much; and the rounds of two statements are disjoint.
//
// Cost: 3^v ends of v variables for each guess, on 25 sizes, and four obligations for each statement.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "verifier/prover/algebra/algebra.h"
#include "verifier/prover/algebra/witness.h"
#include "verifier/prover/obligations/round_sums.h"
#include "verifier/prover/problem/problem.h"

namespace quadrille::prover {
namespace {

// A message of a statement at an end of all its ranges.
struct End {
  Formula exists = nullptr;
  Number round;
};

std::vector<End> ends_of(Algebra& algebra, const WeighedMessages& messages) {
  constexpr std::size_t most = 243;
  std::vector<End> result;
  std::size_t combinations = 1;
  for (std::size_t i = 0; i < messages.variables.size(); ++i) combinations *= 3;
  for (std::size_t number = 0; number < std::min(combinations, most); ++number) {
    Substitution at;
    std::vector<Formula> exists;
    std::size_t rest = number;
    for (const Atom variable : messages.variables) {
      const Number first = algebra.substituted(*variable->first, at);
      const Number last = algebra.substituted(*variable->last, at);
      const Number values[] = {first, last, first + Number(1)};
      at[variable] = values[rest % 3];
      rest /= 3;
      exists.push_back(algebra.at_most(first, at[variable]));
      exists.push_back(algebra.at_most(at[variable], last));
    }
    exists.push_back(algebra.substituted(messages.given, at));
    result.push_back({algebra.conjunction(exists), algebra.substituted(messages.start, at)});
  }
  return result;
}

// Whether the ranges alone imply the formula.
bool surely(const Algebra& algebra, Formula f) {
  if (f->kind == FormulaNodeKind::positive) return algebra.never_negative(f->operand);
  if (f->kind == FormulaNodeKind::conjunction)
    return std::all_of(f->parts.begin(), f->parts.end(), [&](Formula part) { return surely(algebra, part); });
  return f == algebra.truth(true);
}

}  // namespace

// The rounds of one statement's messages, and their weight; nothing if no formula is found.
std::optional<RoundSums::RoundPiece> RoundSums::piece(const WeighedMessages& messages,
                                                      const std::vector<Assignment>& sizes) {
  std::vector<std::pair<Assignment, std::map<Integer, Integer>>> known;
  for (const Assignment& size : sizes) {
    if (auto rounds = heaviest_of_rounds({messages}, size)) known.emplace_back(size, std::move(*rounds));
  }
  if (known.empty()) return std::nullopt;
  RoundPiece result;
  result.messages = &messages;
  // Finds an end that exists exactly where there are messages.
  const std::vector<End> ends = ends_of(algebra_, messages);
  const auto fits = [&](const auto& test) {
    return [&known, test](const End& end) {
      return std::all_of(known.begin(), known.end(),
                         [&](const auto& each) { return test(end, each.first, each.second); });
    };
  };
  const auto exists = std::find_if(ends.begin(), ends.end(), fits([](const End& end, const auto& size, const auto& at) {
                                     return evaluate(end.exists, size) == !at.empty();
                                   }));
  const auto first = std::find_if(ends.begin(), ends.end(), fits([](const End& end, const auto& size, const auto& at) {
                                    return at.empty() || evaluate(end.round, size) == at.begin()->first;
                                  }));
  const auto last = std::find_if(ends.begin(), ends.end(), fits([](const End& end, const auto& size, const auto& at) {
                                   return at.empty() || evaluate(end.round, size) == at.rbegin()->first;
                                 }));
  if (exists == ends.end() || first == ends.end() || last == ends.end()) return std::nullopt;
  result.exists = surely(algebra_, exists->exists) ? algebra_.truth(true) : exists->exists;
  result.first = first->round;
  result.last = last->round;
  std::vector<KnownRound> rounds;
  for (const auto& [size, weights] : known) {
    for (const auto& [round, weight] : weights) {
      rounds.push_back({size, weight});
      rounds.back().values[round_] = round;
    }
  }
  const std::vector<RoundWitness> witnesses = round_witnesses(algebra_, {messages}, round_, watch_);
  std::vector<Number> guesses;
  for (const RoundWitness& each : witnesses) std::ranges::copy(branches(each.weight), std::back_inserter(guesses));
  std::ranges::copy(plain_weights(round_, result.first, result.last), std::back_inserter(guesses));
  for (const Number& weight : guesses) {  // of a choice, what it is always
    result.enough = cover(witnesses, weight, rounds);
    if (result.enough.empty()) continue;
    const auto closed = closed_sum(algebra_, weight, round_, result.first, result.last);
    if (!closed) continue;
    result.weight = weight;
    result.sum = algebra_.choice(result.exists, *closed, Number(0));
    return result;
  }
  return std::nullopt;
}

Obligation RoundSums::about(const RoundPiece& piece, std::string name, std::string meaning) const {
  Obligation result = step_of_claim(piece.messages->family->span);
  result.name = std::move(name);
  result.meaning = std::move(meaning);
  result.given = algebra_.conjunction({when_, piece.exists});
  return result;
}

void RoundSums::write_piece(const RoundPiece& piece, const char* what) {
  const std::string rounds = fmt::format("{} … {}", to_string(piece.first), to_string(piece.last));
  const Number start = piece.messages->start;
  Obligation most = about(piece, fmt::format("greatest {}", what),
                          fmt::format("all messages are in rounds {}, and none has a {} of more than {}", rounds, what,
                                      to_string(piece.weight)));
  most.scope = piece.messages->variables;
  most.given = algebra_.conjunction({when_, piece.messages->given});
  most.must = algebra_.conjunction(
      {piece.exists, algebra_.at_most(piece.first, start), algebra_.at_most(start, piece.last),
       algebra_.at_most(piece.messages->weight, algebra_.substituted(piece.weight, {{round_, start}}))});
  obligations_.push_back(std::move(most));
  Obligation some =
      about(piece, fmt::format("some {}", what),
            fmt::format("each of the rounds {} has a message with a {} of {}", rounds, what, to_string(piece.weight)));
  some.scope = {round_};
  some.given = algebra_.conjunction(
      {some.given, algebra_.at_most(piece.first, Number(round_)), algebra_.at_most(Number(round_), piece.last)});
  std::vector<Formula> ways;
  for (const RoundWitness& witness : piece.enough) {
    ways.push_back(algebra_.conjunction({witness.exists, algebra_.at_most(piece.weight, witness.weight)}));
  }
  some.must = algebra_.disjunction(std::move(ways));
  obligations_.push_back(std::move(some));
  // The round is one of 1 … rounds, and the range of the sum has no negative length.
  Obligation sane = about(piece, "rounds in order", fmt::format("the rounds {} do not run backwards", rounds));
  sane.must = algebra_.conjunction({algebra_.at_most(Number(1), piece.first), algebra_.at_most(piece.last, rounds_),
                                    algebra_.at_most(piece.first, piece.last + Number(1))});
  obligations_.push_back(std::move(sane));
}

std::optional<Number> RoundSums::summed_by_pieces(const Messages& all, const std::vector<Assignment>& sizes,
                                                  const char* what) {
  std::vector<RoundPiece> pieces;
  for (const WeighedMessages& each : all) {
    auto found = piece(each, sizes);
    if (!found) return std::nullopt;
    pieces.push_back(std::move(*found));
  }
  Number sum;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    sum = sum + pieces[i].sum;
    write_piece(pieces[i], what);
    for (std::size_t j = 0; j < i; ++j) {
      Obligation apart = about(pieces[i], "rounds of their own", "no two statements have messages in one round");
      apart.given = algebra_.conjunction({apart.given, pieces[j].exists});
      apart.must = algebra_.disjunction(
          {algebra_.less(pieces[i].last, pieces[j].first), algebra_.less(pieces[j].last, pieces[i].first)});
      obligations_.push_back(std::move(apart));
    }
  }
  return sum;
}

}  // namespace quadrille::prover
