// The weight of a round is guessed from messages whose round is solved for one of their variables, with the other
// variables at ends of their ranges: a message is taken that is the heaviest in every round of some small sizes. Then
// the claim follows from obligations: no message weighs more; in every round one weighs as much; and the sum's closed
// form (sums.cpp).
//
// Example: Bruck's all-gather, "for t in 0..log2(N-1): at t + 1: … {… for d in 0..min(2^t, N-2^t)-1}". Round r has t
// = r - 1, so it adds min(2^(r-1), N - 2^(r-1)). This is 2^(r-1) in all rounds but the last, so the sum is 2^(T-1) -
// 1 + N - 2^(T-1) = N - 1.
//
// Cost: that of the guess, and 2 obligations for each statement.
#include "verifier/prover/obligations/round_sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>

#include "verifier/prover/algebra/witness.h"
#include "verifier/prover/obligations/timing.h"

namespace quadrille::prover {
namespace {

// The messages of one statement, one for each value of the variables with which `given` holds, and the weight of
// each.
struct WeighedSends {
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

// A message's start is solved for one of its variables, and the others are set to ends of their ranges, or to what the
// conditions ask of them. The result is a message of any round, in terms of the round.
//
// Example: "for d in 1..n-1: at d: for k in processors: send k -> …" has the message d = r, k = 0 in round r; "for i in
// 0..d-1: at i + 1: for k in processors if k mod 2^(i+1) == 2^i: …" has i = r - 1, k = 2^(r-1).
//
// Cost: for v variables, v + 1 times 3^v witnesses (at most 512 a statement) and at most 128 by the conditions, on 25
// sizes of up to 3000 messages.

constexpr std::uint64_t most_messages = 3000;  // of a size
constexpr std::size_t most_witnesses = 512;    // of a statement
constexpr std::size_t ends_tried = 3;          // tried of each range

bool mentions_any(const Number& x, const std::vector<Atom>& variables) {
  return std::ranges::any_of(variables, [&](Atom each) { return mentions(x, each); });
}

// Values of all variables. The solved variable gets the value with which the message is of round `round`; each other
// one gets an end of its range or the value beside the first. Nothing unless the start is the variable, or its
// negative, plus a formula in others.
std::optional<Substitution> choice(Algebra& algebra, const WeighedSends& messages, std::optional<Atom> solved,
                                   Atom round, std::size_t number) {
  Number rest = messages.start;
  bool falls = false;
  if (solved) {
    falls = mentions(rest - Number(*solved), *solved);
    rest = falls ? rest + Number(*solved) : rest - Number(*solved);
    if (mentions(rest, *solved)) return std::nullopt;
  }
  Substitution at;
  std::vector<Atom> left = messages.variables;
  while (!left.empty()) {
    // Takes the next variable whose value depends on none that is left.
    const auto next = std::ranges::find_if(left, [&](Atom variable) {
      if (solved && variable == *solved) return !mentions_any(rest, left);
      return !mentions_any(*variable->first, left) && !mentions_any(*variable->last, left);
    });
    if (next == left.end()) return std::nullopt;
    const Atom variable = *next;
    left.erase(next);
    if (solved && variable == *solved) {
      const Number others = algebra.substituted(rest, at);
      at[variable] = falls ? others - Number(round) : Number(round) - others;
      continue;
    }
    const Number first = algebra.substituted(*variable->first, at);
    const std::array<Number, ends_tried> values = {first, algebra.substituted(*variable->last, at), first + Number(1)};
    at[variable] = values[number % ends_tried];
    number /= ends_tried;
  }
  return at;
}

// Adds the message with these values of its variables.
void add_witness(Algebra& algebra, const WeighedSends& messages, const Substitution& at, Atom round,
                 std::vector<RoundWitness>& found) {
  const auto there = [&](const auto& x) { return algebra.substituted(x, at); };
  std::vector<Formula> exists = {there(messages.given), algebra.equal(there(messages.start), Number(round))};
  for (const Atom variable : messages.variables) append_range(algebra, variable, at, exists);
  RoundWitness witness{algebra.conjunction(exists), there(messages.weight)};
  if (witness.exists != algebra.truth(false)) found.push_back(std::move(witness));
}

// Adds the witnesses that solve the conditions, too.
void add_solved_witnesses(Algebra& algebra, const WeighedSends& messages, Atom round,
                          std::vector<RoundWitness>& found) {
  if (messages.given == algebra.truth(true)) return;
  const Sought sought{messages.variables, {messages.given}, {{messages.start, Number(round)}}};
  for (const Substitution& at : suggested_witnesses(algebra, sought)) {
    try {
      add_witness(algebra, messages, at, round, found);
    } catch (const Unsupported&) {  // a number that the algebra has not: another may do
    }
  }
}

// Adds the witnesses whose start is solved for the variable.
void add_witnesses(Algebra& algebra, const WeighedSends& messages, std::optional<Atom> solved, Atom round,
                   std::vector<RoundWitness>& found) {
  std::size_t combinations = 1;
  for (std::size_t i = solved ? 1 : 0; i < messages.variables.size(); ++i) combinations *= ends_tried;
  for (std::size_t number = 0; number < std::min(combinations, most_witnesses); ++number) {
    const auto at = choice(algebra, messages, solved, round, number);
    if (!at) return;
    add_witness(algebra, messages, *at, round, found);
  }
}

// The weight of the heaviest message of each round at one size that has any; nothing if there are too many messages.
std::optional<std::map<Integer, Integer>> heaviest_of_rounds(const std::vector<WeighedSends>& all,
                                                             const Assignment& size) {
  std::map<Integer, Integer> result;
  std::uint64_t count = 0;
  for (const WeighedSends& each : all) {
    Assignment values = size;
    const bool complete = for_each_value(each.variables, values, [&] {
      if (++count > most_messages) return false;
      if (!evaluate(each.given, values)) return true;
      const Integer weight = evaluate(each.weight, values);
      const auto [place, fresh] = result.emplace(evaluate(each.start, values), weight);
      if (!fresh && place->second < weight) place->second = weight;
      return true;
    });
    if (!complete) return std::nullopt;
  }
  return result;
}

// All rounds of those of these sizes that have few messages. `round`: a variable from 1 to `rounds`. Throws
// Unsupported if a round has no message, or if no size is small enough.
std::vector<KnownRound> known_rounds(const std::vector<WeighedSends>& all, const std::vector<Assignment>& sizes,
                                     Atom round, const Number& rounds) {
  std::vector<KnownRound> known;
  for (const Assignment& size : sizes) {
    auto weights = heaviest_of_rounds(all, size);
    if (!weights) continue;
    const Integer last = evaluate(rounds, size);
    for (Integer r = 1; r <= last; ++r) {
      if (weights->count(r) == 0)
        throw Unsupported{"a sum over rounds of which some have no messages", all.front().family->span};
      Assignment values = size;
      values[round] = r;
      known.push_back({std::move(values), weights->at(r)});
    }
  }
  if (known.empty())
    throw Unsupported{"what a round adds, for want of small sizes to guess it from", all.front().family->span};
  return known;
}

// Messages of round `round`, at the ends of all ranges.
std::vector<RoundWitness> round_witnesses(Algebra& algebra, const std::vector<WeighedSends>& all, Atom round,
                                          Watch& watch) {
  std::vector<RoundWitness> found;
  for (const WeighedSends& each : all) {
    for (const Atom variable : each.variables) {
      watch.require_open();
      add_witnesses(algebra, each, variable, round, found);
    }
    add_witnesses(algebra, each, std::nullopt, round, found);
    add_solved_witnesses(algebra, each, round, found);
  }
  return found;
}

// Weights that a round may have: numbers, and powers of two, that grow, or shrink, from the first round to the last.
std::vector<Number> plain_weights(Atom round, const Number& first, const Number& last) {
  std::vector<Number> result;
  for (const Number& exponent : {Number(round) - first, last - Number(round)}) {
    for (const int more : {0, 1, -1}) {
      result.push_back(exponent + Number(more));
      if (is_exponent(exponent + Number(more))) result.push_back(power_of_two(exponent + Number(more)));
    }
  }
  return result;
}

// A few witnesses such that one of them exists in every known round and has this weight. Empty if there are no such
// witnesses, or if some round has another weight.
std::vector<RoundWitness> cover(const std::vector<RoundWitness>& all, const Number& weight,
                                const std::vector<KnownRound>& known) {
  const bool right =
      std::ranges::all_of(known, [&](const KnownRound& each) { return evaluate(weight, each.values) == each.weight; });
  if (!right) return {};
  std::vector<RoundWitness> result;
  std::vector<bool> covered(known.size());
  for (const RoundWitness& witness : all) {
    bool useful = false;
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (covered[i] || !evaluate(witness.exists, known[i].values)) continue;
      if (evaluate(witness.weight, known[i].values) != known[i].weight) continue;
      useful = covered[i] = true;
    }
    if (useful) result.push_back(witness);
  }
  const bool everywhere = std::ranges::all_of(covered, [](bool each) { return each; });
  return everywhere ? result : std::vector<RoundWitness>{};
}

// --- sums --------------------------------------------------------------------------------------------------------

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

// A message of a statement at an end of all its ranges.
struct End {
  Formula exists = nullptr;
  Number round;
};

std::vector<End> ends_of(Algebra& algebra, const WeighedSends& messages) {
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
    return std::ranges::all_of(f->parts, [&](Formula part) { return surely(algebra, part); });
  return f == algebra.truth(true);
}

// Sums over the rounds 1 … `rounds`. Each round adds the largest weight of its messages.
class SumsOverRounds {
 public:
  SumsOverRounds(const Writing& writing, Formula when, const Number& rounds)
      : writing_(writing),
        algebra_(writing.algebra),
        problem_(writing.problem),
        when_(when),
        rounds_(rounds),
        round_(algebra_.variable("round", Number(1), rounds_)) {}

