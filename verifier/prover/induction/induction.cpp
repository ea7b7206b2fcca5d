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
  Obligation about(const SpokenInvariant& invariant, const Spoken& of, const char* name, const char* meaning) const {
    return {.property = ProvedProperty::invariants,
            .name = name,
            .meaning = meaning,
            .span = of.span,
            .exact = false,
            .group = invariant.text};
  }

  void write_within(const SpokenInvariant& invariant) {
    for (const Condition& condition : invariant.within) {
      writing.add({.property = ProvedProperty::invariants,
                   .name = "exists",
                   .meaning = "all that is spoken of exists",
                   .scope = condition.scope,
                   .given = condition.given,
                   .must = condition.must,
                   .span = condition.span,
                   .exact = false,
                   .group = invariant.text});
    }
  }

  // Rounds that end before the invariant's first step, or with it, bring nothing: the processor holds what it had at
  // the start.
  void write_nothing_before(const SpokenInvariant& invariant) {
    for (const Family& family : problem.families) {
      writing.add({.property = ProvedProperty::invariants,
                   .name = "begins before the sends",
                   .meaning = "nothing is sent before, or in, the first round spoken of",
                   .scope = family.variables,
                   .given = both({family.given, family.known}),
                   .must = algebra.less(invariant.first, family.start),
                   .span = family.span,
                   .exact = false,
                   .group = invariant.text});
    }
    writing.add({.property = ProvedProperty::invariants,
                 .name = "begins at the start",
                 .meaning = "no round before the start is spoken of",
                 .given = algebra.truth(true),
                 .must = algebra.at_least_zero(invariant.first),
                 .span = invariant.span,
                 .exact = false,
                 .group = invariant.text});
  }

  void write_start(const SpokenInvariant& invariant, const Spoken& of) {
    const Stated it = stated(invariant, of, "");
    const Anyone x = anyone("x");
    Obligation start = about(invariant, of, "start", "at first just what is stated is held");
    start.scope = it.variables;
    add(x, start.scope);
    start.given = both({said(it, invariant.first), algebra.at_most(invariant.first, invariant.last)});
    const Formula in_set = member(it, invariant.first, x.number);
    const Formula held = at_start(it.processor, it.addressee, x.number);
    start.must = of.at_least ? implied(in_set, held) : same(in_set, held);
    writing.add(std::move(start));
  }

  // The invariant before states what is held at this one's first step.
  void write_handover(const SpokenInvariant& before, const SpokenInvariant& invariant, const Spoken& of) {
    const Stated it = stated(invariant, of, "");
    const Anyone x = anyone("x");
    const Formula some_step = algebra.at_most(invariant.first, invariant.last);
    const Formula in_set = member(it, invariant.first, x.number);
    Obligation start = about(invariant, of, "start", "the invariant before states it, too");
    start.scope = it.variables;
    start.given = both({said(it, invariant.first), some_step});
    start.must = both({algebra.at_most(before.first, invariant.first), algebra.at_most(invariant.first, before.last),
                       some_statement(before, {it.processor, it.addressee, it.part, invariant.first})});
    writing.add(start);
    add(x, start.scope);
    start.given = both({start.given, in_set});
    start.must = some_statement(before, {it.processor, it.addressee, it.part, invariant.first, x.number});
    writing.add(start);
    if (of.at_least) return;
    for (const Spoken& earlier : before.statements) {
      if (earlier.at_least) throw Unsupported{"'==' after an invariant with 'contains'", of.span};
      const Stated that = stated(before, earlier, "'");
      Obligation whole = about(invariant, of, "start", "the invariant before states no more");
      whole.scope = it.variables;
      whole.scope.insert(whole.scope.end(), that.variables.begin(), that.variables.end());
      add(x, whole.scope);
      whole.given = both({said(it, invariant.first), said(that, invariant.first), some_step,
                          algebra.equal(it.processor, that.processor), same_chunks(it, that.addressee, that.part),
                          member(that, invariant.first, x.number)});
      whole.must = in_set;
      writing.add(std::move(whole));
    }
  }

  void write_step(const SpokenInvariant& invariant, const Spoken& of) {
    const Stated it = stated(invariant, of, "");
    const Atom t = later_step(invariant);
    const Anyone x = anyone("x");
    const Number earlier = Number(t) - Number(1);
    const Formula before = both({said(it, earlier), member(it, earlier, x.number)});
    const Formula after = member(it, Number(t), x.number);
    Obligation comes = about(invariant, of, "comes", "what is newly stated has come");
    comes.scope = {t};
    comes.scope.insert(comes.scope.end(), it.variables.begin(), it.variables.end());
    add(x, comes.scope);
    comes.given = both({said(it, Number(t)), after, algebra.negation(before)});
    Obligation stays = comes;
    stays.name = "stays";
    stays.meaning = "what was stated is still stated";
    stays.given = both({said(it, Number(t)), before});
    stays.must = after;
    Obligation anew = stays;
    std::vector<Formula> ways;
    for (const Family& family : problem.families) ways.push_back(brings(family, it, Number(t), x.number));
    comes.must = any(std::move(ways));
    writing.add(std::move(comes));
    if (of.at_least) return;
    writing.add(std::move(stays));
    for (const Family& family : problem.families) write_is_stated(it, t, x, family);
    if (!of.by_step) return;
    // It is not known what the processor held before. Copying: nothing is stated then. Combining: the arrival is all
    // that there is, as everything arrives.
    anew.name = "anew";
    anew.meaning = combines() ? "of whom nothing was stated before, everything is" : "it was stated before, too";
    anew.given = both({said(it, Number(t)), algebra.negation(said(it, earlier))});
    anew.must = combines() ? after : algebra.truth(false);
    writing.add(std::move(anew));
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

  void write_is_stated(const Stated& it, Atom t, const Anyone& x, const Family& family) {
    const Sample sent = sample(writing, family, Each::delivery, "'");
    Obligation comes = about(*it.invariant, *it.of, "is stated", "what comes is stated");
    comes.scope = {t};
    comes.scope.insert(comes.scope.end(), it.variables.begin(), it.variables.end());
    const auto sends = sent.scope();
    comes.scope.insert(comes.scope.end(), sends.begin(), sends.end());
    comes.given = both({said(it, Number(t)), comes_to(sent, it, Number(t))});
    if (!combines()) {
      comes.must = member(it, Number(t), sent.origin);
      writing.add(std::move(comes));
      return;
    }
    add(x, comes.scope);
    comes.must = member(it, Number(t), x.number);
    for (const Spoken& of : it.invariant->statements) {
      const Stated sender = stated(*it.invariant, of, "''");
      Obligation from_one = comes;
      from_one.scope.insert(from_one.scope.end(), sender.variables.begin(), sender.variables.end());
      const Number before = Number(t) - Number(1);
      from_one.given = both({comes.given, said(sender, before), algebra.equal(sender.processor, sent.source),
                             algebra.equal(sender.part, sent.part), member(sender, before, x.number)});
      writing.add(std::move(from_one));
    }
  }
};

}  // namespace

void write_invariants(const Writing& writing) { OfInvariants(writing).write(); }

}  // namespace quadrille::prover
