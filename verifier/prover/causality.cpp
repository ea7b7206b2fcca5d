// What a processor sends is there: it is the packet's origin; or a send brought the packet in a step before. Which one
// is guessed, and then shown: one of the same family, with variables one less or more, or the same.
//
// Example: on a ring "for t in 1..n-1, i in processors: at t: send i -> (i + 1) mod n carrying (i + n - (t - 1)) mod
// n": what i sends in step t > 1 came from i - 1 (from n - 1, for i = 0) in step t - 1.
//
// Cost: one obligation a family, of 5^v alternatives for v variables; v <= 4.
#include "verifier/prover/induction.h"

namespace quadrille::prover {
namespace {

constexpr std::size_t most_variables = 4;

class BroughtBefore {
 public:
  BroughtBefore(const Writing& writing, const Family& family)
      : algebra_(writing.algebra),
        family_(family),
        sent_(sample(writing, family, Each::delivery, "")),
        variables_(variables(family)),
        arrival_(family.start + duration(writing.algebra, writing.problem.machine, family) - Number(1)) {}

  const Sample& sent() const { return sent_; }
  // Those that tell its packets apart.
  static std::vector<Atom> variables(const Family& family) {
    std::vector<Atom> all = family.variables;
    all.insert(all.end(), family.chunks.begin(), family.chunks.end());
    return all;
  }

  Formula some_way() {
    // It is the packet's origin, or one of the guesses brought it.
    std::vector<Formula> ways = {algebra_.equal(sent_.origin, sent_.source)};
    std::size_t combinations = 1;
    for (std::size_t i = 0; i < variables_.size(); ++i) combinations *= choices;
    for (std::size_t number = 0; number < combinations; ++number) {
      const Formula way = guess(number);
      if (way != algebra_.truth(false)) ways.push_back(way);
    }
    return algebra_.disjunction(std::move(ways));
  }

 private:
  static constexpr std::size_t choices = 5;

  // The variable's value for the send before: the same, one less, one more; and the last two around the range.
  Number choice(std::size_t which, const Number& here, const Number& first, const Number& last) {
    Number less = here - Number(1);
    Number more = here + Number(1);
    switch (which) {
      case 0:
        return here;
      case 1:
        return less;
      case 2:
        return more;
      case 3:
        return algebra_.choice(algebra_.equal(here, first), last, less);
      default:
        return algebra_.choice(algebra_.equal(here, last), first, more);
    }
  }

  // That the send with these choices, one digit of `number` a variable, exists and brought the packet in time.
  Formula guess(std::size_t number) {
    Substitution before;
    std::vector<Formula> holds;
    for (const Atom old : variables_) {
      const Number first = algebra_.substituted(*old->first, before);
      const Number last = algebra_.substituted(*old->last, before);
      const Number value = choice(number % choices, sent_.renamed.at(old), first, last);
      number /= choices;
      holds.push_back(algebra_.at_most(first, value));
      holds.push_back(algebra_.at_most(value, last));
      before[old] = value;
    }
    const auto there = [&](const Number& x) { return algebra_.substituted(x, before); };
    holds.push_back(algebra_.substituted(algebra_.conjunction({family_.given, family_.chunks_given}), before));
    holds.push_back(algebra_.equal(there(family_.part), sent_.part));
    holds.push_back(algebra_.equal(there(family_.target), sent_.source));
    holds.push_back(algebra_.equal(there(family_.origin), sent_.origin));
    if (sent_.addressee) holds.push_back(algebra_.equal(there(*family_.addressee), *sent_.addressee));
    holds.push_back(algebra_.less(there(arrival_), sent_.start));
    return algebra_.conjunction(holds);
  }

  Algebra& algebra_;
  const Family& family_;
  Sample sent_;
  std::vector<Atom> variables_;
  Number arrival_;
};

void write_forwarding(const Writing& writing, const Family& family) {
  if (family.multicast || !family.clock->scope.empty() || family.clock->parent != nullptr)
    throw Unsupported{"forwarding inside a sequence, or to many", family.span};
  if (BroughtBefore::variables(family).size() > most_variables)
    throw Unsupported{"forwarding inside more than four loops", family.span};
  BroughtBefore before(writing, family);
  writing.add({.property = ProvedProperty::causal,
               .name = "passes on what it got",
               .meaning = writing.problem.machine.rounds
                              ? "every processor sends packets that it holds, or that came in an earlier round"
                              : "every processor sends packets that it holds, or that came in an earlier step",
               .scope = before.sent().scope(),
               .given = before.sent().given,
               .must = before.some_way(),
               .span = family.span,
               .exact = false,
               .explanation = sent(before.sent())});
}

}  // namespace

void write_causal(const Writing& writing) {
  Algebra& algebra = writing.algebra;
  for (const Family& family : writing.problem.families) {
    const Formula own = algebra.equal(family.origin, family.source);
    if (own != algebra.truth(true) && !writing.problem.machine.levels) {
      writing.rest_on_them ? write_causal_by_invariants(writing, family) : write_forwarding(writing, family);
      continue;
    }
    writing.add({.property = ProvedProperty::causal,
                 .name = "sends its own",
                 .meaning = "every processor sends packets that it holds from the start",
                 .scope = BroughtBefore::variables(family),
                 .given = algebra.conjunction({family.given, family.known, family.chunks_given}),
                 .must = own,
                 .span = family.span,
                 .exact = false,
                 .explanation = sent(flight(family, writing.problem.machine))});
  }
}

}  // namespace quadrille::prover
