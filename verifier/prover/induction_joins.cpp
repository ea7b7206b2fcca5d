// Joins, by what the invariants say of both sides: no contribution is counted twice. A partial reduction that is
// disjoint from the one held is united with it; one that contains it replaces it: in both cases what is held then is
// both together. Any other is a violation, unless the operation is idempotent.
//
//   reduce-scatter on a ring: what comes is {k - t .. k - 1}, what is held is {k}: the two are disjoint
//
// "Disjoint, or it contains it" is shown as: if x is in both, then any y that is held is in what comes. In ordered
// operations what is held must be an interval: if x < y < z, and x and z are held, so is y.
#include "verifier/prover/induction.h"

namespace quadrille::prover {
namespace {

class OfJoins : Induction {
 public:
  using Induction::Induction;

  void write() {
    const CollectiveFacts& facts = problem.collective.kind.facts();
    const auto& families = problem.families;
    for (const Family& family : families) {
      write_own(family);
      write_spoken_of(family);
      if (facts.always_idempotent) continue;
      for (const SpokenInvariant& invariant : writing.spoken) write_nothing_twice(invariant, family);
    }
    for (std::size_t f = 0; f < families.size() && !facts.always_idempotent; ++f) {
      for (std::size_t g = f; g < families.size(); ++g) write_one_comes(families[f], families[g]);
    }
    if (!facts.always_ordered) return;
    for (const SpokenInvariant& invariant : writing.spoken) {
      for (const Spoken& of : invariant.statements) write_no_gap(invariant, of);
    }
  }

 private:
  Obligation about(const Family& family, const char* name, const char* meaning) const {
    return {
        .property = ProvedProperty::invariants, .name = name, .meaning = meaning, .span = family.span, .exact = false};
  }

  // A packet from elsewhere carries what came there, not what is held.
  void write_own(const Family& family) {
    const Sample sent = sample(writing, family, Each::delivery, "");
    Obligation own = about(family, "sends what it holds", "everyone sends its own partial reduction");
    own.scope = sent.scope();
    own.given = sent.given;
    own.must = both({algebra.equal(sent.origin, sent.source), algebra.equal(*sent.addressee, sent.target)});
    writing.add(std::move(own));
  }

  // Every send is in a round of which an invariant speaks, and both of its ends are spoken of; none comes after the
  // end.
  void write_spoken_of(const Family& family) {
    const Sample sent = sample(writing, family, Each::delivery, "");
    std::vector<Formula> in_time;
    for (const SpokenInvariant& invariant : writing.spoken) {
      const Formula inside =
          both({algebra.less(invariant.first, sent.start), algebra.at_most(sent.start, invariant.last)});
      in_time.push_back(inside);
      Obligation ends = about(family, "is spoken of", "of both ends it is stated what they hold");
      ends.scope = sent.scope();
      ends.given = both({sent.given, inside});
      ends.must = both({some_statement(invariant, {sent.source, std::nullopt, sent.part}),
                        some_statement(invariant, {sent.target, std::nullopt, sent.part})});
      writing.add(std::move(ends));
    }
    Obligation within = about(family, "within the rounds", "every round in which something is sent is spoken of");
    within.scope = sent.scope();
    within.given = sent.given;
    within.must = both({any(std::move(in_time)), algebra.at_most(sent.start, writing.spoken.back().last)});
    writing.add(std::move(within));
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
    const Atom x = anyone("x");
    const Atom y = anyone("y");
    const Number before = Number(t) - Number(1);
    Obligation twice = about(family, "nothing twice", "what comes is disjoint from what is held, or contains it");
    twice.scope = {t};
    const auto sends = sent.scope();
    for (const auto* variables : {&it.variables, &sender.variables, &sends}) {
      twice.scope.insert(twice.scope.end(), variables->begin(), variables->end());
    }
    twice.scope.insert(twice.scope.end(), {x, y});
    twice.given = both({comes_to(sent, it, Number(t)), sender.given, algebra.equal(sender.processor, sent.source),
                        algebra.equal(sender.part, sent.part), member(it, before, Number(x)),
                        member(sender, before, Number(x)), member(it, before, Number(y))});
    twice.must = member(sender, before, Number(y));
    writing.add(std::move(twice));
  }

  // So that what is held is what was, and what comes, with nothing joined in between.
  void write_one_comes(const Family& f, const Family& g) {
    for (const SamplePair& pair : two_sends(writing, f, g, {}, Each::delivery)) {
      Obligation one = about(f, "one comes", "nobody gets two partial reductions of one value at once");
      one.scope = pair.scope();
      one.given = both({pair.a.given, pair.b.given});
      one.must =
          algebra.negation(both({algebra.equal(pair.a.start, pair.b.start), algebra.equal(pair.a.target, pair.b.target),
                                 algebra.equal(pair.a.part, pair.b.part)}));
      one.second = g.span;
      writing.add(std::move(one));
    }
  }

  void write_no_gap(const SpokenInvariant& invariant, const Spoken& of) {
    const Stated it = stated(invariant, of, "");
    const Atom t = algebra.variable(invariant.step->name, invariant.first, invariant.last);
    const Atom x = anyone("x");
    const Atom y = anyone("y");
    const Atom z = anyone("z");
    const auto held = [&](Atom origin) { return member(it, Number(t), Number(origin)); };
    Obligation gap{.property = ProvedProperty::invariants,
                   .name = "no gap",
                   .meaning = "what is stated has no gap",
                   .scope = {t},
                   .span = of.span,
                   .exact = false};
    gap.scope.insert(gap.scope.end(), it.variables.begin(), it.variables.end());
    gap.scope.insert(gap.scope.end(), {x, y, z});
    gap.given =
        both({it.given, held(x), held(z), algebra.less(Number(x), Number(y)), algebra.less(Number(y), Number(z))});
    gap.must = held(y);
    writing.add(std::move(gap));
  }
};

}  // namespace

void write_joins(const Writing& writing) { OfJoins(writing).write(); }

}  // namespace quadrille::prover
