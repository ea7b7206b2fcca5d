// Witnesses: messages that arrive last, or are the heaviest of their rounds. Each loop variable is set to an end of
// its range or the value beside it, or solved for the round; a choice is taken that is enough at small sizes. The
// reader's solver must decide whether it is enough.
//
// Example: "for (d 1 (+ N -1))" in round d: the last arrives with d = N - 1; in round r it is d = r.
//
// Cost: 4^v choices of v variables (512 at most), each tried at 25 sizes.
#include "verifier/prover/written/proof_instances.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "verifier/prover/algebra/witness.h"
#include "verifier/prover/obligations/timing.h"

namespace quadrille::prover {
namespace {

constexpr std::size_t most_choices = 512;      // of a message's variables
constexpr std::uint64_t most_messages = 3000;  // of a size

struct Witness {
  std::string text;
  Formula exists = nullptr;
  Number measure;
};

// The goal of a search: its round (if that matters), and the measure that is compared.
struct Wanted {
  std::optional<Atom> round;
  std::function<Number(const Family& family)> measure;
};

class ClaimInstance {
 public:
  ClaimInstance(const Instances& with, const ClaimFormula& claim, const MeasureVariables& measures)
      : with_(with), algebra_(with.algebra), problem_(with.problem), claim_(claim), measures_(measures) {}

  std::string written(std::size_t number) {
    const std::string head = fmt::format("(claimed {}", number);
    if (claim_.when == algebra_.truth(false)) return head + " (never))";
    const Variables spoken_of = variables_in(claim_.holds);
    const auto speaks_of = [&](Atom measure) { return spoken_of.contains(measure); };
    std::string text = head;
    if (speaks_of(measures_.steps) || speaks_of(measures_.volume) || speaks_of(measures_.hops)) text += last();
    const bool weighed = speaks_of(measures_.volume) || speaks_of(measures_.hops) || speaks_of(measures_.messages);
    if (weighed) text += lengths();
    if (speaks_of(measures_.volume)) text += sum("volume", [&](const Family& family) { return length(family); });
    if (speaks_of(measures_.hops)) {
      text += sum("hops",
                  [&](const Family& family) { return hops(algebra_, problem_.machine, family.source, family.target); });
    }
    if (speaks_of(measures_.messages)) text += counts();
    return text + ")";
  }

 private:
  // --- choices of values --------------------------------------------------------------------------------------------

  // The value with which the start is the round, if the start is the variable, or its negative, plus something else.
  std::optional<Number> solved(const Number& start, Atom variable, Atom round) const {
    for (const int sign : {1, -1}) {
      const Number rest = start - Number(sign) * Number(variable);
      if (!mentions(rest, variable)) return Number(sign) * (Number(round) - rest);
    }
    return std::nullopt;
  }

  // One choice for all variables, by the digits of `number`; `by` is solved for the round, as soon as its value depends
  // on no variables that are not chosen. Nothing if a range depends on it before that.
  std::optional<Substitution> choice(const Family& family, const std::vector<Atom>& variables, std::optional<Atom> by,
                                     std::optional<Atom> round, std::size_t number) const {
    Substitution at;
    std::optional<Number> value;
    if (by) value = solved(family.start, *by, *round);
    if (by && !value) return std::nullopt;
    const auto put_solved = [&] {
      const Number so_far = algebra_.substituted(*value, at);
      const auto open = [&](Atom other) { return at.count(other) == 0 && mentions(so_far, other); };
      if (std::ranges::none_of(variables, open)) at[*by] = so_far;
    };
    for (const Atom variable : variables) {
      if (by && at.count(*by) == 0) put_solved();
      if (by && variable == *by) continue;
      if (by && at.count(*by) == 0 && (mentions(*variable->first, *by) || mentions(*variable->last, *by)))
        return std::nullopt;
      const Number first = algebra_.substituted(*variable->first, at);
      const Number last = algebra_.substituted(*variable->last, at);
      const Number choices[] = {last, first, first + Number(1), last - Number(1)};
      at[variable] = choices[number % 4];
      number /= 4;
    }
    if (by && at.count(*by) == 0) put_solved();
    return at;
  }

  Witness witness(const MessageFamilies& message, std::size_t chunks, const Substitution& at, const Wanted& wanted) {
    const Family& family = *message.chunks[chunks];
    const auto there = [&](const auto& x) { return algebra_.substituted(x, at); };
    std::vector<Formula> exists = {there(family.given), there(family.destinations_given), there(family.chunks_given)};
    if (wanted.round) exists.push_back(algebra_.equal(there(family.start), Number(*wanted.round)));
    std::string text = fmt::format("(witness {} {}", message.name, chunks + 1);
    for (const Atom variable : message.variables_with(family)) {
      append_range(algebra_, variable, at, exists);
      text += fmt::format(" ({} {})", with_.text.name(variable), with_.text.number(at.at(variable)));
    }
    return {text + ")", algebra_.conjunction(exists), there(wanted.measure(family))};
  }

