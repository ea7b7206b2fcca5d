// A processor has a packet that it sends if it is the packet's origin, or if another send brought the packet in an
// earlier step. That send is guessed, and then verified. It is one of the same family, with equal variables, or with
// variables one less or one more. If there are other families, parts or turns, it is one of any family, whose
// variables are found by solving equations (witness.h).
//
// Example: on a ring "for t in 1..n-1, i in processors: at t: send i -> (i + 1) mod n carrying (i + n - (t - 1)) mod
// n", the packet that i sends in step t > 1 came from i - 1 (from n - 1, for i = 0) in step t - 1.
//
// In "A then B", everything that A brings is there during all of B, in whatever step of A it came. In the same way,
// everything that an earlier turn brings is there in later turns.
//
// Cost: one obligation a family, with 5^v alternatives for v variables (v <= 4), and up to 128 alternatives for each
// family and each reason for being earlier.
#include <algorithm>

#include "verifier/prover/induction/induction.h"

namespace quadrille::prover {
namespace {

constexpr std::size_t most_variables = 4;  // guessed
constexpr std::size_t most_solved = 6;     // of any family that may have brought something

class BroughtBefore {
 public:
  BroughtBefore(const Writing& writing, const Family& family)
      : algebra_(writing.algebra),
        family_(family),
        sent_(sample(writing, family, Each::delivery, "")),
        variables_(guessed_variables(family)),
        arrival_(family.start + duration(writing.algebra, writing.problem.machine, family) - Number(1)) {}

  const Sample& sent() const { return sent_; }

  // Whether the guesses cover all sends of the family itself that may have brought a packet.
  bool all_guessed() const { return variables_.size() <= most_variables && !family_.multicast && outermost(); }

  std::vector<Formula> some_ways() {
    // Either the sender is the packet's origin, or one of the guessed sends brought the packet.
    std::vector<Formula> ways = {algebra_.equal(sent_.origin, sent_.source)};
    if (variables_.size() > most_variables || family_.multicast) return ways;
    std::size_t combinations = 1;
    for (std::size_t i = 0; i < variables_.size(); ++i) combinations *= choices;
    for (std::size_t number = 0; number < combinations; ++number) {
      const Formula way = guess(number);
      if (way != algebra_.truth(false)) ways.push_back(way);
    }
    return ways;
  }

 private:
  static constexpr std::size_t choices = 5;

  bool outermost() const { return family_.clock->scope.empty() && family_.clock->parent == nullptr; }

  // The variables that may differ in the earlier send, which belongs to the same turns.
  static std::vector<Atom> guessed_variables(const Family& family) {
    std::vector<Atom> result = packet_variables(family);
    for (const Clock* clock = family.clock; clock != nullptr; clock = clock->parent) {
      std::erase_if(result, [&](Atom variable) {
        return std::ranges::find(clock->variables, variable) != clock->variables.end() ||
               std::ranges::find(clock->scope, variable) != clock->scope.end();
      });
    }
    return result;
  }

  // The variable's value for the earlier send: the same, one less, one more; and the last two around the range.
  Number choice(std::size_t which, const Number& here, const Number& first, const Number& last) {
    Number less = here - Number(1);
    Number more = here + Number(1);
    switch (which) {
      case 0:
        return here;
      case 1:
        return less;
      case 2:
        return more;
      case 3:
        return algebra_.choice(algebra_.equal(here, first), last, less);
      default:
        return algebra_.choice(algebra_.equal(here, last), first, more);
    }
  }

  // The earlier send with these choices, one digit of `number` for each variable, exists and brought the packet in
  // time.
  Formula guess(std::size_t number) {
    Substitution before = sent_.renamed;  // what is not guessed is the same
    std::vector<Formula> holds;
    for (const Atom old : variables_) {
      const Number first = algebra_.substituted(*old->first, before);
      const Number last = algebra_.substituted(*old->last, before);
      const Number value = choice(number % choices, sent_.renamed.at(old), first, last);
      number /= choices;
      holds.push_back(algebra_.at_most(first, value));
      holds.push_back(algebra_.at_most(value, last));
      before[old] = value;
    }
    const auto there = [&](const Number& x) { return algebra_.substituted(x, before); };
    holds.push_back(algebra_.substituted(algebra_.conjunction({family_.given, family_.chunks_given}), before));
    holds.push_back(algebra_.equal(there(family_.part), sent_.part));
    holds.push_back(algebra_.equal(there(family_.target), sent_.source));
    holds.push_back(algebra_.equal(there(family_.origin), sent_.origin));
    if (sent_.addressee) holds.push_back(algebra_.equal(there(*family_.addressee), *sent_.addressee));
    holds.push_back(algebra_.less(there(arrival_), sent_.start));
    return algebra_.conjunction(holds);
  }

  Algebra& algebra_;
  const Family& family_;
  Sample sent_;
  std::vector<Atom> variables_;
  Number arrival_;
};

// A way in which a send may be over before another starts, by the clocks that they are under. The variables have
// these values, and the formula holds. Sends that are timed by one clock, in one turn, compare their times.
struct Earlier {
  std::vector<std::pair<Number, Number>> equations;
  std::vector<Formula> given;
};

// Any send, of any family, that brought a packet which `sent` sends on; its variables are found by solving equations.
class BroughtByAny {
 public:
  BroughtByAny(const Writing& writing, const Sample& sent)
      : writing_(writing), algebra_(writing.algebra), sent_(sent) {}

