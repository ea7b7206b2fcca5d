// The weight of a round is guessed from messages whose round is solved for one of their variables, with the other
// variables at ends of their ranges: a message is taken that is the heaviest in every round of some small sizes. Then
// the claim follows from obligations: no message weighs more; in every round one weighs as much; and the sum's closed
// form (sums.cpp).
//
// Example: Bruck's all-gather, "for t in 0..log2(N-1): at t + 1: … {… for d in 0..min(2^t, N-2^t)-1}". Round r has t
// = r - 1, so it adds min(2^(r-1), N - 2^(r-1)). This is 2^(r-1) in all rounds but the last, so the sum is 2^(T-1) -
// 1 + N - 2^(T-1) = N - 1.
//
// Cost: that of the guess (round_witnesses.cpp), and 2 obligations for each statement.
#include "verifier/prover/obligations/round_sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "verifier/prover/algebra/algebra.h"
#include "verifier/prover/algebra/witness.h"
#include "verifier/prover/obligations/timing.h"
#include "verifier/prover/problem/problem.h"

namespace quadrille::prover {

RoundSums::RoundSums(const Writing& writing, Formula when, Number rounds, std::vector<Obligation>& obligations)
    : writing_(writing),
      algebra_(writing.algebra),
      problem_(writing.problem),
      when_(when),
      rounds_(std::move(rounds)),
      round_(algebra_.variable("round", Number(1), rounds_)),
      obligations_(obligations),
      watch_(writing.watch) {}

Number RoundSums::volume() {
  if (problem_.machine.shared) throw Unsupported{"the volume on shared paths", problem_.schedule->fabric.span};
  Messages all;
  for (WeighedMessages& each : messages()) {
    if (never_sent(each)) continue;
    each.weight = chunks_of(*each.family);
    all.push_back(std::move(each));
  }
  return all.empty() ? Number(0) : summed(all, "length");
}

// Whether the claim's condition excludes all messages at small sizes; then an obligation says that it does at every
// size.
bool RoundSums::never_sent(const WeighedMessages& messages) {
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
  Obligation none = step_of_claim(messages.family->span);
  none.name = "nothing is sent";
  none.meaning = "no message of this statement is sent then";
  none.scope = messages.variables;
  none.given = algebra_.conjunction({messages.given, when_});
  none.must = algebra_.truth(false);
  obligations_.push_back(std::move(none));
  return true;
}

Number RoundSums::hops() {
  Messages all = messages();
  for (WeighedMessages& each : all) {
    const Family& family = *each.family;
    each.weight = prover::hops(algebra_, problem_.machine, family.source, family.target);
    // A message without chunks is none.
    Obligation some = step_of_claim(family.span);
    some.name = "messages have chunks";
    some.meaning = "every message has a chunk";
    some.scope = each.variables;
    some.given = algebra_.conjunction({each.given, when_});
    some.must = algebra_.at_least_zero(chunks_of(family) - Number(1));
    obligations_.push_back(std::move(some));
  }
  return summed(all, "way");
}

Obligation RoundSums::step_of_claim(Span span) const {
  Obligation result;
  result.property = ProvedProperty::claims;
  result.span = span;
  result.exact = false;
  return result;
}

RoundSums::Messages RoundSums::messages() {
  Messages result;
  ArrivalTiming timing(algebra_, problem_, when_, obligations_, watch_);
  for (const Family* family : one_of_each_message(problem_)) {
    WeighedMessages each;
    each.family = family;
    each.variables = family->variables;
    each.variables.insert(each.variables.end(), family->destinations.begin(), family->destinations.end());
    each.given = algebra_.conjunction({family->given, family->known, family->destinations_given});
    each.start = timing.start_of(*family);
    result.push_back(std::move(each));
  }
  if (result.empty())
    throw Unsupported{"the volume, or the hops, where nothing is sent", problem_.schedule->fabric.span};
  return result;
}

// --- the proof -------------------------------------------------------------------------------------------------------

void RoundSums::write_bounds(const Messages& all, const Number& weight, const std::vector<RoundWitness>& enough,
                             const char* what) {
  for (const WeighedMessages& each : all) {
    Obligation most = step_of_claim(each.family->span);
    most.name = fmt::format("greatest {}", what);
    most.meaning = fmt::format("no message of a round has a {} of more than {}", what, to_string(weight));
    most.scope = each.variables;
    most.given = algebra_.conjunction({each.given, when_});
    most.must = algebra_.at_most(each.weight, algebra_.substituted(weight, {{round_, each.start}}));
    obligations_.push_back(std::move(most));
  }
  Obligation some = step_of_claim(all[0].family->span);
  some.name = fmt::format("some {}", what);
  some.meaning = fmt::format("every round has a message with a {} of {}", what, to_string(weight));
  some.scope = {round_};
  some.given = when_;
  std::vector<Formula> ways;
  for (const RoundWitness& witness : enough) {
    ways.push_back(algebra_.conjunction({witness.exists, algebra_.at_most(weight, witness.weight)}));
  }
  some.must = algebra_.disjunction(std::move(ways));
  obligations_.push_back(std::move(some));
}

Number RoundSums::summed(const Messages& all, const char* what) {
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

std::optional<Number> RoundSums::summed_together(const Messages& all, const std::vector<Assignment>& sizes,
                                                 const char* what) {
  const std::vector<KnownRound> known = known_rounds(all, sizes, round_, rounds_);
  const std::vector<RoundWitness> found = round_witnesses(algebra_, all, round_, watch_);
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
std::optional<Number> RoundSums::total(const Number& weight, const std::vector<KnownRound>& known, const char* what) {
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
std::vector<Number> RoundSums::values_of(const Number& weight) {
  std::vector<Number> result;
  const auto add = [&](const Number& value) {
    if (std::find(result.begin(), result.end(), value) == result.end()) result.push_back(value);
  };
  for (const auto& [monomial, factor] : weight.terms()) {
    for (const auto& [atom, power] : monomial.powers) {
      if (atom->kind != AtomKind::choice) continue;
      for (const Number& operand : atom->operands) {
        for (const Number& value : branches(algebra_.substituted(weight, {{atom, operand}}))) add(value);
      }
    }
  }
  return result;
}

bool RoundSums::fits(const Number& most, const Number& other, const Number& end,
                     const std::vector<KnownRound>& known) const {
  return std::all_of(known.begin(), known.end(), [&](const KnownRound& each) {
    const bool at_end = each.values.at(round_) == evaluate(end, each.values);
    return evaluate(at_end ? other : most, each.values) == each.weight;
  });
}

std::optional<Number> RoundSums::total_but_end(const Number& most, const Number& other, const Number& end,
                                               const Number& weight, const char* what) {
  const bool last = end == rounds_;
  const Number from = last ? Number(1) : Number(2);
  const Number to = last ? rounds_ - Number(1) : rounds_;
  const auto closed = closed_sum(algebra_, most, round_, from, to);
  if (!closed) return std::nullopt;
  const auto is = [&](const Number& value, Formula where, const std::string& words) {
    Obligation same = step_of_claim(problem_.schedule->fabric.span);
    same.name = fmt::format("the {} {}", what, words);
    same.meaning = fmt::format("the {} {} is {}", what, words, to_string(value));
    same.scope = {round_};
    same.given = algebra_.conjunction({when_, where});
    same.must = algebra_.equal(weight, value);
    obligations_.push_back(std::move(same));
  };
  const Number round(round_);
  is(most, algebra_.conjunction({algebra_.at_most(from, round), algebra_.at_most(round, to)}),
     last ? "before the last round" : "after the first round");
  is(other, algebra_.equal(round, end), last ? "in the last round" : "in the first round");
  return *closed + algebra_.substituted(other, {{round_, end}});
}

}  // namespace quadrille::prover
