#include "verifier/prover/obligations.h"

#include <fmt/format.h>

#include <algorithm>

#include "verifier/prover/chain.h"
#include "verifier/prover/sums.h"

namespace quadrille::prover {
namespace {

std::vector<const Clock*> path_to(const Clock* clock) {
  std::vector<const Clock*> path;
  for (; clock != nullptr; clock = clock->parent) path.push_back(clock);
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace

void Obligations::add(std::string property, std::string name, std::string meaning, std::vector<Atom> scope,
                      Formula given, Formula must, Span span, bool exact) {
  const auto same = [&](const Obligation& other) {
    return other.given == given && other.must == must && other.scope == scope && other.meaning == meaning;
  };
  if (std::any_of(all_.begin(), all_.end(), same)) return;
  all_.push_back(
      {std::move(property), std::move(name), std::move(meaning), std::move(scope), given, must, span, exact, {}});
}

// --- samples ---------------------------------------------------------------------------------------------------------

Obligations::Sample Obligations::sample(const Family& family, const std::string& suffix, const Substitution& preset,
                                        std::optional<Atom> above) {
  Sample result;
  result.family = &family;
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
  rename(family.fan, result.fan);
  const auto own = [&](const Number& x) { return algebra_.substituted(x, result.renamed); };
  result.given =
      algebra_.substituted(algebra_.conjunction({family.given, family.known, family.fan_given}), result.renamed);
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
  for (const auto* variables : {&a.variables, &a.fan, &b.variables, &b.fan}) {
    scope.insert(scope.end(), variables->begin(), variables->end());
  }
  return scope;
}

template <class Visit>
void Obligations::two(const Family& f, const Family& g, const std::vector<Atom>& shared, bool with_fan,
                      const Visit& visit) {
  const Sample a = sample(f, "");
  Substitution same;
  for (const Atom variable : shared) same[variable] = a.renamed.at(variable);
  if (&f != &g) return visit(a, sample(g, "'", same));
  std::vector<Atom> variables = f.variables;
  if (with_fan) variables.insert(variables.end(), f.fan.begin(), f.fan.end());
  for (const Atom variable : variables) {
    if (same.count(variable) > 0) continue;
    Substitution until = same;
    until[variable] = a.renamed.at(variable);
    const Number last = algebra_.substituted(*variable->last, same);
    const bool single = algebra_.never_negative(algebra_.substituted(*variable->first, same) - last);
    if (!single) visit(a, sample(f, "'", until, variable));
    same = until;
  }
}

std::optional<std::vector<Atom>> Obligations::meet(const Family& f, const Family& g) {
  const auto path_f = path_to(f.clock);
  const auto path_g = path_to(g.clock);
  std::vector<Atom> shared;
  std::size_t i = 0;
  for (; i < path_f.size() && i < path_g.size() && path_f[i] == path_g[i]; ++i) {
    for (const Atom outer : path_f[i]->scope) {
      if (std::find(shared.begin(), shared.end(), outer) == shared.end()) {
        throw Beyond{"a sequence within a loop whose iterations run side by side", path_f[i]->span};
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
  throw Beyond{"sends beside a sequence whose times depend on how long its parts take", later->span};
}

// --- well-formed -----------------------------------------------------------------------------------------------------

void Obligations::well_formed() {
  for (const Condition& condition : problem_.conditions) {
    add("well_formed", condition.words, condition.words + ", always", condition.scope, condition.given, condition.must,
        condition.span, true);
  }
  for (const Family& family : problem_.families) {
    add("well_formed", "starts at step 1 or later", "no packet starts before step 1", family.variables,
        algebra_.conjunction({family.given, family.known}), algebra_.at_least_zero(family.start - Number(1)),
        family.span, true);
    if (problem_.machine.kind != Machine::Kind::ring) continue;
    const Number way = family.target - family.source;
    const Number around = problem_.processors - Number(1);
    const auto is = [&](const Number& x) { return algebra_.equal(way, x); };
    add("well_formed", "goes to a neighbour", "every packet goes to a neighbour on the ring", family.variables,
        algebra_.conjunction({family.given, family.known}),
        algebra_.disjunction({is(Number(1)), is(Number(-1)), is(around), is(-around)}), family.span, false);
  }
}

// --- contention ------------------------------------------------------------------------------------------------------

void Obligations::contention() {
  const auto& families = problem_.families;
  for (std::size_t f = 0; f < families.size(); ++f) {
    for (std::size_t g = f; g < families.size(); ++g) pair(families[f], families[g]);
  }
}

void Obligations::pair(const Family& f, const Family& g) {
  const auto shared = meet(f, g);
  if (!shared) return;
  two(f, g, *shared, false, [&](const Sample& a, const Sample& b) {
    const Formula given = algebra_.conjunction({a.given, b.given});
    if (problem_.machine.kind == Machine::Kind::tree) return pair_on_tree(a, b, given);
    pair_on_ring(a, b, given);
  });
}

// Two packets use a level-i channel together if they come from (go to) the same subtree with 2^(i-1) leaves, at the
// same step, and leave it (come from outside). Up: level i is crossed i - 1 steps after the start. Down: the packet is
// back at level i when 2h - i steps have passed, h being the level at which it turns.
//
// Lanes: where the capacity of level i is 2^(i-1), the place of a packet's source (down: target) among the 2^(i-1)
// leaves below is its lane; so only packets from (to) the same leaf could share one. Elsewhere there is one lane.
void Obligations::pair_on_tree(const Sample& a, const Sample& b, Formula given) {
  const Number top = lower_turn(a, b);
  const Atom level = algebra_.variable("level", Number(1), top);
  const Number below = power_of_two(Number(level) - Number(1));
  const auto subtree = [&](const Number& leaf) { return algebra_.divide(leaf, below); };
  const auto leaves = [&](const Sample& x) {
    if (x.family->turn) return algebra_.at_most(Number(2) * Number(level), x.hops);
    return algebra_.negation(algebra_.equal(subtree(x.source), subtree(x.target)));
  };
  std::vector<Atom> scope = scope_of(a, b);
  scope.push_back(level);
  const Formula crossing = algebra_.conjunction({given, leaves(a), leaves(b)});
  const std::string lanes = problem_.machine.widening ? ", at the same lane" : "";
  const auto apart = [&](const std::string& way, const Number& end_a, const Number& end_b, const Number& time_a,
                         const Number& time_b) {
    const std::string time = fmt::format("the time of the way {}", way);
    if (never_equal("contention_free", way, time, a, b, time_a, time_b)) return;
    const Formula channel =
        problem_.machine.widening ? algebra_.equal(end_a, end_b) : algebra_.equal(subtree(end_a), subtree(end_b));
    add("contention_free", way,
        fmt::format("no two packets cross the same channel {}wards in the same step{}", way, lanes), scope, crossing,
        algebra_.negation(algebra_.conjunction({channel, algebra_.equal(time_a, time_b)})), b.family->span,
        problem_.machine.exact);
  };
  apart("up", a.source, b.source, a.start, b.start);
  apart("down", a.target, b.target, a.start + a.hops, b.start + b.hops);
}

// The level up to which both packets may climb.
Number Obligations::lower_turn(const Sample& a, const Sample& b) {
  const Number half(Rational(1, 2));
  if (a.family->turn && b.family->turn) {
    if (algebra_.never_negative(b.hops - a.hops)) return a.hops * half;
    if (algebra_.never_negative(a.hops - b.hops)) return b.hops * half;
  }
  return problem_.machine.levels;
}

// Whether one of two numbers is always larger than the other.
bool Obligations::never_equal(const std::string& property, const std::string& name, const std::string& what,
                              const Sample& a, const Sample& b, const Number& of_a, const Number& of_b) {
  const Obligation like{property,       name,    fmt::format("{} of two packets is never the same", what),
                        scope_of(a, b), nullptr, nullptr,
                        b.family->span, false,   {}};
  const std::string difference = fmt::format("the difference of {} of two packets", what);
  return add_chain(algebra_, of_a - of_b, 1, difference, like, all_) ||
         add_chain(algebra_, of_b - of_a, 1, difference, like, all_);
}

void Obligations::pair_on_ring(const Sample& a, const Sample& b, Formula given) {
  const Formula same_step = algebra_.equal(a.start, b.start);
  const Formula same_source = algebra_.equal(a.source, b.source);
  const Formula same_target = algebra_.equal(a.target, b.target);
  const auto never = [&](const std::vector<Formula>& parts) { return algebra_.negation(algebra_.conjunction(parts)); };
  add("contention_free", "channels", "no two packets cross the same channel in the same step", scope_of(a, b), given,
      never({same_step, same_source, same_target}), b.family->span, true);
  if (!problem_.machine.single_port) return;
  add("capacity", "sends", "no processor sends two packets in the same step", scope_of(a, b), given,
      never({same_step, same_source}), b.family->span, true);
  add("capacity", "receptions", "no processor receives two packets in the same step", scope_of(a, b), given,
      never({same_step, same_target}), b.family->span, true);
}

// --- causality -------------------------------------------------------------------------------------------------------

void Obligations::causal() {
  for (const Family& family : problem_.families) {
    const Formula own = algebra_.equal(family.origin, family.source);
    if (own == algebra_.truth(true) || problem_.machine.kind == Machine::Kind::tree) {
      add("causal", "sends its own", "every processor sends packets that it holds from the start", family.variables,
          algebra_.conjunction({family.given, family.known}), own, family.span, false);
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
    throw Beyond{"forwarding inside a sequence, or to many", family.span};
  std::vector<Formula> ways = {algebra_.equal(a.origin, a.source)};
  const std::size_t variables = a.variables.size();
  if (variables > 4) throw Beyond{"forwarding inside more than four loops", family.span};
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
    holds.push_back(algebra_.less(there(family.start), a.start));
    const Formula way = algebra_.conjunction(holds);
    if (way != algebra_.truth(false)) ways.push_back(way);
  }
  add("causal", "passes on what it got", "every processor sends packets that it holds, or that came in an earlier step",
      a.variables, a.given, algebra_.disjunction(std::move(ways)), family.span, false);
}

// --- completeness ----------------------------------------------------------------------------------------------------
//
// Every delivery is one that is demanded, no two are the same, and there are as many as demands: so all are met.

void Obligations::complete() {
  const CollectiveKind kind = problem_.collective;
  const bool for_everyone = kind == CollectiveKind::broadcast || kind == CollectiveKind::allgather;
  for (const Family& family : problem_.families) {
    std::vector<Atom> scope = family.variables;
    scope.insert(scope.end(), family.fan.begin(), family.fan.end());
    const Formula given = algebra_.conjunction({family.given, family.known, family.fan_given});
    const Formula wanted = for_everyone ? algebra_.negation(algebra_.equal(family.target, family.origin))
                                        : algebra_.equal(family.target, *family.addressee);
    add("complete", "is wanted", "every packet goes to a processor that wants it and does not hold it from the start",
        scope, given, wanted, family.span, false);
  }
  const auto& families = problem_.families;
  for (std::size_t f = 0; f < families.size(); ++f) {
    for (std::size_t g = f; g < families.size(); ++g) only_once(families[f], families[g]);
  }
  Number total;
  for (const Family& family : families) {
    const auto number = count(family, true);
    if (!number) throw Beyond{"counting what these loops deliver", family.span};
    total = total + *number;
  }
  const Number n = problem_.processors;
  const bool of_pairs = kind == CollectiveKind::allgather || kind == CollectiveKind::total_exchange;
  const Number demanded = of_pairs ? n * (n - Number(1)) : n - Number(1);
  add("complete", "as many as demanded",
      fmt::format("{} packets are delivered, and {} are demanded: the same number", to_string(total),
                  to_string(demanded)),
      {}, algebra_.truth(true), algebra_.equal(total, demanded), problem_.schedule->collective.span, true);
}

void Obligations::only_once(const Family& f, const Family& g) {
  two(f, g, {}, true, [&](const Sample& a, const Sample& b) {
    if (turn_elsewhere(a, b)) return;
    std::vector<Formula> same = {algebra_.equal(a.target, b.target), algebra_.equal(a.origin, b.origin)};
    if (a.addressee && b.addressee) same.push_back(algebra_.equal(*a.addressee, *b.addressee));
    add("complete", "only once", "no packet is delivered twice", scope_of(a, b),
        algebra_.conjunction({a.given, b.given}), algebra_.negation(algebra_.conjunction(same)), b.family->span, false);
  });
}

// A packet that is sent by its origin turns at a level that follows from its name and target: if the levels differ, so
// do these.
bool Obligations::turn_elsewhere(const Sample& a, const Sample& b) {
  if (!a.family->turn || !b.family->turn || !(a.origin == a.source) || !(b.origin == b.source)) return false;
  return never_equal("complete", "only once", "the level at which it turns", a, b, a.hops, b.hops);
}

// The sum of `each` over the variables' ranges; that these are not less than empty is an obligation.
std::optional<Number> Obligations::counted(const std::vector<Atom>& variables, Number each,
                                           const std::vector<Atom>& outside) {
  for (std::size_t i = variables.size(); i-- > 0;) {
    const Atom variable = variables[i];
    const auto closed = closed_sum(algebra_, each, variable, *variable->first, *variable->last);
    if (!closed) return std::nullopt;
    each = *closed;
    std::vector<Atom> scope = outside;
    scope.insert(scope.end(), variables.begin(), variables.begin() + static_cast<std::ptrdiff_t>(i));
    const Number size = *variable->last - *variable->first + Number(1);
    const Formula sane = algebra_.at_least_zero(size);
    if (sane == algebra_.truth(true)) continue;
    add("complete", "ranges do not run backwards",
        fmt::format("the range of {} has {} elements, not fewer than none", variable->name, to_string(size)),
        std::move(scope), algebra_.truth(true), sane, problem_.schedule->collective.span, false);
  }
  return each;
}

std::optional<Number> Obligations::count(const Family& family, bool with_fan) {
  if (family.given != algebra_.truth(true)) return std::nullopt;
  Number each(1);
  if (with_fan && family.multicast) {
    if (family.everyone) {
      each = problem_.processors - Number(1);
    } else {
      // All elements of the set, none of which is the source.
      const Formula other = algebra_.negation(algebra_.equal(family.target, family.source));
      if (family.fan_given != other) return std::nullopt;
      std::vector<Atom> scope = family.variables;
      scope.insert(scope.end(), family.fan.begin(), family.fan.end());
      add("complete", "not to itself", "no processor is among the targets of its own packet", scope,
          algebra_.truth(true), other, family.span, false);
      const auto size = counted(family.fan, Number(1), family.variables);
      if (!size) return std::nullopt;
      each = *size;
    }
  }
  return counted(family.variables, each, {});
}

std::optional<Number> Obligations::messages() {
  Number total;
  for (const Family& family : problem_.families) {
    if (family.multicast && !family.everyone) return std::nullopt;  // some might go to no one
    const auto number = count(family, false);
    if (!number) return std::nullopt;
    total = total + *number;
  }
  return total;
}

}  // namespace quadrille::prover
