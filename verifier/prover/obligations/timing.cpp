// The last arrival is guessed. Each loop variable is set to an end of its range, or one before it, and a combination
// (a corner) is taken whose arrival is the last at all small sizes that are tried. Two obligations make it a proof:
// nothing arrives later, and something arrives then. Parts of a sequence are added up, iterations in closed form.
//
// Example: "for d in 1..n-1: at n - d: send 0 -> d" on a line: d arrives in step (n - d) + d - 1, so all arrive in n
// - 1.
//
// Cost: 4^v corners of v variables (at most 1024), each tried on 25 sizes; up to 3000 sends of a size.
#include "verifier/prover/obligations/timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <span>

#include "verifier/prover/algebra/witness.h"
#include "verifier/prover/obligations/explanation.h"
#include "verifier/prover/solver/decide.h"

namespace quadrille::prover {
namespace {

constexpr std::uint64_t most_instances = 3000;  // of a size
constexpr std::size_t most_corners = 1024;

// An end of a range, or the number after the first, or before the last.
template <class Any>
Any end_of_range(std::size_t which, const Any& first, const Any& last) {
  switch (which % 4) {
    case 0:
      return last;
    case 1:
      return first;
    case 2:
      return first + Any(1);
    default:
      return last - Any(1);
  }
}

// ArrivalTiming guesses times and writes what shows them.
class ArrivalTiming {
 public:
  ArrivalTiming(const Writing& writing, Formula when)
      : algebra_(writing.algebra),
        problem_(writing.problem),
        when_(when),
        obligations_(writing.obligations),
        watch_(writing.watch) {}

  Number steps() { return latest(problem_.clocks.front(), false); }

  Number start_of(const Family& family) {
    const Clock& clock = *family.clock;
    if (before_.count(&clock) == 0) before_[&clock] = before(clock);
    Number start = family.start;
    for (const Clock* each = &clock; each != nullptr; each = each->parent) {
      if (!each->length) continue;
      if (each != &clock) throw Unsupported{"sequences inside a reversal", each->span};
      start = algebra_.substituted(start, {{*each->length, length_of_reversal(*each)}});
    }
    return before_.at(&clock) + start;
  }

  Number length_of(const Clock& clock) { return latest_of(sent_by(clock), clock); }

 private:
  // Something that arrives, at this step in its clock's time, for each value of these variables.
  struct LatestArrival {
    std::vector<Atom> variables;
    Formula given = nullptr;
    Formula known = nullptr;
    Number step;
    Span span;
  };
  // Small values of the variables outside, and the last arrival there.
  struct SmallSize {
    Assignment values;
    Integer latest;
  };
  // One choice of the variables of an arrival.
  struct Corner {
    const LatestArrival* arrival = nullptr;
    std::size_t ends = 0;                       // a number to base 4: which end of its range each variable has …
    std::optional<Substitution> at = {};        // … or these values
    std::vector<std::optional<Integer>> steps;  // at each small size; nothing: it does not exist there
  };
  // A corner in formulas.
  struct LastCorner {
    Formula exists = nullptr;
    Number step;
    Span span;
  };

  void write(std::string name, std::string meaning, Span span, AskedFormula question) {
    obligations_.push_back(
        asking(proof_step(ProvedProperty::claims, std::move(name), std::move(meaning), span), std::move(question)));
  }

  Number latest(const Clock& clock, bool something) {
    std::vector<Number> ends;
    const std::vector<LatestArrival> sent = sent_by(clock);
    if (!sent.empty()) ends.push_back(clock.kind == Clock::Kind::reversed ? backwards(clock) : latest_of(sent, clock));
    std::vector<std::uint32_t> seen;
    for (const Clock& child : problem_.clocks) {
      if (child.parent != &clock) continue;
      if (child.scope != clock.variables || child.given != algebra_.truth(true))
        throw Unsupported{"the length of a sequence inside a loop or an if", child.span};
      // A part that starts late and is empty ends nothing.
      const bool inside = something || !(child.start == Number(0));
      if (child.kind == Clock::Kind::part) {
        if (std::ranges::find(seen, child.block) != seen.end()) continue;
        seen.push_back(child.block);
        ends.push_back(child.start + parts(child, inside));
      } else {
        ends.push_back(child.start +
                       (child.kind == Clock::Kind::iteration ? turns(child, inside) : latest(child, inside)));
      }
    }
    if (ends.empty() && something) throw Unsupported{"the time of a sequence in which nothing is sent", clock.span};
    if (ends.empty()) return Number(0);
    if (ends.size() > 1) throw Unsupported{"the length of several sequences side by side", clock.span};
    return ends[0];
  }