  std::vector<Witness> witnesses(const Wanted& wanted) {
    std::vector<Witness> all;
    for (const MessageFamilies& message : with_.messages) {
      for (std::size_t i = 0; i < message.chunks.size(); ++i) {
        const auto variables = message.variables_with(*message.chunks[i]);
        std::vector<std::optional<Atom>> solved_for;
        if (wanted.round) solved_for.insert(solved_for.end(), variables.begin(), variables.end());
        solved_for.push_back(std::nullopt);
        for (const auto& by : solved_for) add(message, i, variables, by, wanted, all);
      }
    }
    return all;
  }

  void add(const MessageFamilies& message, std::size_t chunks, const std::vector<Atom>& variables,
           std::optional<Atom> by, const Wanted& wanted, std::vector<Witness>& all) {
    std::size_t choices = 1;
    for (std::size_t i = by ? 1 : 0; i < variables.size() && choices < most_choices; ++i) choices *= 4;
    for (std::size_t number = 0; number < std::min(choices, most_choices); ++number) {
      with_.watch.require_open();
      const auto at = choice(*message.chunks[chunks], variables, by, wanted.round, number);
      if (at) all.push_back(witness(message, chunks, *at, wanted));
    }
  }

  // The measure of each witness, at each of these sizes at which it exists.
  using MeasuredWitnesses = std::vector<std::vector<std::optional<Integer>>>;
  static MeasuredWitnesses measured(const std::vector<Witness>& all, const std::vector<Assignment>& sizes) {
    MeasuredWitnesses result;
    for (const Witness& witness : all) {
      auto& at = result.emplace_back();
      for (const Assignment& size : sizes)
        at.push_back(evaluate(witness.exists, size) ? std::optional(evaluate(witness.measure, size)) : std::nullopt);
    }
    return result;
  }

  // The measure at each size at which some witness exists; elsewhere it may be undefined.
  static std::vector<Integer> values(const Number& measure, const std::vector<Assignment>& sizes,
                                     const MeasuredWitnesses& measured) {
    std::vector<Integer> result;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const bool any = std::ranges::any_of(measured, [i](const auto& at) { return at[i].has_value(); });
      result.push_back(any ? evaluate(measure, sizes[i]) : Integer(0));
    }
    return result;
  }

  // A few witnesses such that at each size one exists and has that measure, those first that do at the most sizes that
  // are left; nothing if there are none.
  static std::optional<std::string> enough(const std::vector<Witness>& all, const MeasuredWitnesses& measured,
                                           const std::vector<Integer>& measure) {
    std::vector<std::vector<std::size_t>> covered;  // by each witness
    for (const auto& at : measured) {
      auto& by = covered.emplace_back();
      for (std::size_t i = 0; i < measure.size(); ++i) {
        if (at[i] == measure[i]) by.push_back(i);
      }
    }
    std::string text;
    std::vector<bool> done(measure.size());
    for (std::size_t left = measure.size(); left > 0;) {
      const auto most = std::ranges::max_element(covered, {}, &std::vector<std::size_t>::size);
      if (most == covered.end() || most->empty()) return std::nullopt;
      text += " " + all[static_cast<std::size_t>(most - covered.begin())].text;
      left -= most->size();
      for (const std::size_t i : *most) done[i] = true;
      for (auto& each : covered) std::erase_if(each, [&](std::size_t i) { return done[i]; });
    }
    return text;
  }

  // Whether none of the witnesses has a larger measure.
  static bool is_most(const MeasuredWitnesses& measured, const std::vector<Integer>& measure) {
    return std::ranges::all_of(measured, [&](const auto& at) {
      for (std::size_t i = 0; i < measure.size(); ++i) {
        if (at[i] && *at[i] > measure[i]) return false;
      }
      return true;
    });
  }

  // --- measures -----------------------------------------------------------------------------------------------------

  std::vector<Assignment> sizes() const { return small_sizes(problem_, claim_.when); }
  Span span() const { return claim_.claim->span; }

  std::string last() {
    std::vector<Obligation> unused;  // the reader makes its own
    last_ = steps_taken({algebra_, problem_, with_.watch, unused}, claim_.when);
    const Wanted wanted{std::nullopt, [&](const Family& family) {
                          return family.start + duration(algebra_, problem_.machine, family) - Number(1);
                        }};
    const auto all = witnesses(wanted);
    const auto at = measured(all, sizes());
    const auto found = enough(all, at, values(last_, sizes(), at));
    if (!found) throw Unsupported{"the last arrival: no message was found that arrives then", span()};
    return fmt::format("\n    (last {}{})", with_.text.number(last_), *found);
  }

  // All rounds of the small sizes.
  std::vector<Assignment> rounds(Atom round) const {
    std::vector<Assignment> all;
    for (const Assignment& size : sizes()) {
      const Integer last = evaluate(last_, size);
      for (Integer r = 1; r <= last && all.size() < most_messages; ++r) {
        all.push_back(size);
        all.back()[round] = r;
      }
    }
    return all;
  }

