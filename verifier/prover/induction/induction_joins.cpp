// Joins count no contribution twice, by the invariants' statements about both sides. A partial reduction that is
// disjoint from the one held is united with it, and one that contains it replaces it; in both cases the processor
// then holds the union. Any other partial reduction is a violation, unless the operation is idempotent.
//
//   reduce-scatter on a ring: {k - t .. k - 1} arrives and {k} is held: the two are disjoint
//
// "Disjoint, or it contains it" is shown as follows: if x is in both, then any y that is held is in the arrival. For
// ordered operations the set held must be an interval: if x < y < z, and x and z are in it, so is y.
#include <algorithm>

#include "verifier/prover/induction/induction.h"
#include "verifier/prover/problem/problem.h"

namespace quadrille::prover {
namespace {

class OfJoins : Induction {
 public:
  using Induction::Induction;

  void write() {
    const bool idempotent = problem.collective.operation == Operation::idempotent;
    const auto& families = problem.families;
    for (const Family& family : families) {
      write_own(family);
      write_spoken_of(family);
      if (idempotent) continue;
      for (const SpokenInvariant& invariant : writing.spoken) write_nothing_twice(invariant, family);
    }
    for (std::size_t f = 0; f < families.size() && !idempotent; ++f) {
      for (std::size_t g = f; g < families.size(); ++g) write_one_comes(families[f], families[g]);
    }
    if (problem.collective.operation != Operation::ordered) return;
    for (const SpokenInvariant& invariant : writing.spoken) {
      for (const Spoken& of : invariant.statements) write_no_gap(invariant, of);
    }
  }

 private:
  static Obligation about(const Family& family, const char* name, const char* meaning) {
    return proof_step(ProvedProperty::invariants, name, meaning, family.span);
  }

  // A packet with another origin carries what came to its sender, not what the sender holds.
  void write_own(const Family& family) {
    const Sample sent = sample(writing, family, Each::delivery, "");
    writing.add(about(family, "sends what it holds", "everyone sends its own partial reduction"),
                {sent.scope(), sent.given,
                 both({algebra.equal(sent.origin, sent.source), algebra.equal(*sent.addressee, sent.target)})});
  }

  // A statement covers what the processor holds of the send's value after that step; with `origin`, the processor
  // also has that.
  Formula spoken_of(const SpokenInvariant& invariant, const Number& processor, const Sample& sent, const Number& step,
                    const std::optional<Number>& origin = std::nullopt) const {
    return some_statement(invariant, {processor, std::nullopt, sent.part, step, origin});
  }

  // A statement covers what the target held before; or nothing is known of that, but everything arrives, and the
  // arrival contains whatever was held. For ordered operations, a statement must also cover what is held afterwards,
  // so that it has no gap.
  Formula target_known(const SpokenInvariant& invariant, const Sample& sent, const Number& x) const {
    const Number before = sent.start - Number(1);
    const bool plain = std::none_of(invariant.statements.begin(), invariant.statements.end(),
                                    [](const Spoken& of) { return of.by_step; });
    const Formula known = spoken_of(invariant, sent.target, sent, before);
    if (plain) return known;
    const Formula after = spoken_of(invariant, sent.target, sent, sent.start);
    const Formula all_comes = spoken_of(invariant, sent.source, sent, before, x);
    const bool ordered = problem.collective.operation == Operation::ordered;
    return any({ordered ? both({known, after}) : known, both({after, all_comes})});
  }

  // Every send is in a round that an invariant covers, with statements about both of its ends. None comes after the
  // end.
  void write_spoken_of(const Family& family) {
    const Sample sent = sample(writing, family, Each::delivery, "");
    const Number before = sent.start - Number(1);
    std::vector<Formula> in_time;
    for (const SpokenInvariant& invariant : writing.spoken) {
      const Formula inside =
          both({algebra.less(invariant.first, sent.start), algebra.at_most(sent.start, invariant.last)});
      in_time.push_back(inside);
      const Formula given = both({sent.given, inside});
      const NumberInDigits x = anyone("x");
      writing.add(about(family, "is spoken of", "of both ends it is stated what they hold"),
                  {joined(sent.scope(), x.digits), given,
                   both({spoken_of(invariant, sent.source, sent, before), target_known(invariant, sent, x.number)})});
    }
    writing.add(about(family, "within the rounds", "every round in which something is sent is spoken of"),
                {sent.scope(), sent.given,
                 both({any(std::move(in_time)), algebra.at_most(sent.start, writing.spoken.back().last)})});
  }

  void write_nothing_twice(const SpokenInvariant& invariant, const Family& family) {
    for (const Spoken& receiving : invariant.statements) {
      for (const Spoken& sending : invariant.statements) write_nothing_twice(invariant, family, receiving, sending);
    }
  }