  // Requires that the range of the clock's i-th variable is not empty (or, at least, does not run backwards).
  void require_range(const Clock& clock, std::size_t i, bool something) {
    const Atom variable = clock.variables[i];
    write(something ? "ranges are not empty" : "ranges do not run backwards",
          fmt::format("the range of {} is not {}", variable->name, something ? "empty" : "less than empty"), clock.span,
          {joined(open_parameters(problem_), clock.scope, std::span(clock.variables).first(i)), when_,
           algebra_.at_most(*variable->first, *variable->last + Number(something ? 0 : 1))});
  }

  Number turns(const Clock& clock, bool something) {
    Number each = latest(clock, something);
    for (std::size_t i = clock.variables.size(); i-- > 0;) {
      const Atom variable = clock.variables[i];
      require_range(clock, i, something);
      const auto closed = closed_sum(algebra_, each, variable, *variable->first, *variable->last);
      if (!closed) throw Unsupported{fmt::format("the sum of {} has no closed form here", to_string(each)), clock.span};
      each = *closed;
    }
    return each;
  }

  // The turns before this one take the sum of their lengths: those in which the first variable is earlier, then those
  // in which it is the same and the second is earlier, and so on.
  Number earlier_turns(const Clock& clock) {
    if (clock.falling.empty()) throw Unsupported{"turns whose order is not known", clock.span};
    Number each = latest(clock, false);
    Number sum;
    for (std::size_t i = clock.variables.size(); i-- > 0;) {
      const Atom variable = clock.variables[i];
      const Atom earlier = algebra_.variable(variable->name, variable->first, variable->last);
      const Number length = algebra_.substituted(each, {{variable, Number(earlier)}});
      const Number now(variable);
      const auto before = clock.falling[i] ? closed_sum(algebra_, length, earlier, now + Number(1), *variable->last)
                                           : closed_sum(algebra_, length, earlier, *variable->first, now - Number(1));
      const auto all = closed_sum(algebra_, each, variable, *variable->first, *variable->last);
      if (!before || !all)
        throw Unsupported{fmt::format("the sum of {} has no closed form here", to_string(each)), clock.span};
      sum = sum + *before;
      if (i > 0) require_range(clock, i, false);
      each = *all;
    }
    return sum;
  }

  Number before(const Clock& clock) {
    if (clock.parent == nullptr) return Number(0);
    Number result = before(*clock.parent) + clock.start;
    if (clock.kind == Clock::Kind::iteration) return result + earlier_turns(clock);
    if (clock.kind != Clock::Kind::part) return result;
    for (const Clock& other : problem_.clocks) {
      const bool earlier = other.kind == Clock::Kind::part && other.block == clock.block &&
                           other.parent == clock.parent && other.part < clock.part;
      if (earlier) result = result + latest(other, false);
    }
    return result;
  }

  Number parts(const Clock& first, bool something) {
    Number sum;
    for (const Clock& clock : problem_.clocks) {
      if (clock.kind == Clock::Kind::part && clock.block == first.block && clock.parent == first.parent)
        sum = sum + latest(clock, something);
    }
    return sum;
  }

  std::vector<LatestArrival> sent_by(const Clock& clock) {
    std::vector<LatestArrival> result;
    for (const Family& family : problem_.families) {
      if (family.clock != &clock) continue;
      LatestArrival arrival;
      for (const Atom variable : family.variables) {
        const bool outside = std::ranges::find(clock.variables, variable) != clock.variables.end() ||
                             std::ranges::find(clock.scope, variable) != clock.scope.end();
        if (!outside) arrival.variables.push_back(variable);
      }
      arrival.variables.insert(arrival.variables.end(), family.destinations.begin(), family.destinations.end());
      arrival.given = algebra_.conjunction({family.given, family.destinations_given});
      if (!family.held) {  // what carries all that is held takes its time even if that is nothing
        arrival.variables.insert(arrival.variables.end(), family.chunks.begin(), family.chunks.end());
        arrival.given = algebra_.conjunction({arrival.given, family.chunks_given});
      }
      arrival.known = family.known;
      arrival.step = family.start + duration(algebra_, problem_.machine, family) - Number(1);
      arrival.span = family.span;
      result.push_back(std::move(arrival));
    }
    return result;
  }