  Number volume() {
    if (problem_.machine.shared) throw Unsupported{"the volume on shared paths", problem_.schedule->fabric.span};
    Messages all;
    for (WeighedSends& each : messages()) {
      if (never_sent(each)) continue;
      each.weight = message_length(writing_, when_, *each.family);
      all.push_back(std::move(each));
    }
    return all.empty() ? Number(0) : summed(all, "length");
  }

  Number hops() {
    Messages all = messages();
    for (WeighedSends& each : all) {
      const Family& family = *each.family;
      each.weight = prover::hops(algebra_, problem_.machine, family.source, family.target);
      // A message without chunks is none.
      const Formula given = algebra_.conjunction({each.given, when_});
      const Formula some = algebra_.at_least_zero(message_length(writing_, when_, family) - Number(1));
      write("messages have chunks", "every message has a chunk", family.span, {each.variables, given, some});
    }
    return summed(all, "way");
  }

 private:
  using Messages = std::vector<WeighedSends>;
  // A statement with rounds of its own.
  struct RoundPiece {
    const WeighedSends* messages = nullptr;
    Formula exists = nullptr;  // it has messages
    Number first, last;        // their rounds
    Number weight;             // in round `round_`
    Number sum;
    std::vector<RoundWitness> enough;
  };

  void write(std::string name, std::string meaning, Span span, AskedFormula question) {
    writing_.obligations.push_back(
        asking(proof_step(ProvedProperty::claims, std::move(name), std::move(meaning), span), std::move(question)));
  }

