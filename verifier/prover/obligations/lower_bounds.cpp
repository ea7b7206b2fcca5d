// The arguments of verifier/OPTIMALITY.md, with numbers in the parameters. An obligation says without a division that
// one less than the claimed value is too little: u units, c at a time, none before step x, can have arrived by step
// T - 1 only if u <= c (T - x).
//
// Example: a scatter on a binary tree is claimed to take n + 1 steps. n - 2 packets must leave processor 0 for others
// 4 channels away, one a step. With T = n + 1 - 1 steps, T - 4 + 1 = n - 3 steps are early enough.
//
// Cost: a few obligations for each argument; some sixty arguments.
#include "verifier/prover/obligations/lower_bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "verifier/prover/algebra/algebra.h"
#include "verifier/prover/algebra/term_formulas.h"
#include "verifier/prover/obligations/needs.h"
#include "verifier/prover/problem/problem.h"

namespace quadrille::prover {
namespace {

class Reasoning {
 public:
  Reasoning(Algebra& algebra, const Problem& problem, const LeastClaim& claim)
      : algebra_(algebra), problem_(problem), claim_(claim), needs_(algebra, problem) {}

  std::vector<LowerBound> all() {
    const std::vector<Need> needs = needs_.all();
    for (const Need& need : needs) something(need);
    if (claim_.measure == OptimalMeasure::rounds) {
      for (const Need& need : needs) doubling(need);
      return std::move(all_);
    }
    for (const Need& need : needs) ports(need);
    if (claim_.measure == OptimalMeasure::steps) {
      for (const Need& need : needs) doubling(need);
    }
    transfers();
    turns();
    halves();
    if (claim_.measure == OptimalMeasure::steps) lag();
    return std::move(all_);
  }

 private:
  bool steps() const { return claim_.measure == OptimalMeasure::steps; }
  const char* unit() const {
    return claim_.measure == OptimalMeasure::steps    ? "step"
           : claim_.measure == OptimalMeasure::rounds ? "round"
                                                      : "volume";
  }

  Obligation obligation(const Premise& premise) const {
    Obligation result;
    result.property = ProvedProperty::claims;
    result.name = "lower bound: " + premise.words;
    result.meaning = premise.words;
    result.scope = premise.scope;
    result.given = algebra_.conjunction({claim_.when, premise.given});
    result.must = premise.must;
    result.exact = false;
    return result;
  }

  void add(std::string words, const std::vector<Premise>& premises, Formula meets) {
    LowerBound bound{std::move(words), {}};
    for (const Premise& premise : premises) bound.obligations.push_back(obligation(premise));
    const std::string reason = fmt::format("less than {} is too little: {}", to_string(claim_.claimed), bound.words);
    bound.obligations.push_back(obligation({reason, {}, algebra_.truth(true), meets}));
    bound.obligations.back().name = "lower bound";
    all_.push_back(std::move(bound));
  }

  // The lanes into (out of) the processor that can be used at once; nothing if that is not known.
  std::optional<Number> lanes(const Number& processor) {
    const Machine& machine = problem_.machine;
    if (machine.single_port) return Number(1);
    if (!machine.crossings) return machine.exact ? std::optional<Number>(1) : std::nullopt;
    const auto& capacities = machine.crossings->crossings.capacities;
    if (!capacities) return std::nullopt;
    return TermFormulas(algebra_, {machine.crossings->parameters, processor}).number(capacities->lanes);
  }

  // Whether hops() is a distance.
  bool shortest() const {
    return !problem_.machine.crossings || problem_.machine.crossings->crossings.capacities.has_value();
  }

  void something(const Need& need) {
    std::vector<Premise> premises = need.premises;
    premises.push_back(not_empty(need));
    add("something must be sent", premises, algebra_.at_most(claim_.claimed, Number(1)));
  }

  Premise not_empty(const Need& need) const {
    return {"there is something to send", {}, algebra_.truth(true), algebra_.at_least_zero(need.units - Number(1))};
  }

  // Adds the bounds by the packets that come to one processor, or leave it.
  void ports(const Need& need) {
    const auto at_once = lanes(need.processor);
    if (!at_once || !(shortest() || need.distance == Number(1))) return;
    const Number early = steps() ? claim_.claimed - need.distance : claim_.claimed - Number(1);
    std::string words = fmt::format("{}, {} at a time", need.words, to_string(*at_once));
    if (steps() && !(need.distance == Number(1))) words += fmt::format(", {} channels away", to_string(need.distance));
    std::vector<Premise> premises = need.premises;
    premises.push_back(not_empty(need));
    add(std::move(words), premises, algebra_.less(early * *at_once, need.units));
  }

