// A message's start is solved for one of its variables, and the others are set to ends of their ranges, or to what the
// conditions ask of them. The result is a message of any round, in terms of the round.
//
// Example: "for d in 1..n-1: at d: for k in processors: send k -> …" has the message d = r, k = 0 in round r; "for i in
// 0..d-1: at i + 1: for k in processors if k mod 2^(i+1) == 2^i: …" has i = r - 1, k = 2^(r-1).
//
// Cost: for v variables, v + 1 times 3^v witnesses (at most 512 a statement) and at most 128 by the conditions, on 25
// sizes of up to 3000 messages.
#include "verifier/prover/obligations/round_witnesses.h"

#include <algorithm>
#include <array>

#include "verifier/prover/algebra/algebra.h"
#include "verifier/prover/algebra/witness.h"
#include "verifier/prover/problem/problem.h"

namespace quadrille::prover {
namespace {

constexpr std::uint64_t most_messages = 3000;  // of a size
constexpr std::size_t most_witnesses = 512;    // of a statement
constexpr std::size_t ends_tried = 3;          // tried of each range

bool mentions_any(const Number& x, const std::vector<Atom>& variables) {
  return std::any_of(variables.begin(), variables.end(), [&](Atom each) { return mentions(x, each); });
}

// Values of all variables. The solved variable gets the value with which the message is of round `round`; each other
// one gets an end of its range or the value beside the first. Nothing unless the start is the variable, or its
// negative, plus a formula in others.
std::optional<Substitution> choice(Algebra& algebra, const WeighedMessages& messages, std::optional<Atom> solved,
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
    const auto next = std::find_if(left.begin(), left.end(), [&](Atom variable) {
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
void add_witness(Algebra& algebra, const WeighedMessages& messages, const Substitution& at, Atom round,
                 std::vector<RoundWitness>& found) {
  const auto there = [&](const auto& x) { return algebra.substituted(x, at); };
  std::vector<Formula> exists = {there(messages.given), algebra.equal(there(messages.start), Number(round))};
  for (const Atom variable : messages.variables) {
    exists.push_back(algebra.at_most(there(*variable->first), at.at(variable)));
    exists.push_back(algebra.at_most(at.at(variable), there(*variable->last)));
  }
  RoundWitness witness{algebra.conjunction(exists), there(messages.weight)};
  if (witness.exists != algebra.truth(false)) found.push_back(std::move(witness));
}

// Adds the witnesses that solve the conditions, too.
void add_solved_witnesses(Algebra& algebra, const WeighedMessages& messages, Atom round,
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
void add_witnesses(Algebra& algebra, const WeighedMessages& messages, std::optional<Atom> solved, Atom round,
                   std::vector<RoundWitness>& found) {
  std::size_t combinations = 1;
  for (std::size_t i = solved ? 1 : 0; i < messages.variables.size(); ++i) combinations *= ends_tried;
  for (std::size_t number = 0; number < std::min(combinations, most_witnesses); ++number) {
    const auto at = choice(algebra, messages, solved, round, number);
    if (!at) return;
    add_witness(algebra, messages, *at, round, found);
  }
}

}  // namespace

std::optional<std::map<Integer, Integer>> heaviest_of_rounds(const std::vector<WeighedMessages>& all,
                                                             const Assignment& size) {
  std::map<Integer, Integer> result;
  std::uint64_t count = 0;
  for (const WeighedMessages& each : all) {
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

std::vector<KnownRound> known_rounds(const std::vector<WeighedMessages>& all, const std::vector<Assignment>& sizes,
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

std::vector<RoundWitness> round_witnesses(Algebra& algebra, const std::vector<WeighedMessages>& all, Atom round,
                                          Watch& watch) {
  std::vector<RoundWitness> found;
  for (const WeighedMessages& each : all) {
    for (const Atom variable : each.variables) {
      watch.require_open();
      add_witnesses(algebra, each, variable, round, found);
    }
    add_witnesses(algebra, each, std::nullopt, round, found);
    add_solved_witnesses(algebra, each, round, found);
  }
  return found;
}

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

std::vector<RoundWitness> cover(const std::vector<RoundWitness>& all, const Number& weight,
                                const std::vector<KnownRound>& known) {
  const bool right = std::all_of(known.begin(), known.end(),
                                 [&](const KnownRound& each) { return evaluate(weight, each.values) == each.weight; });
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
  const bool everywhere = std::all_of(covered.begin(), covered.end(), [](bool each) { return each; });
  return everywhere ? result : std::vector<RoundWitness>{};
}

}  // namespace quadrille::prover