  // One of these messages exists, and weighs as much.
  Formula one_weighs(const Number& weight, const std::vector<RoundWitness>& enough) {
    std::vector<Formula> ways;
    for (const RoundWitness& witness : enough) {
      ways.push_back(algebra_.conjunction({witness.exists, algebra_.at_most(weight, witness.weight)}));
    }
    return algebra_.disjunction(std::move(ways));
  }

  // Whether the claim's condition excludes all messages at small sizes; then an obligation says that it does at every
  // size.
  bool never_sent(const WeighedSends& messages) {
    if (when_ == algebra_.truth(true)) return false;
    for (const Assignment& size : small_sizes(problem_, when_)) {
      Assignment values = size;
      bool any = false;
      const bool complete = for_each_value(messages.variables, values, [&] {
        any = any || evaluate(messages.given, values);
        return !any;
      });
      if (any || !complete) return false;
    }
    write("nothing is sent", "no message of this statement is sent then", messages.family->span,
          {messages.variables, algebra_.conjunction({messages.given, when_}), algebra_.truth(false)});
    return true;
  }

  Messages messages() {
    Messages result;
    const std::vector<const Family*> families = one_of_each_message(problem_);
    const std::vector<Number> starts = starts_of(writing_, when_, families);
    for (const Family* family : families) {
      WeighedSends each;
      each.family = family;
      each.variables = joined(family->variables, family->destinations);
      each.given = algebra_.conjunction({family->given, family->known, family->destinations_given});
      each.start = starts[result.size()];
      result.push_back(std::move(each));
    }
    if (result.empty())
      throw Unsupported{"the volume, or the hops, where nothing is sent", problem_.schedule->fabric.span};
    return result;
  }

