// Contention on a binary tree, level by level.
//
// Two packets use a level-i channel together if they come from (go to) the same subtree with 2^(i-1) leaves, at the
// same step, and leave it (come from outside). A packet crosses level i upwards i - 1 steps after its start. It
// crosses level i downwards 2h - i steps after its start, where h is the level at which it turns (its apex).
//
// Lanes: if the capacity of level i is 2^(i-1), a packet's lane is the place of its source (down: target) among the
// 2^(i-1) leaves below. So only packets from (to) the same leaf could share a lane. Otherwise there is one lane.
//
// Example: a scatter from 0 with "at n - d: send 0 -> d". Upwards, the times n - d and n - d' are never equal.
// Downwards, n - d + 2h and n - d' + 2h' are not equal, either, or the targets are in different subtrees.
//
// Cost: two obligations for each pair of samples, and the steps of a chain of bounds where that is enough.
//
// Source: Communications in Binary Fat Trees, §2 (which channels a packet crosses, and when).
#include <fmt/format.h>

#include "verifier/prover/obligations/samples.h"

namespace quadrille::prover {
namespace {

class LevelByLevel {
 public:
  LevelByLevel(const Writing& writing, const SamplePair& pair)
      : writing_(writing),
        algebra_(writing.algebra),
        machine_(writing.problem.machine),
        pair_(pair),
        top_(lower_apex()),
        level_(algebra_.variable("level", Number(1), top_)) {}

  void write() {
    const Sample& a = pair_.a;
    const Sample& b = pair_.b;
    write_direction({"up", a.source, b.source, a.start, b.start});
    write_direction({"down", a.target, b.target, a.start + a.hops, b.start + b.hops});
  }

 private:
  // One of the two directions, for both packets: the end that is below the channels, and a time that has the same
  // distance for both from the step in which they cross the level.
  struct LevelDirection {
    std::string name;
    Number end_a, end_b, time_a, time_b;
  };

  void write_direction(const LevelDirection& direction) {
    const Obligation like{.property = ProvedProperty::contention_free, .name = direction.name};
    const std::string time = fmt::format("the time of the way {}", direction.name);
    if (write_never_equal(writing_, like, time, pair_, direction.time_a, direction.time_b)) return;
    const bool lanes = machine_.widening;
    const Formula channel = lanes ? algebra_.equal(direction.end_a, direction.end_b)
                                  : algebra_.equal(subtree(direction.end_a), subtree(direction.end_b));
    std::vector<Atom> scope = pair_.scope();
    scope.push_back(level_);
    writing_.add(
        {.property = ProvedProperty::contention_free,
         .name = direction.name,
         .meaning = fmt::format("no two packets cross the same channel {}wards in the same step{}", direction.name,
                                lanes ? ", at the same lane" : ""),
         .scope = std::move(scope),
         .given = algebra_.conjunction({pair_.a.given, pair_.b.given, leaves(pair_.a), leaves(pair_.b)}),
         .must = algebra_.negation(algebra_.conjunction({channel, algebra_.equal(direction.time_a, direction.time_b)})),
         .span = pair_.a.family->span,
         .second = pair_.b.family->span,
         .exact = machine_.exact,
         .explanation = cross_on_tree(pair_.a, pair_.b, direction.name == "up", level_, lanes),
         .shortcut = lanes ? std::nullopt : std::optional(subtrees_apart(direction.end_a, direction.end_b))});
  }

  Number subtree(const Number& leaf) { return algebra_.divide(leaf, power_of_two(Number(level_) - Number(1))); }

  // The packet crosses the level.
  Formula leaves(const Sample& x) {
    if (x.family->apex) return algebra_.at_most(Number(2) * Number(level_), x.hops);
    return algebra_.negation(algebra_.equal(subtree(x.source), subtree(x.target)));
  }

  // The two packets have no channel in common up to level `top_`: if they had one, their ends would be below it, and
  // also in one subtree of any higher level. The highest levels of all are tried, since schedules often divide into
  // halves and quarters.
  Shortcut subtrees_apart(const Number& end_a, const Number& end_b) {
    std::vector<Formula> together;
    for (const Number& level : {top_, *machine_.levels - Number(1), *machine_.levels}) {
      if (!algebra_.never_negative(level - top_)) continue;
      const Number leaves = power_of_two(level - Number(1));
      together.push_back(algebra_.equal(algebra_.divide(end_a, leaves), algebra_.divide(end_b, leaves)));
    }
    return {"they are below different channels", algebra_.negation(algebra_.conjunction(together))};
  }

  // A level above which at most one of the packets climbs: the lower one of their apexes, where it is known which one
  // that is.
  Number lower_apex() const {
    const Number half(Rational(1, 2));
    const Sample& a = pair_.a;
    const Sample& b = pair_.b;
    if (!a.family->apex && !b.family->apex) return *machine_.levels;
    if (!b.family->apex) return a.hops * half;
    if (!a.family->apex || algebra_.never_negative(a.hops - b.hops)) return b.hops * half;
    return a.hops * half;
  }

  const Writing& writing_;
  Algebra& algebra_;
  const Machine& machine_;
  const SamplePair& pair_;
  Number top_;
  Atom level_;
};

}  // namespace

void write_contention_by_levels(const Writing& writing, const SamplePair& pair) { LevelByLevel(writing, pair).write(); }

}  // namespace quadrille::prover
