// Idea: the statements hold after their first step; and if they hold after one step, they hold after the next,
// because of the arrivals in between. After step t a processor holds what it held after t - 1, and the arrivals of t.
// For copied chunks this is obvious; a join that is right adds what it brings (induction_joins.cpp).
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

namespace quadrille::prover {
namespace {

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
    if (combines()) write_joins(writing);
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