  // --- the proof
  // -------------------------------------------------------------------------------------------------------

  void write_bounds(const Messages& all, const Number& weight, const std::vector<RoundWitness>& enough,
                    const char* what) {
    for (const WeighedSends& each : all) {
      write(fmt::format("greatest {}", what),
            fmt::format("no message of a round has a {} of more than {}", what, to_string(weight)), each.family->span,
            {each.variables, algebra_.conjunction({each.given, when_}),
             algebra_.at_most(each.weight, algebra_.substituted(weight, {{round_, each.start}}))});
    }
    write(fmt::format("some {}", what),
          fmt::format("every round has a message with a {} of {}", what, to_string(weight)), all[0].family->span,
          {{round_}, when_, one_weighs(weight, enough)});
  }

  Number summed(const Messages& all, const char* what) {
    const auto sizes = small_sizes(problem_, when_);
    Unsupported why{fmt::format("a sum over rounds of the greatest {}: no formula was found for it", what),
                    all[0].family->span};
    try {
      if (const auto sum = summed_together(all, sizes, what)) return *sum;
    } catch (const Unsupported& unsupported) {
      why = unsupported;
    }
    if (const auto sum = summed_by_pieces(all, sizes, what)) return *sum;
    throw why;
  }

  std::optional<Number> summed_together(const Messages& all, const std::vector<Assignment>& sizes, const char* what) {
    const std::vector<KnownRound> known = known_rounds(all, sizes, round_, rounds_);
    const std::vector<RoundWitness> found = round_witnesses(algebra_, all, round_, writing_.watch);
    std::vector<Number> guesses = plain_weights(round_, Number(1), rounds_);
    std::ranges::transform(found, std::inserter(guesses, guesses.begin()), &RoundWitness::weight);
    for (const Number& guess : guesses) {
      const std::vector<RoundWitness> enough = cover(found, guess, known);
      if (enough.empty()) continue;
      const auto sum = total(guess, known, what);
      if (!sum) continue;
      write_bounds(all, guess, enough, what);
      return *sum;
    }
    return std::nullopt;
  }

  // The sum over all rounds, in closed form. If the weight is a choice, or nested choices, the sum uses the branch that
  // is always taken; or the branch that is taken in all rounds but the last, or the first, and the one in that round.
  std::optional<Number> total(const Number& weight, const std::vector<KnownRound>& known, const char* what) {
    if (auto closed = closed_sum(algebra_, weight, round_, Number(1), rounds_)) return closed;
    const std::vector<Number> values = values_of(weight);
    for (const Number& always : values) {
      if (!fits(always, always, rounds_, known)) continue;
      if (auto sum = total_but_end(always, always, rounds_, weight, what)) return sum;
    }
    for (const Number& end : {rounds_, Number(1)}) {
      for (const Number& most : values) {
        for (const Number& other : values) {
          if (most == other || !fits(most, other, end, known)) continue;
          if (auto sum = total_but_end(most, other, end, weight, what)) return sum;
        }
      }
    }
    return std::nullopt;
  }

  // The branches of the weight's choices.
  std::vector<Number> values_of(const Number& weight) {
    std::vector<Number> result;
    for (const Atom atom : factors_of(weight)) {
      if (atom->kind != AtomKind::choice) continue;
      for (const Number& operand : atom->operands) {
        for (const Number& value : branches(algebra_.substituted(weight, {{atom, operand}}))) {
          if (std::ranges::find(result, value) == result.end()) result.push_back(value);
        }
      }
    }
    return result;
  }

  bool fits(const Number& most, const Number& other, const Number& end, const std::vector<KnownRound>& known) const {
    return std::ranges::all_of(known, [&](const KnownRound& each) {
      const bool at_end = each.values.at(round_) == evaluate(end, each.values);
      return evaluate(at_end ? other : most, each.values) == each.weight;
    });
  }

  std::optional<Number> total_but_end(const Number& most, const Number& other, const Number& end, const Number& weight,
                                      const char* what) {
    const bool last = end == rounds_;
    const Number from = last ? Number(1) : Number(2);
    const Number to = last ? rounds_ - Number(1) : rounds_;
    const auto closed = closed_sum(algebra_, most, round_, from, to);
    if (!closed) return std::nullopt;
    const auto is = [&](const Number& value, Formula where, const std::string& words) {
      write(fmt::format("the {} {}", what, words), fmt::format("the {} {} is {}", what, words, to_string(value)),
            problem_.schedule->fabric.span,
            {{round_}, algebra_.conjunction({when_, where}), algebra_.equal(weight, value)});
    };
    const Number round(round_);
    is(most, algebra_.conjunction({algebra_.at_most(from, round), algebra_.at_most(round, to)}),
       last ? "before the last round" : "after the first round");
    is(other, algebra_.equal(round, end), last ? "in the last round" : "in the first round");
    return *closed + algebra_.substituted(other, {{round_, end}});
  }

