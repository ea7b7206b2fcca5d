// Consequences of invariants. If a processor passes something on, the statement about it, a round before, contains
// it. If something is demanded, the statement at the end contains it; for combining collectives, the statement
// contains nothing else.
//
//   all-gather on a ring: after n - 1 rounds the statement about k is {k - n + 1 .. k} mod n, which is everyone
#include <algorithm>
#include <iterator>

#include "verifier/prover/induction/induction.h"
#include "verifier/prover/problem/crossing_formulas.h"

namespace quadrille::prover {
namespace {

class OfDemands : Induction {
 public:
  using Induction::Induction;

  void write_passed_on(const Family& family) {
    require_one_clock(family);
    const Sample sent = sample(writing, family, Each::delivery, "");
    const Number before = sent.start - Number(1);
    std::vector<Formula> ways = {algebra.equal(sent.origin, sent.source)};
    for (const SpokenInvariant& invariant : writing.spoken) {
      ways.push_back(both({algebra.at_most(invariant.first, before), algebra.at_most(before, invariant.last),
                           some_statement(invariant, {sent.source, sent.addressee, sent.part, before, sent.origin})}));
    }
    Obligation passed = proof_step(ProvedProperty::causal, "passes on what it got",
                                   "everyone holds what it sends, by the invariants", family.span);
    passed.explanation = sent_in_words(sent);
    passed.by_invariants = true;
    writing.add(std::move(passed), {sent.scope(), sent.given, any(std::move(ways))});
  }

  void write_copied() {
    const NumberInDigits k = anyone("k");
    const NumberInDigits x = anyone("x");
    const bool targets = !problem.collective.terms.for_everyone;
    const std::optional<Number> addressee = targets ? std::optional(k.number) : std::nullopt;
    std::vector<Atom> scope = joined(k.digits, x.digits);
    std::vector<Formula> given = {algebra.negation(algebra.equal(k.number, x.number))};
    std::ranges::copy(packet_rules(algebra, problem.collective, x.number, addressee), std::back_inserter(given));
    const Formula some = both(given);
    const Number part = any_part(scope);
    std::vector<Formula> ways;
    for (const SpokenInvariant& invariant : writing.spoken) {
      ways.push_back(both({algebra.at_most(invariant.first, invariant.last),
                           some_statement(invariant, {k.number, addressee, part, invariant.last, x.number})}));
    }
    writing.add(demanded("everyone ends with what it wants, by the invariants"), {scope, some, any(std::move(ways))});
  }

  void write_combined() {
    const BoundCollective& collective = problem.collective;
    const SpokenInvariant& last = writing.spoken.back();
    const NumberInDigits k = anyone("k");
    const NumberInDigits x = anyone("x");
    std::vector<Atom> scope = joined(k.digits, x.digits);
    const Number value = any_part(scope);
    TermFormulas terms(algebra, {collective.parameters, value, k.number});
    const Formula given = terms.truth(collective.reduction->wanted);
    const Number most = terms.number(collective.reduction->last);
    const bool everyone = most == processors() - Number(1);
    const Formula wanted = everyone ? algebra.truth(true) : algebra.at_most(x.number, most);
    std::vector<Formula> ways;
    for (const Spoken& of : last.statements) {
      Sought sought;
      seek(last, of, {k.number, std::nullopt, value, last.last}, sought);
      Substitution by = {{last.step, last.last}};
      put_origin(algebra, last, x.number, by);
      const Formula held = algebra.substituted(of.member, by);
      sought.given.push_back(same(held, wanted));
      ways.push_back(some_witness(algebra, sought));
    }
    writing.add(demanded("everyone ends with just what it wants, by the last invariant"),
                {scope, given, both({algebra.at_most(last.first, last.last), any(std::move(ways))})});
  }

 private:
  static Explanation sent_in_words(const Sample& it) { return sent(it); }

  Obligation demanded(const char* meaning) const {
    Obligation all =
        proof_step(ProvedProperty::complete, "by the invariants", meaning, problem.schedule->collective.span);
    all.by_invariants = true;
    return all;
  }