  // With single ports, and without switches that could branch or join, the processors that have heard at most double.
  void doubling(const Need& need) {
    if (need.partners == Number(0) || !problem_.machine.single_port || !without_switches(problem_.machine)) return;
    add(fmt::format("{} must hear from {} others or tell them, and who has heard doubles in a {} at most",
                    "processor " + to_string(need.processor), to_string(need.partners), unit()),
        need.premises, algebra_.at_most(claim_.claimed, algebra_.bits(need.partners)));
  }

  // If all want everyone's contribution, every value takes 2 (N - 1) transfers.
  void transfers() {
    if (!problem_.collective.reduction || !without_switches(problem_.machine)) return;
    const Atom processor = algebra_.variable("k", Number(0), problem_.processors - Number(1));
    const auto first = lanes(Number(0));
    const auto each = lanes(Number(processor));
    if (!first || !each) return;
    std::vector<Premise> premises = {needs_.everyone_wants_all()};
    premises.push_back({"no processor has more lanes than processor 0",
                        {processor},
                        algebra_.truth(true),
                        algebra_.at_most(*each, *first)});
    const Number values = problem_.collective.parts;
    const Number others = problem_.processors - Number(1);
    add(fmt::format("each of {} values takes 2*({}) transfers, and {} processors make {} at a time each",
                    to_string(values), to_string(others), to_string(problem_.processors), to_string(*first)),
        premises,
        algebra_.less((claim_.claimed - Number(1)) * problem_.processors * *first, Number(2) * others * values));
  }

  // With single half-duplex ports, half of the processors send at a time, and the others receive.
  void turns() {
    const BoundCollective& collective = problem_.collective;
    const Machine& machine = problem_.machine;
    if (!machine.single_port || !machine.half_duplex || collective.reduction || !without_switches(machine)) return;
    const Number n = problem_.processors;
    const Number packets = n * (n - Number(1)) * collective.parts;
    const Number at_once = algebra_.divide(n, Number(2));
    add(fmt::format("{} packets must be received, and of {} processors {} at most receive at a time",
                    to_string(packets), to_string(n), to_string(at_once)),
        {everyone_to_everyone()}, algebra_.less((claim_.claimed - Number(1)) * at_once, packets));
  }

  // The premise has variables of its own.
  Premise everyone_to_everyone() {
    const BoundCollective& collective = problem_.collective;
    const Atom from = algebra_.variable("k", Number(0), problem_.processors - Number(1));
    const Atom to = algebra_.variable("t", Number(0), problem_.processors - Number(1));
    std::vector<Formula> rules;
    TermFormulas terms(algebra_, {collective.parameters, Number(from), Number(to)});
    for (const PacketRule& rule : collective.terms.rules) rules.push_back(terms.truth(rule.must));
    return {"a packet goes from everyone to everyone else",
            {from, to},
            algebra_.negation(algebra_.equal(Number(from), Number(to))),
            algebra_.conjunction(rules)};
  }

  struct Halves {
    Number first, lanes, before, after;
  };

  std::optional<Halves> known_halves() {
    const Machine& machine = problem_.machine;
    if (machine.crossings) {
      const auto& capacities = machine.crossings->crossings.capacities;
      if (!capacities || !capacities->halves) return std::nullopt;
      TermFormulas terms(algebra_, {machine.crossings->parameters});
      const TermHalves& halves = *capacities->halves;
      return Halves{terms.number(halves.first), terms.number(halves.lanes), terms.number(halves.before),
                    terms.number(halves.after)};
    }
    if (!machine.exact) return std::nullopt;
    const Number first = power_of_two(*machine.levels - Number(1));
    return Halves{first, machine.widening ? first : Number(1), *machine.levels - Number(1), *machine.levels};
  }

  // Adds the bound by the packets from one half of the processors to the other.
  void halves() {
    if (problem_.collective.reduction) return;
    const auto half = known_halves();
    if (!half) return;
    const Need need = needs_.across(half->first);
    const Number aside = steps() ? half->before + half->after : Number(0);
    std::string words = fmt::format("{}, {} at a time", need.words, to_string(half->lanes));
    if (!(aside == Number(0))) words += fmt::format(", with {} channels before and after", to_string(aside));
    add(std::move(words), need.premises, algebra_.less((claim_.claimed - Number(1) - aside) * half->lanes, need.units));
  }

