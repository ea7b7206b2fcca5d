// Two sends of one family differ first in some variable, which is larger in the second send.
//
// Example: "for l in 1..n-1, k in processors": two different sends have l' > l and any k, k'; or l' = l and k' > k.
#include "verifier/prover/obligations/samples.h"

#include <algorithm>

#include "verifier/prover/solver/decide.h"

namespace quadrille::prover {
namespace {

// Whether they are different parts of one block, so that one starts when the other has arrived.
bool one_after_another(const Clock& a, const Clock& b) {
  return a.kind == Clock::Kind::part && b.kind == Clock::Kind::part && a.block == b.block;
}

void share(const Clock& clock, std::vector<Atom>& shared) {
  for (const Atom outer : clock.scope) {
    if (std::ranges::find(shared, outer) == shared.end())
      throw Unsupported{"a sequence within a loop whose iterations run side by side", clock.span};
  }
  shared.insert(shared.end(), clock.variables.begin(), clock.variables.end());
}

}  // namespace

Sample sample(const Writing& writing, const Family& family, Each each, const std::string& suffix,
              const Substitution& preset, std::optional<Atom> above) {
  Algebra& algebra = writing.algebra;
  Sample result;
  result.family = &family;
  result.clock = family.clock;
  result.rounds = writing.problem.machine.rounds;
  result.renamed = preset;
  const auto own = [&](const Number& x) { return algebra.substituted(x, result.renamed); };
  const auto rename = [&](const std::vector<Atom>& variables, std::vector<Atom>& into) {
    for (const Atom old : variables) {
      // The variable in which the sends differ ranges above its value in the first send.
      const bool higher = above && *above == old;
      if (!higher && result.renamed.count(old) > 0) continue;
      const Number first = higher ? result.renamed.at(old) + Number(1) : own(*old->first);
      into.push_back(algebra.variable(old->name + suffix, first, own(*old->last)));
      result.renamed[old] = Number(into.back());
    }
  };
  rename(family.variables, result.variables);
  rename(family.destinations, result.destinations);
  result.given =
      algebra.substituted(algebra.conjunction({family.given, family.known, family.destinations_given}), result.renamed);
  if (each == Each::delivery) {
    rename(family.chunks, result.chunks);
    result.given = algebra.conjunction({result.given, algebra.substituted(family.chunks_given, result.renamed)});
  }
  result.start = own(family.start);
  result.source = own(family.source);
  result.target = own(family.target);
  result.hops = own(duration(algebra, writing.problem.machine, family));
  result.message = each == Each::message;
  result.origin = own(result.message ? family.source : family.origin);
  result.part = own(result.message ? Number(0) : family.part);
  if (result.message)
    result.addressee = result.target;
  else if (family.addressee)
    result.addressee = own(*family.addressee);
  return result;
}

std::vector<Atom> Sample::scope() const { return joined(variables, destinations, chunks); }

std::vector<Atom> SamplePair::scope() const { return joined(a.scope(), b.scope()); }

std::vector<SamplePair> two_sends(const Writing& writing, const Family& f, const Family& g,
                                  const std::vector<Atom>& shared, Each each) {
  writing.watch.require_open();
  Algebra& algebra = writing.algebra;
  const Sample a = sample(writing, f, each, "");
  Substitution same;
  for (const Atom variable : shared) same[variable] = a.renamed.at(variable);
  // Sends of different families are different, whatever their variables are.
  if (&f != &g) return {{a, sample(writing, g, each, "'", same)}};
  std::vector<SamplePair> pairs;
  std::vector<Atom> variables = each == Each::delivery ? delivery_variables(f) : f.variables;
  if (each == Each::message) variables = joined(f.variables, f.destinations);
  for (const Atom variable : variables) {
    if (same.count(variable) > 0) continue;
    // The sends are equal in the variables before this one, the second is larger in this one, and the variables after
    // it are free.
    Substitution until = same;
    until[variable] = a.renamed.at(variable);
    const Number last = algebra.substituted(*variable->last, same);
    const bool single = algebra.never_negative(algebra.substituted(*variable->first, same) - last);
    if (!single) pairs.push_back({a, sample(writing, f, each, "'", until, variable)});
    same = until;
  }
  return pairs;
}

std::vector<const Clock*> path_to(const Clock* clock) {
  std::vector<const Clock*> path;
  for (; clock != nullptr; clock = clock->parent) path.insert(path.begin(), clock);
  return path;
}

std::optional<std::vector<Atom>> shared_while_under_way(const Family& f, const Family& g) {
  const auto path_f = path_to(f.clock);
  const auto path_g = path_to(g.clock);
  std::vector<Atom> shared;
  std::size_t i = 0;
  for (; i < path_f.size() && i < path_g.size() && path_f[i] == path_g[i]; ++i) share(*path_f[i], shared);
  if (i == path_f.size() && i == path_g.size()) return shared;
  if (i < path_f.size() && i < path_g.size() && one_after_another(*path_f[i], *path_g[i])) return std::nullopt;
  // One clock starts within the other at a time that is not known here.
  const Clock* later = i < path_f.size() ? path_f[i] : path_g[i];
  throw Unsupported{"sends beside a sequence whose times depend on how long its parts take", later->span};
}

bool write_never_equal(const Writing& writing, const Obligation& like, const std::string& what, const SamplePair& pair,
                       const Number& of_a, const Number& of_b) {
  Obligation never =
      proof_step(like.property, like.name, what + " of two packets is never the same", pair.a.family->span, like.group);
  never.scope = pair.scope();
  never.second = pair.b.family->span;
  const std::string difference = "the difference of " + what + " of two packets";
  auto& into = writing.obligations;
  return add_chain(writing.algebra, of_a - of_b, 1, difference, never, into, writing.watch) ||
         add_chain(writing.algebra, of_b - of_a, 1, difference, never, into, writing.watch);
}

}  // namespace quadrille::prover