  void append_ways(const Family& family, std::vector<Formula>& ways) {
    for (Earlier& earlier : ways_to_be_earlier(family)) {
      Sought sought;
      sought.variables = delivery_variables(family);
      sought.equations = std::move(earlier.equations);
      sought.equations.emplace_back(family.target, sent_.source);
      sought.equations.emplace_back(family.origin, sent_.origin);
      sought.equations.emplace_back(family.part, sent_.part);
      if (sent_.addressee) sought.equations.emplace_back(*family.addressee, *sent_.addressee);
      sought.given = std::move(earlier.given);
      sought.given.insert(sought.given.end(), {family.given, family.destinations_given, family.chunks_given});
      const Formula way = some_witness(algebra_, sought);
      if (way != algebra_.truth(false)) ways.push_back(way);
    }
  }

 private:
  // The turns of a loop in turn come one after another, and so do the parts of a block with `then`.
  std::vector<Earlier> ways_to_be_earlier(const Family& family) {
    const auto here = path_to(family.clock);
    const auto there = path_to(sent_.family->clock);
    std::vector<Earlier> result;
    Earlier so_far;  // what both share
    std::size_t i = 0;
    for (; i < here.size() && i < there.size() && here[i] == there[i]; ++i) add_turns(*here[i], so_far, result);
    if (i == here.size() && i == there.size()) {
      const Number arrival = family.start + duration(algebra_, writing_.problem.machine, family) - Number(1);
      so_far.given.push_back(algebra_.less(arrival, sent_.start));
      result.push_back(std::move(so_far));
    } else if (i < here.size() && i < there.size() && here[i]->kind == Clock::Kind::part &&
               there[i]->kind == Clock::Kind::part && here[i]->block == there[i]->block &&
               here[i]->part < there[i]->part) {
      require_shared(*here[i], so_far);
      result.push_back(std::move(so_far));
    }
    return result;
  }

  // If a loop's iterations run side by side, nothing is known here about the sends in it.
  static void require_shared(const Clock& clock, const Earlier& so_far) {
    for (const Atom outer : clock.scope) {
      const bool shared =
          std::ranges::any_of(so_far.equations, [&](const auto& equation) { return equation.first == Number(outer); });
      if (!shared)
        throw Unsupported{"forwarding in a sequence within a loop whose iterations run side by side", clock.span};
    }
  }

  // Adds the earlier turns, and then requires that the turn is the same.
  void add_turns(const Clock& clock, Earlier& so_far, std::vector<Earlier>& result) {
    require_shared(clock, so_far);
    for (std::size_t v = 0; v < clock.variables.size(); ++v) {
      const Number own(clock.variables[v]);
      const Number& now = sent_.renamed.at(clock.variables[v]);
      if (!clock.falling.empty()) {
        Earlier before = so_far;
        before.given.push_back(clock.falling[v] ? algebra_.less(now, own) : algebra_.less(own, now));
        result.push_back(before);
        before.equations.emplace_back(own, clock.falling[v] ? now + Number(1) : now - Number(1));
        result.push_back(std::move(before));
      }
      so_far.equations.emplace_back(own, now);
    }
  }

  const Writing& writing_;
  Algebra& algebra_;
  const Sample& sent_;
};

void write_forwarding(const Writing& writing, const Family& family) {
  BroughtBefore before(writing, family);
  std::vector<Formula> ways = before.some_ways();
  if (writing.problem.families.size() > 1 || !before.all_guessed()) {
    // A procedure that calls itself ten times has as many families, with as many variables.
    const bool deep = std::ranges::any_of(
        writing.problem.families, [](const Family& each) { return packet_variables(each).size() > most_solved; });
    if (deep) throw Unsupported{"forwarding inside more than six loops", family.span};
    BroughtByAny any(writing, before.sent());
    for (const Family& each : writing.problem.families) any.append_ways(each, ways);
  }
  Obligation passed = proof_step(ProvedProperty::causal, "passes on what it got",
                                 writing.problem.machine.rounds
                                     ? "every processor sends packets that it holds, or that came in an earlier round"
                                     : "every processor sends packets that it holds, or that came in an earlier step",
                                 family.span);
  passed.explanation = sent(before.sent());
  writing.add(std::move(passed),
              {before.sent().scope(), before.sent().given, writing.algebra.disjunction(std::move(ways))});
}

}  // namespace

void write_causal(const Writing& writing) {
  Algebra& algebra = writing.algebra;
  for (const Family& family : writing.problem.families) {
    if (family.held) continue;  // it is held
    const Formula own = algebra.equal(family.origin, family.source);
    if (own != algebra.truth(true) && !writing.problem.machine.levels) {
      writing.rest_on_them ? write_causal_by_invariants(writing, family) : write_forwarding(writing, family);
      continue;
    }
    Obligation its_own = proof_step(ProvedProperty::causal, "sends its own",
                                    "every processor sends packets that it holds from the start", family.span);
    its_own.explanation = sent(flight(family, writing.problem.machine));
    writing.add(std::move(its_own), {packet_variables(family),
                                     algebra.conjunction({family.given, family.known, family.chunks_given}), own});
  }
}

}  // namespace quadrille::prover