  Number length_of_reversal(const Clock& clock) {
    std::vector<LatestArrival> forwards = sent_by(clock);
    const Number length(*clock.length);
    std::size_t i = 0;
    for (const Family& family : problem_.families) {
      if (family.clock == &clock) forwards[i++].step = length - family.start + Number(1);
    }
    for (LatestArrival& arrival : forwards) arrival.known = algebra_.truth(true);
    return latest_of(forwards, clock);
  }

  // Forwards, the block takes until its last arrival. Time-reversed, that step becomes the first, and the first the
  // last.
  Number backwards(const Clock& clock) {
    const Number whole = length_of_reversal(clock);
    std::vector<LatestArrival> measured = sent_by(clock);
    for (LatestArrival& arrival : measured) {
      arrival.known = algebra_.truth(true);
      arrival.step = algebra_.substituted(arrival.step, {{*clock.length, whole}});
    }
    return latest_of(measured, clock);
  }

  // --- the guess
  // -------------------------------------------------------------------------------------------------------

  std::optional<Integer> greatest(const std::vector<LatestArrival>& arrivals, const Assignment& outside) {
    std::optional<Integer> result;
    std::uint64_t instances = 0;
    for (const LatestArrival& arrival : arrivals) {
      Assignment values = outside;
      const bool all = for_each_value(arrival.variables, values, [&] {
        if (++instances > most_instances) return false;
        algebra_.pulse();
        if (!evaluate(arrival.given, values)) return true;
        const Integer step = evaluate(arrival.step, values);
        if (!result || *result < step) result = step;
        return true;
      });
      if (!all) return std::nullopt;
    }
    return result;
  }

  std::vector<SmallSize> small_sizes_of(const std::vector<LatestArrival>& arrivals, const Clock& clock,
                                        const std::vector<Atom>& outside) {
    std::vector<SmallSize> sizes;
    for (Assignment& values : small_values(outside, {problem_.sizes, when_})) {
      if (clock.length) values[*clock.length] = 0;
      if (const auto step = greatest(arrivals, values)) sizes.push_back({std::move(values), *step});
    }
    return sizes;
  }

  // Follows the corner at each small size.
  void measure_corner(Corner& corner, const std::vector<SmallSize>& sizes) {
    algebra_.pulse();
    const LatestArrival& arrival = *corner.arrival;
    for (const SmallSize& size : sizes) {
      Assignment values = size.values;
      bool there = true;
      std::size_t ends = corner.ends;
      for (const Atom variable : arrival.variables) {
        const Integer first = evaluate(*variable->first, values);
        const Integer last = evaluate(*variable->last, values);
        const Integer here =
            corner.at ? evaluate(corner.at->at(variable), size.values) : end_of_range(ends, first, last);
        ends /= 4;
        there = there && first <= here && here <= last;
        if (!there) break;
        values[variable] = here;
      }
      there = there && evaluate(arrival.given, values);
      corner.steps.push_back(there ? std::optional(evaluate(arrival.step, values)) : std::nullopt);
    }
  }

  std::vector<Corner> corners_at_ends(const std::vector<LatestArrival>& arrivals, const std::vector<SmallSize>& sizes) {
    std::vector<Corner> result;
    for (const LatestArrival& arrival : arrivals) {
      std::size_t combinations = 1;
      for (std::size_t i = 0; i < arrival.variables.size(); ++i)
        combinations = std::min(4 * combinations, most_corners);
      for (std::size_t number = 0; number < combinations; ++number) {
        result.push_back({.arrival = &arrival, .ends = number, .steps = {}});
        measure_corner(result.back(), sizes);
      }
    }
    return result;
  }