  // The mean lag (verifier/bounds/lag.cpp) on binary trees with one lane at each processor. If each processor sends
  // and receives m packets, (T + 1) m >= sum of (d - 1) + m (m + 1).
  void lag() {
    const BoundCollective& collective = problem_.collective;
    if (!problem_.machine.levels || !problem_.machine.exact || collective.reduction || collective.terms.for_everyone)
      return;
    const Number levels = *problem_.machine.levels;
    const Atom level = algebra_.variable("h", Number(1), levels);
    const Number h(level);
    const Number below = power_of_two(h - Number(1));
    const auto sum = closed_sum(algebra_, below * (Number(2) * h - Number(1)), level, Number(1), levels);
    if (!sum) return;
    const Atom processor = algebra_.variable("k", Number(0), problem_.processors - Number(1));
    const Atom bits = algebra_.variable("u", below, below + below - Number(1));
    const Number k(processor);
    const Number other = algebra_.bitwise(AtomKind::bit_xor, k, Number(bits));
    const Premise apart{"of the others, 2^(h-1) are 2*h channels away, for each level h",
                        {level, processor, bits},
                        algebra_.truth(true),
                        algebra_.at_most(Number(2) * h, hops(algebra_, problem_.machine, other, k))};
    const Number m = (problem_.processors - Number(1)) * collective.parts;
    const Number lag = *sum * collective.parts;
    add(fmt::format("the {} packets that a processor receives lag {} {}s in sum", to_string(m), to_string(lag), unit()),
        {apart, everyone_to_everyone()}, algebra_.less(claim_.claimed * m, lag + m * (m + Number(1))));
  }

  Algebra& algebra_;
  const Problem& problem_;
  const LeastClaim& claim_;
  Needs needs_;
  std::vector<LowerBound> all_;
};

}  // namespace

std::vector<LowerBound> lower_bounds(Algebra& algebra, const Problem& problem, const LeastClaim& claim) {
  return Reasoning(algebra, problem, claim).all();
}

// Takes the first of all lower bounds that meets the claim, and whose premises hold, at all small sizes and some
// larger ones. This is a guess; it becomes a proof when its obligations are proved, for all sizes.
//
// Example: all-gather on a complete graph with single ports, volume N - 1. "N - 1 packets must come to processor 0, 1
// at a time" meets the claim at N = 2, 3, …. Its obligations say that there is a packet from every k in 1..N-1, and
// that N - 2 < N - 1.
//
// Cost: for each argument, the evaluation of its formulas at some thirty sizes, with up to 3000 values for a size.

namespace {

constexpr std::size_t values_of_a_size = 3000;  // of an obligation's variables, of a size
constexpr int farther[] = {9, 26, 61};          // sizes so far from the least, too

// The sizes at which the claim is tried: small ones, and a few larger ones, one parameter after another.
std::vector<Assignment> sizes_tried(const Problem& problem, Formula when) {
  const std::vector<Atom> parameters = open_parameters(problem);
  std::vector<Assignment> result = small_sizes(problem, when);
  if (result.empty()) return result;
  const Assignment least = result.front();
  for (const Atom parameter : parameters) {
    for (const int more : farther) {
      Assignment size = least;
      size[parameter] += more;
      const bool in_ranges = std::all_of(parameters.begin(), parameters.end(), [&](Atom each) {
        const bool above = !each->first || evaluate(*each->first, size) <= size.at(each);
        return above && (!each->last || size.at(each) <= evaluate(*each->last, size));
      });
      if (in_ranges && evaluate(when, size) && evaluate(problem.sizes, size)) result.push_back(std::move(size));
    }
  }
  return result;
}

// Whether the obligation holds at the size, for the first values of its variables.
bool holds_at(const Obligation& obligation, Assignment values) {
  std::size_t tried = 0;
  bool holds = true;
  for_each_value(obligation.scope, values, [&] {
    holds = !evaluate(obligation.given, values) || evaluate(obligation.must, values);
    return holds && ++tried < values_of_a_size;
  });
  return holds;
}

bool fits(const LowerBound& bound, const std::vector<Assignment>& sizes, Watch& watch) {
  // The last obligation, that the bound meets the claim, is the most likely to fail.
  return std::all_of(bound.obligations.rbegin(), bound.obligations.rend(), [&](const Obligation& obligation) {
    watch.require_open();
    return std::all_of(sizes.begin(), sizes.end(), [&](const Assignment& size) { return holds_at(obligation, size); });
  });
}

}  // namespace

std::vector<Obligation> write_optimal(Algebra& algebra, const Problem& problem, const LeastClaim& claim, Watch& watch) {
  const std::vector<Assignment> sizes = sizes_tried(problem, claim.when);
  if (sizes.empty()) throw Unsupported{"a lower bound, for want of small sizes to guess it from", {}};
  for (LowerBound& bound : lower_bounds(algebra, problem, claim)) {
    if (fits(bound, sizes, watch)) return std::move(bound.obligations);
  }
  throw Unsupported{fmt::format("that nothing takes less than {}: no lower bound that is known here says so",
                                to_string(claim.claimed)),
                    {}};
}

}  // namespace quadrille::prover
