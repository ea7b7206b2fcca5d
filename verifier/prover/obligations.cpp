#include "verifier/prover/obligations.h"

#include <fmt/format.h>

#include <algorithm>

namespace quadrille::prover {
namespace {

std::vector<const Clock*> path_to(const Clock* clock) {
  std::vector<const Clock*> path;
  for (; clock != nullptr; clock = clock->parent) path.push_back(clock);
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace

void Obligations::add(ProvedProperty property, std::string name, std::string meaning, std::vector<Atom> scope,
                      Formula given, Formula must, Span span, bool exact, Explanation explanation, Span second,
                      std::optional<Shortcut> shortcut) {
  const auto same = [&](const Obligation& other) {
    return other.given == given && other.must == must && other.scope == scope && other.meaning == meaning;
  };
  if (std::any_of(all_.begin(), all_.end(), same)) return;
  Obligation obligation;
  obligation.property = property;
  obligation.name = std::move(name);
  obligation.meaning = std::move(meaning);
  obligation.scope = std::move(scope);
  obligation.given = given;
  obligation.must = must;
  obligation.span = span;
  obligation.second = second;
  obligation.exact = exact;
  obligation.explanation = std::move(explanation);
  obligation.shortcut = std::move(shortcut);
  all_.push_back(std::move(obligation));
}

// --- samples ---------------------------------------------------------------------------------------------------------

Obligations::Sample Obligations::sample(const Family& family, const std::string& suffix, const Substitution& preset,
                                        std::optional<Atom> above) {
  Sample result;
  result.family = &family;
  result.clock = family.clock;
  result.renamed = preset;
  const auto rename = [&](const std::vector<Atom>& variables, std::vector<Atom>& into) {
    for (const Atom old : variables) {
      const bool higher = above && *above == old;
      if (!higher && result.renamed.count(old) > 0) continue;
      const Number first =
          higher ? result.renamed.at(old) + Number(1) : algebra_.substituted(*old->first, result.renamed);
      const Number last = algebra_.substituted(*old->last, result.renamed);
      into.push_back(algebra_.variable(old->name + suffix, first, last));
      result.renamed[old] = Number(into.back());
    }
  };
  rename(family.variables, result.variables);
  rename(family.destinations, result.destinations);
  const auto own = [&](const Number& x) { return algebra_.substituted(x, result.renamed); };
  result.given = algebra_.substituted(algebra_.conjunction({family.given, family.known, family.destinations_given}),
                                      result.renamed);
  result.start = own(family.start);
  result.source = own(family.source);
  result.target = own(family.target);
  result.origin = own(family.origin);
  result.hops = own(hops(algebra_, problem_.machine, family));
  if (family.addressee) result.addressee = own(*family.addressee);
  return result;
}

std::vector<Atom> Obligations::scope_of(const Sample& a, const Sample& b) const {
  std::vector<Atom> scope;
  for (const auto* variables : {&a.variables, &a.destinations, &b.variables, &b.destinations}) {
    scope.insert(scope.end(), variables->begin(), variables->end());
  }
  return scope;
}

std::vector<Obligations::Pair> Obligations::two(const Family& f, const Family& g, const std::vector<Atom>& shared,
                                                bool with_destinations) {
  watch_.throw_if_reached();
  const Sample a = sample(f, "");
  Substitution same;
  for (const Atom variable : shared) same[variable] = a.renamed.at(variable);
  if (&f != &g) return {{a, sample(g, "'", same)}};
  std::vector<Pair> pairs;
  std::vector<Atom> variables = f.variables;
  if (with_destinations) variables.insert(variables.end(), f.destinations.begin(), f.destinations.end());
  for (const Atom variable : variables) {
    if (same.count(variable) > 0) continue;
    Substitution until = same;
    until[variable] = a.renamed.at(variable);
    const Number last = algebra_.substituted(*variable->last, same);
    const bool single = algebra_.never_negative(algebra_.substituted(*variable->first, same) - last);
    if (!single) pairs.push_back({a, sample(f, "'", until, variable)});
    same = until;
  }
  return pairs;
}

std::optional<std::vector<Atom>> Obligations::meet(const Family& f, const Family& g) {
  const auto path_f = path_to(f.clock);
  const auto path_g = path_to(g.clock);
  std::vector<Atom> shared;
  std::size_t i = 0;
  for (; i < path_f.size() && i < path_g.size() && path_f[i] == path_g[i]; ++i) {
    for (const Atom outer : path_f[i]->scope) {
      if (std::find(shared.begin(), shared.end(), outer) == shared.end()) {
        throw Unsupported{"a sequence within a loop whose iterations run side by side", path_f[i]->span};
      }
    }
    shared.insert(shared.end(), path_f[i]->variables.begin(), path_f[i]->variables.end());
  }
  if (i == path_f.size() && i == path_g.size()) return shared;
  if (i < path_f.size() && i < path_g.size() && path_f[i]->kind == Clock::Kind::part &&
      path_g[i]->kind == Clock::Kind::part && path_f[i]->block == path_g[i]->block) {
    return std::nullopt;
  }
  const Clock* later = i < path_f.size() ? path_f[i] : path_g[i];
  throw Unsupported{"sends beside a sequence whose times depend on how long its parts take", later->span};
}

// --- well-formed -----------------------------------------------------------------------------------------------------

void Obligations::well_formed() {
  for (const Condition& condition : problem_.conditions) {
    add(ProvedProperty::well_formed, condition.words, condition.words + ", always", condition.scope, condition.given,
        condition.must, condition.span, true,
        condition.failure.empty() ? Explanation() : worded(condition.failure, condition.number));
  }
  for (const Family& family : problem_.families) {
    add(ProvedProperty::well_formed, "starts at step 1 or later", "no packet starts before step 1", family.variables,
        algebra_.conjunction({family.given, family.known}), algebra_.at_least_zero(family.start - Number(1)),
        family.span, true, sent(flight(family)));
    if (problem_.machine.kind != Machine::Kind::ring) continue;
    const Number way = family.target - family.source;
    const Number around = problem_.processors - Number(1);
    const auto is = [&](const Number& x) { return algebra_.equal(way, x); };
    add(ProvedProperty::well_formed, "goes to a neighbour", "every packet goes to a neighbour on the ring",
        family.variables, algebra_.conjunction({family.given, family.known}),
        algebra_.disjunction({is(Number(1)), is(Number(-1)), is(around), is(-around)}), family.span, false,
        sent(flight(family)));
  }
}

// --- causality -------------------------------------------------------------------------------------------------------

void Obligations::causal() {
  for (const Family& family : problem_.families) {
    const Formula own = algebra_.equal(family.origin, family.source);
    if (own == algebra_.truth(true) || problem_.machine.kind == Machine::Kind::tree) {
      add(ProvedProperty::causal, "sends its own", "every processor sends packets that it holds from the start",
          family.variables, algebra_.conjunction({family.given, family.known}), own, family.span, false,
          sent(flight(family)));
    } else {
      arrives_before(family);
    }
  }
}

// What a processor passes on came in a step before. Which send brought it is guessed, and then shown: the same
// family's, with variables one less or more, or such that its target is this source.
void Obligations::arrives_before(const Family& family) {
  const Sample a = sample(family, "");
  if (family.multicast || !family.clock->scope.empty() || family.clock->parent != nullptr)
    throw Unsupported{"forwarding inside a sequence, or to many", family.span};
  std::vector<Formula> ways = {algebra_.equal(a.origin, a.source)};
  const std::size_t variables = a.variables.size();
  if (variables > 4) throw Unsupported{"forwarding inside more than four loops", family.span};
  std::size_t combinations = 1;
  for (std::size_t i = 0; i < variables; ++i) combinations *= 5;
  for (std::size_t number = 0; number < combinations; ++number) {
    Substitution guess;
    std::vector<Formula> holds;
    std::size_t rest = number;
    for (const Atom old : family.variables) {
      const Number here = a.renamed.at(old);
      const Number first = algebra_.substituted(*old->first, guess);
      const Number last = algebra_.substituted(*old->last, guess);
      // One less, one more; and the same around the range.
      const Number less = here - Number(1);
      const Number more = here + Number(1);
      const Number choices[] = {here, less, more, algebra_.choice(algebra_.equal(here, first), last, less),
                                algebra_.choice(algebra_.equal(here, last), first, more)};
      const Number value = choices[rest % 5];
      rest /= 5;
      holds.push_back(algebra_.at_most(first, value));
      holds.push_back(algebra_.at_most(value, last));
      guess[old] = value;
    }
    const auto there = [&](const Number& x) { return algebra_.substituted(x, guess); };
    holds.push_back(algebra_.substituted(family.given, guess));
    holds.push_back(algebra_.equal(there(family.target), a.source));
    holds.push_back(algebra_.equal(there(family.origin), a.origin));
    if (a.addressee) holds.push_back(algebra_.equal(there(*family.addressee), *a.addressee));
    holds.push_back(algebra_.less(there(family.start), a.start));
    const Formula way = algebra_.conjunction(holds);
    if (way != algebra_.truth(false)) ways.push_back(way);
  }
  add(ProvedProperty::causal, "passes on what it got",
      "every processor sends packets that it holds, or that came in an earlier step", a.variables, a.given,
      algebra_.disjunction(std::move(ways)), family.span, false, sent(a));
}

}  // namespace quadrille::prover