  // Values of the variables that solve the equations of the condition, or make one of its bounds tight, with the first
  // variable at an end of its range or not: for "i in 0..L, k if k mod 2^(i+1) == 2^i", i = L and k = 2^L.
  void append_solved_corners(const LatestArrival& arrival, const std::vector<SmallSize>& sizes,
                             std::vector<Corner>& result) {
    if (arrival.given == algebra_.truth(true) || arrival.variables.empty()) return;
    const Atom first = arrival.variables[0];
    std::vector<Substitution> presets = {{}};
    if (arrival.variables.size() > 1) {
      presets.push_back({{first, *first->last}});
      presets.push_back({{first, *first->first}});
    }
    for (const Substitution& preset : presets) {
      try {
        append_solved_corners(arrival, preset, sizes, result);
      } catch (const Unsupported&) {  // a number that the algebra has not: other corners may do
      }
    }
  }

  void append_solved_corners(const LatestArrival& arrival, const Substitution& preset,
                             const std::vector<SmallSize>& sizes, std::vector<Corner>& result) {
    const Formula given = algebra_.substituted(arrival.given, preset);
    Sought sought;
    for (const Atom variable : arrival.variables) {
      if (preset.count(variable) == 0) sought.variables.push_back(variable);
    }
    sought.given = {given};
    std::vector<Sought> all = {sought};
    const std::vector<Formula> parts =
        given->kind == FormulaNodeKind::conjunction ? given->parts : std::vector<Formula>{given};
    for (const Formula part : parts) {
      if (part->kind != FormulaNodeKind::positive) continue;
      all.push_back(sought);
      all.back().equations.emplace_back(part->operand, Number(0));
    }
    for (const Sought& each : all) {
      for (Substitution& choice : suggested_witnesses(algebra_, each)) {
        for (auto& value : choice) value.second = algebra_.substituted(value.second, preset);
        choice.insert(preset.begin(), preset.end());
        result.push_back({.arrival = &arrival, .at = std::move(choice), .steps = {}});
        measure_corner(result.back(), sizes);
      }
    }
  }

  // Later ranges may depend on earlier variables, so these are put in first.
  Substitution at_ends(const Corner& corner) {
    Substitution at;
    std::size_t ends = corner.ends;
    for (const Atom variable : corner.arrival->variables) {
      at[variable] =
          end_of_range(ends, algebra_.substituted(*variable->first, at), algebra_.substituted(*variable->last, at));
      ends /= 4;
    }
    return at;
  }

  LastCorner in_formulas(const Corner& corner) {
    const LatestArrival& arrival = *corner.arrival;
    const Substitution at = corner.at ? *corner.at : at_ends(corner);
    std::vector<Formula> exists = {algebra_.substituted(arrival.given, at)};
    for (const Atom variable : arrival.variables) append_range(algebra_, variable, at, exists);
    return {algebra_.conjunction(exists), algebra_.substituted(arrival.step, at), arrival.span};
  }

  // The same number with simple ones in place of atoms that are no polynomials, as far as the samples allow.
  Number plain(const Number& step, const std::vector<SmallSize>& sizes, const std::vector<Atom>& variables) {
    Number result = step;
    const std::vector<Number> simple = simple_numbers(variables);
    for (const Atom atom : factors_of(step)) {
      if (atom->kind == AtomKind::variable) continue;
      const auto found = std::ranges::find_if(simple, [&](const Number& candidate) {
        return std::ranges::all_of(sizes, [&](const SmallSize& size) {
          return evaluate(Number(atom), size.values) == evaluate(candidate, size.values);
        });
      });
      if (found != simple.end()) result = algebra_.substituted(result, {{atom, *found}});
    }
    return result;
  }

