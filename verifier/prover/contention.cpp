// No two packets on a lane in the same step; and how many a processor sends and receives.
#include <fmt/format.h>

#include "verifier/prover/chain.h"
#include "verifier/prover/obligations.h"

namespace quadrille::prover {

void Obligations::contention() {
  const auto& families = problem_.families;
  for (std::size_t f = 0; f < families.size(); ++f) {
    for (std::size_t g = f; g < families.size(); ++g) pair(families[f], families[g]);
  }
}

void Obligations::pair(const Family& f, const Family& g) {
  const auto shared = meet(f, g);
  if (!shared) return;
  for (const auto& [a, b] : two(f, g, *shared, false)) {
    const Formula given = algebra_.conjunction({a.given, b.given});
    if (problem_.machine.kind == Machine::Kind::tree) {
      pair_on_tree(a, b, given);
    } else {
      pair_on_ring(a, b, given);
    }
  }
}

// Two packets use a level-i channel together if they come from (go to) the same subtree with 2^(i-1) leaves, at the
// same step, and leave it (come from outside). Up: level i is crossed i - 1 steps after the start. Down: the packet is
// back at level i when 2h - i steps have passed, h being the level at which it turns.
//
// Lanes: where the capacity of level i is 2^(i-1), the place of a packet's source (down: target) among the 2^(i-1)
// leaves below is its lane; so only packets from (to) the same leaf could share one. Elsewhere there is one lane.
void Obligations::pair_on_tree(const Sample& a, const Sample& b, Formula given) {
  const Number top = lower_apex(a, b);
  const Atom level = algebra_.variable("level", Number(1), top);
  const Number below = power_of_two(Number(level) - Number(1));
  const auto subtree = [&](const Number& leaf) { return algebra_.divide(leaf, below); };
  const auto leaves = [&](const Sample& x) {
    if (x.family->apex) return algebra_.at_most(Number(2) * Number(level), x.hops);
    return algebra_.negation(algebra_.equal(subtree(x.source), subtree(x.target)));
  };
  std::vector<Atom> scope = scope_of(a, b);
  scope.push_back(level);
  const Formula crossing = algebra_.conjunction({given, leaves(a), leaves(b)});
  const std::string lanes = problem_.machine.widening ? ", at the same lane" : "";
  const auto apart = [&](const std::string& way, const Number& end_a, const Number& end_b, const Number& time_a,
                         const Number& time_b) {
    const std::string time = fmt::format("the time of the way {}", way);
    if (never_equal(ProvedProperty::contention_free, way, time, a, b, time_a, time_b)) return;
    std::optional<Shortcut> shortcut;
    if (!problem_.machine.widening) shortcut = subtrees_apart(end_a, end_b, top);
    const Formula channel =
        problem_.machine.widening ? algebra_.equal(end_a, end_b) : algebra_.equal(subtree(end_a), subtree(end_b));
    add(ProvedProperty::contention_free, way,
        fmt::format("no two packets cross the same channel {}wards in the same step{}", way, lanes), scope, crossing,
        algebra_.negation(algebra_.conjunction({channel, algebra_.equal(time_a, time_b)})), a.family->span,
        problem_.machine.exact, cross_on_tree(a, b, way == "up", level, problem_.machine.widening), b.family->span,
        std::move(shortcut));
  };
  apart("up", a.source, b.source, a.start, b.start);
  apart("down", a.target, b.target, a.start + a.hops, b.start + b.hops);
}

// That two packets have no channel in common up to level `top`: if they had one, their ends were below it, and in one
// subtree of any higher level, too. Tried are the highest levels of all, since halves and quarters are what schedules
// speak of.
Shortcut Obligations::subtrees_apart(const Number& end_a, const Number& end_b, const Number& top) {
  std::vector<Formula> together;
  for (const Number& level : {top, problem_.machine.levels - Number(1), problem_.machine.levels}) {
    if (!algebra_.never_negative(level - top)) continue;
    const Number leaves = power_of_two(level - Number(1));
    together.push_back(algebra_.equal(algebra_.divide(end_a, leaves), algebra_.divide(end_b, leaves)));
  }
  return {"they are below different channels", algebra_.negation(algebra_.conjunction(together))};
}

// A level above which not both packets climb; the lower of their turns, where it is known which one that is.
Number Obligations::lower_apex(const Sample& a, const Sample& b) {
  const Number half(Rational(1, 2));
  if (!a.family->apex && !b.family->apex) return problem_.machine.levels;
  if (!b.family->apex) return a.hops * half;
  if (!a.family->apex || algebra_.never_negative(a.hops - b.hops)) return b.hops * half;
  return a.hops * half;
}

// Whether one of two numbers is always larger than the other.
bool Obligations::never_equal(ProvedProperty property, const std::string& name, const std::string& what,
                              const Sample& a, const Sample& b, const Number& of_a, const Number& of_b) {
  Obligation like;
  like.property = property;
  like.name = name;
  like.meaning = fmt::format("{} of two packets is never the same", what);
  like.scope = scope_of(a, b);
  like.span = a.family->span;
  like.second = b.family->span;
  like.exact = false;
  const std::string difference = fmt::format("the difference of {} of two packets", what);
  return add_chain(algebra_, of_a - of_b, 1, difference, like, all_, watch_) ||
         add_chain(algebra_, of_b - of_a, 1, difference, like, all_, watch_);
}

void Obligations::pair_on_ring(const Sample& a, const Sample& b, Formula given) {
  const Formula same_step = algebra_.equal(a.start, b.start);
  const Formula same_source = algebra_.equal(a.source, b.source);
  const Formula same_target = algebra_.equal(a.target, b.target);
  const auto never = [&](const std::vector<Formula>& parts) { return algebra_.negation(algebra_.conjunction(parts)); };
  add(ProvedProperty::contention_free, "channels", "no two packets cross the same channel in the same step",
      scope_of(a, b), given, never({same_step, same_source, same_target}), a.family->span, true,
      cross_on_ring(a, b, problem_.processors), b.family->span);
  if (!problem_.machine.single_port) return;
  add(ProvedProperty::capacity, "sends", "no processor sends two packets in the same step", scope_of(a, b), given,
      never({same_step, same_source}), a.family->span, true, sent_together(a, b), b.family->span);
  add(ProvedProperty::capacity, "receptions", "no processor receives two packets in the same step", scope_of(a, b),
      given, never({same_step, same_target}), a.family->span, true, received_together(a, b, problem_.processors),
      b.family->span);
}

}  // namespace quadrille::prover
