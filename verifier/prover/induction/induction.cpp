// Idea: the statements hold after their first step; and if they hold after one step, they hold after the next,
// because of the arrivals in between. After step t a processor holds what it held after t - 1, and the arrivals of t.
// For copied chunks this is obvious; a join that is right adds what it brings.
//
//   all-gather on a ring, held(k) == {k - t .. k} mod n: after step 0 this is {k}, its own chunk. {k - t + 1 .. k} and
//   the arrival of round t, the chunk of k - t, are {k - t .. k}: no stated chunk is missing, and none arrives that is
//   not stated
//
// Three obligations are written for each statement and round: everything that was stated stays stated; everything
// that is newly stated has come, in a send whose loop variables are found by solving equations (witness.h); and
// everything that comes is stated. A statement with `contains` needs only the second. Two more follow: everything
// that is passed on is stated a round before; and everything that is demanded is stated at the end.
//
// Source: Floyd, Assigning Meanings to Programs, 1967.
#include "verifier/prover/induction/induction.h"

#include <algorithm>

namespace quadrille::prover {
namespace {

// Joins count no contribution twice, by the invariants' statements about both sides. A partial reduction that is
// disjoint from the one held is united with it, and one that contains it replaces it; in both cases the processor
// then holds the union. Any other partial reduction is a violation, unless the operation is idempotent.
//
//   reduce-scatter on a ring: {k - t .. k - 1} arrives and {k} is held: the two are disjoint
//
// "Disjoint, or it contains it" is shown as follows: if x is in both, then any y that is held is in the arrival. For
// ordered operations the set held must be an interval: if x < y < z, and x and z are in it, so is y.

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
    const bool plain = std::ranges::none_of(invariant.statements, [](const Spoken& of) { return of.by_step; });
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

class OfInvariants : Induction {
 public:
  using Induction::Induction;

  void write() {
    for (const Family& family : problem.families) require_one_clock(family);
    const auto& all = writing.spoken;
    for (std::size_t i = 0; i < all.size(); ++i) {
      write_within(all[i]);
      for (const Spoken& of : all[i].statements) {
        if (combines() && of.at_least) throw Unsupported{"'contains' of what is combined", of.span};
        i == 0 ? write_start(all[0], of) : write_handover(all[i - 1], all[i], of);
        write_step(all[i], of);
      }
    }
    if (!all.empty()) write_nothing_before(all[0]);
    if (combines()) OfJoins(writing).write();
  }

 private:
  static Obligation about(const SpokenInvariant& invariant, Span span, const char* name, const char* meaning) {
    return proof_step(ProvedProperty::invariants, name, meaning, span, invariant.text);
  }

  void write_within(const SpokenInvariant& invariant) {
    for (const Condition& each : invariant.within) {
      writing.add(about(invariant, each.span, "exists", "all that is spoken of exists"),
                  {each.scope, each.given, each.must});
    }
  }

  // Rounds that end before the invariant's first step, or with it, bring nothing: the processor holds what it had at
  // the start.
  void write_nothing_before(const SpokenInvariant& invariant) {
    for (const Family& family : problem.families) {
      writing.add(about(invariant, family.span, "begins before the sends",
                        "nothing is sent before, or in, the first round spoken of"),
                  {family.variables, both({family.given, family.known}), algebra.less(invariant.first, family.start)});
    }
    writing.add(about(invariant, invariant.span, "begins at the start", "no round before the start is spoken of"),
                {{}, algebra.truth(true), algebra.at_least_zero(invariant.first)});
  }

  void write_start(const SpokenInvariant& invariant, const Spoken& of) {
    const Stated it = stated(invariant, of, "");
    const NumberInDigits x = anyone("x");
    const Formula given = both({said(it, invariant.first), algebra.at_most(invariant.first, invariant.last)});
    const Formula in_set = member(it, invariant.first, x.number);
    const Formula held = at_start(it.processor, it.addressee, x.number);
    writing.add(about(invariant, of.span, "start", "at first just what is stated is held"),
                {joined(it.variables, x.digits), given, of.at_least ? implied(in_set, held) : same(in_set, held)});
  }