  Number latest_of(const std::vector<LatestArrival>& arrivals, const Clock& clock) {
    // The variables outside: the parameters, and the iterations of the loops around.
    const std::vector<Atom> outside = joined(open_parameters(problem_), clock.scope, clock.variables);
    const std::vector<SmallSize> sizes = small_sizes_of(arrivals, clock, outside);
    if (sizes.empty())
      throw Unsupported{"the time that a block takes, for want of small sizes to guess it from", clock.span};
    std::vector<Corner> all = corners_at_ends(arrivals, sizes);
    std::vector<const Corner*> found = last_corners(all, sizes);
    if (found.size() != 1) {
      for (const LatestArrival& arrival : arrivals) append_solved_corners(arrival, sizes, all);
      found = last_corners(all, sizes);
    }
    if (found.empty())
      throw Unsupported{"the time that a block takes: no end of its loops is the last to arrive", clock.span};
    std::vector<LastCorner> last;
    for (const Corner* corner : found) last.push_back(in_formulas(*corner));
    Number guess = last.back().step;
    for (std::size_t i = last.size() - 1; i-- > 0;) guess = algebra_.choice(last[i].exists, last[i].step, guess);
    Number step = plain(guess, sizes, outside);
    write_in_time(arrivals, clock, step, outside);
    // … and something arrives then.
    std::vector<Formula> ways;
    for (const LastCorner& each : last)
      ways.push_back(algebra_.conjunction({each.exists, algebra_.equal(each.step, step)}));
    write("arrives at last",
          fmt::format("some packet arrives in {} {}", problem_.machine.rounds ? "round" : "step", to_string(step)),
          last[0].span, {outside, when_, algebra_.disjunction(std::move(ways))});
    return step;
  }

  // The guess: a corner that arrives last at all small sizes. Otherwise a corner that is last wherever it exists, then
  // one that is last where the first does not exist, and so on. For example, the processors that fold in behind all
  // others come last, if there are any.
  static std::vector<const Corner*> last_corners(const std::vector<Corner>& all, const std::vector<SmallSize>& sizes) {
    constexpr std::size_t most = 3;
    std::vector<std::size_t> left(sizes.size());  // sizes at which none of those found exists
    std::iota(left.begin(), left.end(), std::size_t{0});
    std::vector<const Corner*> found;
    const auto right = [&](const Corner& corner) {
      return std::ranges::all_of(
          left, [&](std::size_t i) { return !corner.steps[i] || *corner.steps[i] == sizes[i].latest; });
    };
    while (!left.empty() && found.size() < most) {
      const Corner* best = nullptr;
      std::vector<std::size_t> without_best = left;
      for (const Corner& corner : all) {
        std::vector<std::size_t> without;
        std::ranges::copy_if(left, std::back_inserter(without), [&](std::size_t i) { return !corner.steps[i]; });
        if (without.size() >= without_best.size() || !right(corner)) continue;
        best = &corner;
        without_best = without;
        if (without_best.empty()) break;
      }
      if (best == nullptr) return {};
      found.push_back(best);
      left = without_best;
    }
    return left.empty() ? found : std::vector<const Corner*>{};
  }

  // The proof: nothing arrives later …
  void write_in_time(const std::vector<LatestArrival>& arrivals, const Clock& clock, const Number& step,
                     const std::vector<Atom>& outside) {
    for (const LatestArrival& arrival : arrivals) {
      const char* unit = problem_.machine.rounds ? "round" : "step";
      Obligation in_time =
          asking(proof_step(ProvedProperty::claims, arrives_in_time,
                            fmt::format("no packet arrives after {} {}", unit, to_string(step)), arrival.span),
                 {joined(outside, arrival.variables), algebra_.conjunction({arrival.given, arrival.known, when_}),
                  algebra_.at_most(arrival.step, step)});
      if (clock.kind == Clock::Kind::whole)
        in_time.explanation = worded(fmt::format("a packet arrives in {} {{}}", unit), arrival.step);
      const Number left = step - arrival.step;
      if (!add_chain(algebra_, left, 0, "the time left when a packet arrives", in_time, obligations_, watch_)) {
        obligations_.push_back(in_time);
      }
    }
  }

  std::map<const Clock*, Number> before_;  // by clock, once it is known
  Algebra& algebra_;
  const Problem& problem_;
  Formula when_;
  std::vector<Obligation>& obligations_;
  Watch& watch_;
};

}  // namespace

Number steps_taken(const Writing& writing, Formula when) { return ArrivalTiming(writing, when).steps(); }

Number length_of(const Writing& writing, const Clock& clock) {
  return ArrivalTiming(writing, writing.algebra.truth(true)).length_of(clock);
}

std::vector<Number> starts_of(const Writing& writing, Formula when, const std::vector<const Family*>& families) {
  ArrivalTiming timing(writing, when);
  std::vector<Number> starts;
  for (const Family* family : families) starts.push_back(timing.start_of(*family));
  return starts;
}

}  // namespace quadrille::prover
