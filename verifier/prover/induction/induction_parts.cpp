// The parts of an induction's obligations: statements with variables of their own, and witnesses.
//
// Cost: a substitution for each.
#include "verifier/prover/algebra/term_formulas.h"
#include "verifier/prover/induction/induction.h"

namespace quadrille::prover {

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

Induction::Anyone Induction::anyone(const std::string& name) const {
  const auto& extents = problem.extents;
  if (extents.empty()) {
    const Atom one = algebra.variable(name, Number(0), processors() - Number(1));
    return {Number(one), {one}};
  }
  Anyone result;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const std::string digit = i + 1 == extents.size() ? name : name + std::to_string(extents.size() - 1 - i);
    result.variables.push_back(algebra.variable(digit, Number(0), extents[i] - Number(1)));
    result.number = result.number * extents[i] + Number(result.variables.back());
  }
  return result;
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
  const BoundCollective& collective = problem.collective;
  TermFormulas named(algebra, {collective.parameters, origin, addressee.value_or(Number(0))});
  for (const PacketRule& rule : collective.terms.rules) parts.push_back(named.truth(rule.must));
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
  for (const auto* variables : {&family.variables, &family.destinations, &family.chunks}) {
    sought.variables.insert(sought.variables.end(), variables->begin(), variables->end());
  }
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