  // The invariant before states what is held at this one's first step.
  void write_handover(const SpokenInvariant& before, const SpokenInvariant& invariant, const Spoken& of) {
    const Stated it = stated(invariant, of, "");
    const NumberInDigits x = anyone("x");
    const Formula some_step = algebra.at_most(invariant.first, invariant.last);
    const Formula in_set = member(it, invariant.first, x.number);
    const Obligation start = about(invariant, of.span, "start", "the invariant before states it, too");
    const Formula given = both({said(it, invariant.first), some_step});
    writing.add(start,
                {it.variables, given,
                 both({algebra.at_most(before.first, invariant.first), algebra.at_most(invariant.first, before.last),
                       some_statement(before, {it.processor, it.addressee, it.part, invariant.first})})});
    writing.add(start, {joined(it.variables, x.digits), both({given, in_set}),
                        some_statement(before, {it.processor, it.addressee, it.part, invariant.first, x.number})});
    if (of.at_least) return;
    for (const Spoken& earlier : before.statements) {
      if (earlier.at_least) throw Unsupported{"'==' after an invariant with 'contains'", of.span};
      const Stated that = stated(before, earlier, "'");
      writing.add(about(invariant, of.span, "start", "the invariant before states no more"),
                  {joined(it.variables, that.variables, x.digits),
                   both({said(it, invariant.first), said(that, invariant.first), some_step,
                         algebra.equal(it.processor, that.processor), same_chunks(it, that.addressee, that.part),
                         member(that, invariant.first, x.number)}),
                   in_set});
    }
  }

  void write_step(const SpokenInvariant& invariant, const Spoken& of) {
    const Stated it = stated(invariant, of, "");
    const Atom t = later_step(invariant);
    const NumberInDigits x = anyone("x");
    const Number earlier = Number(t) - Number(1);
    const Formula before = both({said(it, earlier), member(it, earlier, x.number)});
    const Formula after = member(it, Number(t), x.number);
    const std::vector<Atom> scope = joined({t}, it.variables, x.digits);
    const Formula comes = both({said(it, Number(t)), after, algebra.negation(before)});
    const Formula stays = both({said(it, Number(t)), before});
    std::vector<Formula> ways;
    for (const Family& family : problem.families) ways.push_back(brings(family, it, Number(t), x.number));
    writing.add(about(invariant, of.span, "comes", "what is newly stated has come"),
                {scope, comes, any(std::move(ways))});
    if (of.at_least) return;
    writing.add(about(invariant, of.span, "stays", "what was stated is still stated"), {scope, stays, after});
    for (const Family& family : problem.families) write_is_stated(it, t, x, family);
    if (!of.by_step) return;
    // It is not known what the processor held before. Copying: nothing is stated then. Combining: the arrival is all
    // that there is, as everything arrives.
    writing.add(about(invariant, of.span, "anew",
                      combines() ? "of whom nothing was stated before, everything is" : "it was stated before, too"),
                {scope, both({said(it, Number(t)), algebra.negation(said(it, earlier))}),
                 combines() ? after : algebra.truth(false)});
  }

  // A send of the family brings the origin's chunk, or contribution, in that round.
  Formula brings(const Family& family, const Stated& it, const Number& step, const Number& origin) {
    Sought sought = send_to(family, it, step);
    if (!combines()) {
      sought.equations.emplace_back(family.origin, origin);
      return some_witness(algebra, sought);
    }
    std::vector<Formula> ways;
    for (const Spoken& of : it.invariant->statements) {
      Sought with_sender = sought;
      seek(*it.invariant, of, {family.source, std::nullopt, family.part, step - Number(1), origin}, with_sender);
      ways.push_back(some_witness(algebra, with_sender));
    }
    return any(std::move(ways));
  }

  void write_is_stated(const Stated& it, Atom t, const NumberInDigits& x, const Family& family) {
    const Sample sent = sample(writing, family, Each::delivery, "'");
    const Obligation comes = about(*it.invariant, it.of->span, "is stated", "what comes is stated");
    const std::vector<Atom> scope = joined({t}, it.variables, sent.scope());
    const Formula given = both({said(it, Number(t)), comes_to(sent, it, Number(t))});
    const Formula must = member(it, Number(t), combines() ? x.number : sent.origin);
    if (!combines()) return writing.add(comes, {scope, given, must});
    for (const Spoken& of : it.invariant->statements) {
      const Stated sender = stated(*it.invariant, of, "''");
      const Number before = Number(t) - Number(1);
      writing.add(comes, {joined(scope, x.digits, sender.variables),
                          both({given, said(sender, before), algebra.equal(sender.processor, sent.source),
                                algebra.equal(sender.part, sent.part), member(sender, before, x.number)}),
                          must});
    }
  }
};

}  // namespace

void write_invariants(const Writing& writing) { OfInvariants(writing).write(); }

}  // namespace quadrille::prover