  // One of the collective's parts, added to the scope if there are several. If there are as many parts as processors,
  // and these have rows and columns, it has digits as in the statement.
  Number any_part(std::vector<Atom>& scope) const {
    const Number& parts = problem.collective.parts;
    if (parts == Number(1)) return Number(0);
    if (problem.extents.size() == 2 && parts == processors()) {
      for (const auto& [high, low] :
           {std::pair(problem.extents[0], problem.extents[1]), std::pair(problem.extents[1], problem.extents[0])}) {
        const Atom first = algebra.variable("p1", Number(0), high - Number(1));
        const Atom second = algebra.variable("p", Number(0), low - Number(1));
        Number part = Number(first) * low + Number(second);
        if (!algebra.parts_of_equation(writing.spoken.back().statements.front().part, part)) continue;
        scope.insert(scope.end(), {first, second});
        return part;
      }
    }
    const Atom part = algebra.variable("p", Number(0), parts - Number(1));
    scope.push_back(part);
    return Number(part);
  }
};

}  // namespace

void write_causal_by_invariants(const Writing& writing, const Family& family) {
  OfDemands(writing).write_passed_on(family);
}

void write_complete_by_invariants(const Writing& writing) {
  if (writing.spoken.empty())
    throw Unsupported{"a collective that combines, without invariants that it understands; write one of what is held",
                      writing.problem.schedule->collective.span};
  OfDemands demands(writing);
  writing.problem.collective.reduction ? demands.write_combined() : demands.write_copied();
}

// The parts of an induction's obligations: statements with variables of their own, and witnesses.
//
// Cost: a substitution for each.

Stated Induction::stated(const SpokenInvariant& invariant, const Spoken& of, const std::string& suffix) const {
  Stated it{&invariant, &of, {}, {}, {}, std::nullopt, {}};
  for (const Atom old : of.variables) {
    it.variables.push_back(algebra.variable(old->name + suffix, algebra.substituted(*old->first, it.renamed),
                                            algebra.substituted(*old->last, it.renamed)));
    it.renamed[old] = Number(it.variables.back());
  }
  it.processor = algebra.substituted(of.processor, it.renamed);
  if (of.addressee) it.addressee = algebra.substituted(*of.addressee, it.renamed);
  it.part = algebra.substituted(of.part, it.renamed);
  return it;
}

NumberInDigits Induction::anyone(const std::string& name) const {
  return any_number(algebra, name, problem.extents.empty() ? std::vector<Number>{processors()} : problem.extents);
}

Formula Induction::said(const Stated& it, const Number& step) const {
  Substitution by = it.renamed;
  by[it.invariant->step] = step;
  return algebra.substituted(it.of->given, by);
}

Formula Induction::member(const Stated& it, const Number& step, const Number& origin) const {
  Substitution by = it.renamed;
  by[it.invariant->step] = step;
  put_origin(algebra, *it.invariant, origin, by);
  return algebra.substituted(it.of->member, by);
}

Formula Induction::same_chunks(const Stated& it, const std::optional<Number>& addressee, const Number& part) const {
  const Formula one_part = algebra.equal(it.part, part);
  if (!it.addressee || !addressee) return one_part;
  return both({one_part, algebra.equal(*it.addressee, *addressee)});
}

Formula Induction::at_start(const Number& processor, const std::optional<Number>& addressee,
                            const Number& origin) const {
  std::vector<Formula> parts = {algebra.equal(origin, processor)};
  if (combines()) return parts[0];
  std::ranges::copy(packet_rules(algebra, problem.collective, origin, addressee), std::back_inserter(parts));
  if (addressee) parts.push_back(algebra.negation(algebra.equal(origin, *addressee)));
  return both(parts);
}

void Induction::seek(const SpokenInvariant& invariant, const Spoken& of, const Wanted& wanted, Sought& sought) const {
  sought.variables.insert(sought.variables.end(), of.variables.begin(), of.variables.end());
  sought.given.push_back(algebra.substituted(of.given, {{invariant.step, wanted.step}}));
  sought.equations.emplace_back(of.processor, wanted.processor);
  sought.equations.emplace_back(of.part, wanted.part);
  if (of.addressee && wanted.addressee) sought.equations.emplace_back(*of.addressee, *wanted.addressee);
  if (!wanted.origin) return;
  Substitution by = {{invariant.step, wanted.step}};
  put_origin(algebra, invariant, *wanted.origin, by);
  sought.given.push_back(algebra.substituted(of.member, by));
}

Formula Induction::some_statement(const SpokenInvariant& invariant, const Wanted& wanted) const {
  std::vector<Formula> ways;
  for (const Spoken& of : invariant.statements) {
    Sought sought;
    seek(invariant, of, wanted, sought);
    ways.push_back(some_witness(algebra, sought));
  }
  return any(std::move(ways));
}

Sought Induction::send_to(const Family& family, const Stated& it, const Number& step) const {
  Sought sought;
  sought.variables = delivery_variables(family);
  sought.given = {family.given, family.known, family.destinations_given, family.chunks_given};
  sought.equations = {{family.start, step}, {family.target, it.processor}, {family.part, it.part}};
  if (it.addressee && family.addressee && !combines()) sought.equations.emplace_back(*family.addressee, *it.addressee);
  return sought;
}

Formula Induction::comes_to(const Sample& sent, const Stated& it, const Number& step) const {
  return both({sent.given, algebra.equal(sent.start, step), algebra.equal(sent.target, it.processor),
               same_chunks(it, sent.addressee, sent.part)});
}

void Induction::require_one_clock(const Family& family) const {
  if (family.held) throw Unsupported{"invariants of what 'carrying held' carries; name the packets", family.span};
  if (!problem.machine.rounds && !family.to_neighbours)
    throw Unsupported{"invariants of packets that are under way for several steps", family.span};
  if (family.clock->kind != Clock::Kind::whole || family.clock->parent != nullptr)
    throw Unsupported{"invariants of sends in a sequence or a reversal", family.span};
}

}  // namespace quadrille::prover