  // The rounds of one statement's messages, and their weight; nothing if no formula is found.
  std::optional<RoundPiece> piece(const WeighedSends& messages, const std::vector<Assignment>& sizes) {
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
        return std::ranges::all_of(known, [&](const auto& each) { return test(end, each.first, each.second); });
      };
    };
    const auto exists = std::ranges::find_if(ends, fits([](const End& end, const auto& size, const auto& at) {
                                               return evaluate(end.exists, size) == !at.empty();
                                             }));
    const auto first = std::ranges::find_if(ends, fits([](const End& end, const auto& size, const auto& at) {
                                              return at.empty() || evaluate(end.round, size) == at.begin()->first;
                                            }));
    const auto last = std::ranges::find_if(ends, fits([](const End& end, const auto& size, const auto& at) {
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
    const std::vector<RoundWitness> witnesses = round_witnesses(algebra_, {messages}, round_, writing_.watch);
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

  void write_piece(const RoundPiece& piece, const char* what) {
    const std::string rounds = fmt::format("{} … {}", to_string(piece.first), to_string(piece.last));
    const Number start = piece.messages->start;
    const Span span = piece.messages->family->span;
    const Formula exists = algebra_.conjunction({when_, piece.exists});
    write(fmt::format("greatest {}", what),
          fmt::format("all messages are in rounds {}, and none has a {} of more than {}", rounds, what,
                      to_string(piece.weight)),
          span,
          {piece.messages->variables, algebra_.conjunction({when_, piece.messages->given}),
           algebra_.conjunction(
               {piece.exists, algebra_.at_most(piece.first, start), algebra_.at_most(start, piece.last),
                algebra_.at_most(piece.messages->weight, algebra_.substituted(piece.weight, {{round_, start}}))})});
    write(fmt::format("some {}", what),
          fmt::format("each of the rounds {} has a message with a {} of {}", rounds, what, to_string(piece.weight)),
          span,
          {{round_},
           algebra_.conjunction(
               {exists, algebra_.at_most(piece.first, Number(round_)), algebra_.at_most(Number(round_), piece.last)}),
           one_weighs(piece.weight, piece.enough)});
    // The round is one of 1 … rounds, and the range of the sum has no negative length.
    write("rounds in order", fmt::format("the rounds {} do not run backwards", rounds), span,
          {{},
           exists,
           algebra_.conjunction({algebra_.at_most(Number(1), piece.first), algebra_.at_most(piece.last, rounds_),
                                 algebra_.at_most(piece.first, piece.last + Number(1))})});
  }

  std::optional<Number> summed_by_pieces(const Messages& all, const std::vector<Assignment>& sizes, const char* what) {
    std::vector<RoundPiece> pieces;
    for (const WeighedSends& each : all) {
      auto found = piece(each, sizes);
      if (!found) return std::nullopt;
      pieces.push_back(std::move(*found));
    }
    Number sum;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      sum = sum + pieces[i].sum;
      write_piece(pieces[i], what);
      for (std::size_t j = 0; j < i; ++j) {
        write("rounds of their own", "no two statements have messages in one round", pieces[i].messages->family->span,
              {{},
               algebra_.conjunction({algebra_.conjunction({when_, pieces[i].exists}), pieces[j].exists}),
               algebra_.disjunction(
                   {algebra_.less(pieces[i].last, pieces[j].first), algebra_.less(pieces[j].last, pieces[i].first)})});
      }
    }
    return sum;
  }

  const Writing& writing_;
  Algebra& algebra_;
  const Problem& problem_;
  Formula when_;
  Number rounds_;
  Atom round_;
};

}  // namespace

void sum_over_rounds(const Writing& writing, Formula when, bool volume, bool hops, ClaimMeasures& measures) {
  SumsOverRounds sums(writing, when, *measures.steps);
  if (volume) measures.volume = sums.volume();
  if (hops) measures.hops = sums.hops();
}

}  // namespace quadrille::prover