  // The number of chunks of a message. Requires that no condition leaves any out.
  Number length(const Family& of) const {
    Number sum;
    for (const MessageFamilies& message : with_.messages) {
      const bool is = std::ranges::find(message.chunks, &of) != message.chunks.end();
      for (std::size_t i = 0; is && i < message.chunks.size(); ++i)
        sum = sum + sums(with_, message.chunks[i]->chunks, span()).whole;
    }
    return sum;
  }

  // "" if all messages have one chunk, by their form.
  std::string lengths() const {
    std::string text = "\n    (lengths";
    bool one = true;
    for (const MessageFamilies& each : with_.messages) {
      text += fmt::format(" (message {}", each.name);
      for (const Family* chunks : each.chunks)
        text += fmt::format(" (chunks{})", sums(with_, chunks->chunks, span()).text);
      text += ")";
      one = one && each.chunks.size() == 1 && each.first().chunks.empty() &&
            each.first().chunks_given == algebra_.truth(true);
    }
    return one ? "" : text + ")";
  }

  // The sum up to the round. If there is no closed form, that of a choice that turns in the last round.
  std::optional<Number> summed(const Number& weight, Atom round, const std::vector<Assignment>& known) const {
    if (auto closed = closed_sum(algebra_, weight, round, Number(1), Number(round))) return closed;
    const Formula before = algebra_.less(Number(round), last_);
    for (const Atom atom : factors_of(weight)) {
      if (atom->kind != AtomKind::choice) continue;
      for (const std::size_t i : {0U, 1U}) {
        const Number most = algebra_.substituted(weight, {{atom, atom->operands[i]}});
        const Number end = algebra_.substituted(weight, {{atom, atom->operands[1 - i]}});
        const auto closed = closed_sum(algebra_, most, round, Number(1), Number(round));
        if (!closed || !fits(weight, most, end, before, known)) continue;
        const Number at_last =
            algebra_.substituted(*closed, {{round, last_ - Number(1)}}) + algebra_.substituted(end, {{round, last_}});
        return algebra_.choice(before, *closed, at_last);
      }
    }
    return std::nullopt;
  }

  static bool fits(const Number& weight, const Number& most, const Number& end, Formula before,
                   const std::vector<Assignment>& known) {
    return std::ranges::all_of(known, [&](const Assignment& each) {
      return evaluate(weight, each) == evaluate(evaluate(before, each) ? most : end, each);
    });
  }

  template <class Measure>
  std::string sum(const char* what, const Measure& measure) {
    const Atom round = algebra_.variable("round", Number(1), last_);
    with_.text.rename(round, "measure.round");
    const auto all = witnesses({round, measure});
    const auto known = rounds(round);
    const MeasuredWitnesses at = measured(all, known);
    for (const Witness& guess : all) {
      const std::vector<Integer> most = values(guess.measure, known, at);
      if (!is_most(at, most)) continue;
      const auto found = enough(all, at, most);
      if (!found) continue;
      const auto closed = summed(guess.measure, round, known);
      if (!closed) continue;
      return fmt::format("\n    ({} {} (sum {}){})", what, with_.text.number(guess.measure), with_.text.number(*closed),
                         *found);
    }
    throw Unsupported{fmt::format("a sum over rounds ({}): no formula was found for it", what), span()};
  }

  std::string counts() {
    std::string text = "\n    (messages";
    for (const MessageFamilies& each : with_.messages)
      text += fmt::format(" ({}{})", each.name, sums(with_, each.variables(), span()).text);
    return text + ")";
  }

  const Instances& with_;
  Algebra& algebra_;
  const Problem& problem_;
  const ClaimFormula& claim_;
  const MeasureVariables& measures_;
  Number last_;
};

}  // namespace

std::string claim_instance(const Instances& with, const ClaimFormula& claim, const MeasureVariables& measures,
                           std::size_t number) {
  return ClaimInstance(with, claim, measures).written(number);
}

// Sums in closed form, as the second reader takes them: for each range, the growth of the sum with its variable.
//
// Example: for "for (d 1 (+ N -1)) (k 0 (+ N -1))" the sum over k of 1, up to k, is k + 1; the sum over d of N is N
// d.
//
// Cost: two sums in closed form (sums.cpp) for each range.

ClosedSums sums(const Instances& with, const std::vector<Atom>& variables, Span span) {
  std::string text;
  Number each(1);
  for (std::size_t i = variables.size(); i-- > 0;) {
    const Atom variable = variables[i];
    const auto grown = closed_sum(with.algebra, each, variable, *variable->first, Number(variable));
    const auto whole = closed_sum(with.algebra, each, variable, *variable->first, *variable->last);
    if (!grown || !whole) throw Unsupported{"counting what these loops deliver", span};
    text += fmt::format(" (sum {})", with.text.number(*grown));
    each = *whole;
  }
  return {text, each};
}

}  // namespace quadrille::prover