  void write_nothing_twice(const SpokenInvariant& invariant, const Family& family, const Spoken& receiving,
                           const Spoken& sending) {
    const Sample sent = sample(writing, family, Each::delivery, "'");
    const Stated it = stated(invariant, receiving, "");
    const Stated sender = stated(invariant, sending, "''");
    const Atom t = later_step(invariant);
    const NumberInDigits x = anyone("x");
    const NumberInDigits y = anyone("y");
    const Number before = Number(t) - Number(1);
    writing.add(about(family, "nothing twice", "what comes is disjoint from what is held, or contains it"),
                {joined({t}, it.variables, sender.variables, sent.scope(), x.digits, y.digits),
                 both({comes_to(sent, it, Number(t)), said(it, before), said(sender, before),
                       algebra.equal(sender.processor, sent.source), algebra.equal(sender.part, sent.part),
                       member(it, before, x.number), member(sender, before, x.number), member(it, before, y.number)}),
                 member(sender, before, y.number)});
  }

  // So what a processor holds is what it held, and what arrives, with nothing joined in between. If several arrive at
  // once, all must be disjoint from one another and from what is held.
  void write_one_comes(const Family& f, const Family& g) {
    for (const SamplePair& pair : two_sends(writing, f, g, {}, Each::delivery)) {
      const Sample& a = pair.a;
      const Sample& b = pair.b;
      Obligation one = about(f, "one comes", "nobody gets two partial reductions of one value at once");
      one.scope = pair.scope();
      one.given = both({a.given, b.given});
      const Formula together =
          both({algebra.equal(a.start, b.start), algebra.equal(a.target, b.target), algebra.equal(a.part, b.part)});
      one.must = algebra.negation(together);
      one.second = g.span;
      Obligation some = one;
      some.given = both({one.given, together});
      if (!some_values(all_variables(some), some.given)) {
        writing.add(std::move(one));
        continue;
      }
      some.must = algebra.truth(false);
      for (const SpokenInvariant& invariant : writing.spoken) write_apart(invariant, pair, some);
    }
  }

  // `together`: both arrive at once.
  void write_apart(const SpokenInvariant& invariant, const SamplePair& pair, const Obligation& together) {
    for (const Spoken& one : invariant.statements) {
      for (const Spoken& other : invariant.statements) {
        const Stated first = stated(invariant, one, "_1");
        const Stated second = stated(invariant, other, "_2");
        write_disjoint(pair, together, first, pair.a.source, second, pair.b.source);
        write_disjoint(pair, together, first, pair.a.source, second, pair.a.target);
        write_disjoint(pair, together, first, pair.b.source, second, pair.a.target);
      }
    }
  }

  // Writes that these two processors' earlier partial reductions are disjoint.
  void write_disjoint(const SamplePair& pair, const Obligation& together, const Stated& first, const Number& of_first,
                      const Stated& second, const Number& of_second) {
    const Number before = pair.a.start - Number(1);
    const NumberInDigits x = anyone("x");
    const auto holds = [&](const Stated& it, const Number& processor) {
      return both({said(it, before), algebra.equal(it.processor, processor), algebra.equal(it.part, pair.a.part),
                   member(it, before, x.number)});
    };
    Obligation apart = together;
    apart.meaning = "what comes at once, and what is held, is disjoint";
    apart.scope = joined(apart.scope, first.variables, second.variables, x.digits);
    const SpokenInvariant& invariant = *first.invariant;
    apart.given =
        both({together.given, algebra.less(invariant.first, pair.a.start),
              algebra.at_most(pair.a.start, invariant.last), holds(first, of_first), holds(second, of_second)});
    writing.add(std::move(apart));
  }

  void write_no_gap(const SpokenInvariant& invariant, const Spoken& of) {
    const Stated it = stated(invariant, of, "");
    const Atom t = algebra.variable(invariant.step->name, invariant.first, invariant.last);
    const NumberInDigits x = anyone("x");
    const NumberInDigits y = anyone("y");
    const NumberInDigits z = anyone("z");
    const auto held = [&](const NumberInDigits& origin) { return member(it, Number(t), origin.number); };
    writing.add(proof_step(ProvedProperty::invariants, "no gap", "what is stated has no gap", of.span),
                {joined({t}, it.variables, x.digits, y.digits, z.digits),
                 both({said(it, Number(t)), held(x), held(z), algebra.less(x.number, y.number),
                       algebra.less(y.number, z.number)}),
                 held(y)});
  }
};

}  // namespace

void write_joins(const Writing& writing) { OfJoins(writing).write(); }

}  // namespace quadrille::prover
