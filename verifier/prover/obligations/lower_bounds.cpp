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

#include "verifier/prover/problem/crossing_formulas.h"

namespace quadrille::prover {
namespace {

// Turns a collective's demand into formulas. For copied packets, they say that a packet exists from (to) each of some
// processors. For combining collectives, they say that others' contributions to each of some values are wanted (or
// that one's own contribution is wanted elsewhere). Whether such a need exists is not known here, so it becomes a
// premise.
//
// Example: all-gather among N. For processor 0 and all others: for every s in 1..N-1 there is a packet s->*, so N - 1
// packets must come. Scatter: out of processor 0, for every t in 1..N-1 there is a packet 0->t; into it there is
// none, and that premise fails.
//
// Cost: some thirty needs, of a few formulas each.

// A formula that must be true of these variables wherever they are in their ranges and `given` holds.
struct Premise {
  std::string words;
  std::vector<Atom> scope = {};
  Formula given = nullptr;
  Formula must = nullptr;
};

// If the premises hold, so many units, different chunks or values, must come to the processor over `distance`
// channels or more; or, for a need out of it, must leave it for processors that far away. `partners`: if not 0, the
// processor must also hear from (or tell) so many others.
struct Need {
  std::string words;  // "processor 0 must receive N - 1 packets"
  Number processor;
  Number units;
  Number distance = 1;
  Number partners = 0;
  std::vector<Premise> premises;
};

void add_new(std::vector<Number>& numbers, const Number& x) {
  for (const Number& known : numbers) {
    if (known == x) return;
  }
  numbers.push_back(x);
}

// Candidates for needs. A premise of most of them fails.
class Needs {
 public:
  Needs(Algebra& algebra, const Problem& problem) : algebra_(algebra), problem_(problem) {}

  // The candidates for processors 0, the root, and the last one.
  std::vector<Need> all() {
    std::vector<Need> result;
    for (const Number& p : processors()) {
      for (const NeedDirection direction : {NeedDirection::in, NeedDirection::out}) {
        const std::size_t before = result.size();
        problem_.collective.reduction ? add_combined(p, direction, result) : add_copied(p, direction, result);
        const char* unit = problem_.collective.reduction ? "partial reductions" : "packets";
        for (std::size_t i = before; i < result.size(); ++i) {
          Need& need = result[i];
          need.words = fmt::format("{} {} must {} processor {}", to_string(need.units), unit,
                                   direction == NeedDirection::in ? "come to" : "leave", to_string(p));
          need.premises.push_back({"the processor exists", {}, algebra_.truth(true), exists(p)});
        }
      }
    }
    return result;
  }

  // The premise that every processor wants everyone's contribution to every value.
  Premise everyone_wants_all() {
    const Atom value = algebra_.variable("v", Number(0), problem_.collective.parts - Number(1));
    const Atom processor = algebra_.variable("k", Number(0), last());
    const Number v(value);
    const Number k(processor);
    return {"everyone wants everyone's contribution to each value",
            {value, processor},
            algebra_.truth(true),
            algebra_.conjunction({wanted(v, k), algebra_.equal(last_wanted(v, k), last())})};
  }

  // The units that must go from processors below `first` to the others; a packet for everyone, or a value, counts once.
  Need across(const Number& first) {
    const Atom from = algebra_.variable("s", Number(0), first - Number(1));
    const Atom to = algebra_.variable("t", first, last());
    const BoundCollective& collective = problem_.collective;
    const Number others = problem_.processors - first;
    Need need;
    need.units = (collective.terms.for_everyone ? first : first * others) * collective.parts;
    need.words = fmt::format("{} packets must go from processors below {} to the others", to_string(need.units),
                             to_string(first));
    need.premises = {{"a packet goes from each to each of these processors",
                      {from, to},
                      algebra_.truth(true),
                      packet(Number(from), NeedDirection::out, Number(to))},
                     {"there are processors on both sides",
                      {},
                      algebra_.truth(true),
                      algebra_.conjunction(
                          {algebra_.at_least_zero(first - Number(1)), algebra_.at_least_zero(others - Number(1))})}};
    return need;
  }

 private:
  enum class NeedDirection : std::uint8_t { in, out };

  Formula differ(const Number& a, const Number& b) { return algebra_.negation(algebra_.equal(a, b)); }
  bool once(NeedDirection direction) const {
    return direction == NeedDirection::out && problem_.collective.terms.for_everyone;
  }
  Number root() const { return problem_.collective.parameters[1]; }
  Number last() const { return problem_.processors - Number(1); }

  std::vector<Number> processors() {
    std::vector<Number> result = {Number(0)};
    add_new(result, root());
    add_new(result, last());
    return result;
  }

  Formula exists(const Number& processor) { return algebra_.below(processor, problem_.processors); }

  // A packet from (to) the other processor exists.
  Formula packet(const Number& p, NeedDirection direction, const Number& other) {
    const Number& from = direction == NeedDirection::in ? other : p;
    const Number& to = direction == NeedDirection::in ? p : other;
    return algebra_.conjunction(packet_rules(algebra_, problem_.collective, from, to));
  }

  // The hops between the two; if the machine has no formula for them, at least one channel.
  Number hops(const Number& p, NeedDirection direction, const Number& other) {
    try {
      return direction == NeedDirection::in ? prover::hops(algebra_, problem_.machine, other, p)
                                            : prover::hops(algebra_, problem_.machine, p, other);
    } catch (const Unsupported&) {
      return Number(1);
    }
  }

  Formula wanted(const Number& value, const Number& processor) {
    const BoundCollective& collective = problem_.collective;
    return TermFormulas(algebra_, {collective.parameters, value, processor}).truth(collective.reduction->wanted);
  }

  Number last_wanted(const Number& value, const Number& processor) {
    const BoundCollective& collective = problem_.collective;
    return TermFormulas(algebra_, {collective.parameters, value, processor}).number(collective.reduction->last);
  }

  // In a grid of several dimensions: the processor in the middle of each; elsewhere the one in the middle.
  Number middle() {
    const Number whole = problem_.processors;
    Number result;
    Number size(1);
    if (problem_.machine.crossings) {
      for (const Number& extent : problem_.machine.crossings->parameters) {
        size = size * extent;
        result = result * extent + algebra_.divide(extent, Number(2));
      }
    }
    return size == whole ? result : algebra_.divide(whole, Number(2));
  }

  // --- copied
  // ----------------------------------------------------------------------------------------------------------

  Need of_others(const Number& p, NeedDirection direction) {
    const bool first = p == Number(0);
    const bool last = p == this->last();
    const Atom other = algebra_.variable("k", Number(first ? 1 : 0), this->last() - Number(last && !first ? 1 : 0));
    const Number k(other);
    Need need;
    need.processor = p;
    need.partners = this->last();
    need.units = once(direction) ? problem_.collective.parts : this->last() * problem_.collective.parts;
    need.premises = {
        {"a packet goes from each to each of these processors", {other}, differ(k, p), packet(p, direction, k)},
        {"there is another processor", {}, algebra_.truth(true), algebra_.at_least_zero(this->last() - Number(1))}};
    return need;
  }

  Need of_far(const Number& p, NeedDirection direction, const Number& first, const Number& distance) {
    const Atom other = algebra_.variable("k", first, last());
    const Number k(other);
    const Number count = problem_.processors - first;
    Need need;
    need.processor = p;
    need.units = count * problem_.collective.parts;
    need.distance = distance;
    need.premises = {
        {"a packet goes from each to each of these processors", {other}, algebra_.truth(true), packet(p, direction, k)},
        {"they are so far apart", {other}, algebra_.truth(true), algebra_.at_most(distance, hops(p, direction, k))},
        {"they are others", {other}, algebra_.truth(true), differ(k, p)},
        {"they exist",
         {},
         algebra_.truth(true),
         algebra_.conjunction({algebra_.at_least_zero(first), algebra_.at_least_zero(count - Number(1))})}};
    return need;
  }

  Need of_one(const Number& p, NeedDirection direction, const Number& other) {
    Need need;
    need.processor = p;
    need.units = problem_.collective.parts;
    need.distance = hops(p, direction, other);
    need.premises = {{"both are processors, and not the same",
                      {},
                      algebra_.truth(true),
                      algebra_.conjunction({exists(other), differ(p, other)})},
                     {"a packet goes from one to the other", {}, algebra_.truth(true), packet(p, direction, other)}};
    return need;
  }

  void add_copied(const Number& p, NeedDirection direction, std::vector<Need>& all) {
    all.push_back(of_others(p, direction));
    if (problem_.machine.levels && p == Number(0) && !once(direction)) {
      // On a binary tree: the processors not below the same switch of level 1, and those in the other half.
      all.push_back(of_far(p, direction, Number(2), Number(4)));
      const Number levels = *problem_.machine.levels;
      all.push_back(of_far(p, direction, power_of_two(levels - Number(1)), Number(2) * levels));
    }
    const Number half = algebra_.divide(problem_.processors, Number(2));
    std::vector<Number> others;
    for (const Number& other :
         {last(), half, middle(), root(), Number(0), algebra_.remainder(p + half, problem_.processors)}) {
      if (!(other == p)) add_new(others, other);
    }
    for (const Number& other : others) all.push_back(of_one(p, direction, other));
  }

  // --- combined
  // --------------------------------------------------------------------------------------------------------

  void add_values(const Number& p, NeedDirection direction, const Number& first, const Number& last_value,
                  std::vector<Need>& all) {
    const Atom variable = algebra_.variable("v", first, last_value);
    const Number v(variable);
    Need need;
    need.processor = p;
    need.units = last_value - first + Number(1);
    const Premise some{
        "there are such values",
        {},
        algebra_.truth(true),
        algebra_.conjunction({algebra_.at_least_zero(first), algebra_.at_least_zero(need.units - Number(1)),
                              algebra_.less(last_value, problem_.collective.parts)})};
    const auto add = [&](const Number& q, const Number& contributor, bool far) {
      Need one = need;
      const Number& other = direction == NeedDirection::in ? contributor : q;
      if (far) one.distance = hops(p, direction, other);
      one.premises = {some,
                      {"of each, another's contribution is wanted",
                       {variable},
                       algebra_.truth(true),
                       algebra_.conjunction({exists(q), exists(contributor), differ(q, contributor), wanted(v, q),
                                             algebra_.at_most(contributor, last_wanted(v, q))})}};
      all.push_back(std::move(one));
    };
    const Number half = algebra_.divide(problem_.processors, Number(2));
    if (direction == NeedDirection::in) {
      for (const Number& contributor : {Number(0), last(), half, Number(1)}) {
        if (!(contributor == p)) add(p, contributor, true);
      }
      // If all others' contributions are wanted, the processor must hear from all of them.
      all.push_back(need);
      all.back().partners = last();
      all.back().premises = {
          some,
          {"of each, everyone's contribution is wanted",
           {variable},
           algebra_.truth(true),
           algebra_.conjunction({wanted(v, p), algebra_.equal(last_wanted(v, p), last())})},
          {"there is another processor", {}, algebra_.truth(true), algebra_.at_least_zero(last() - Number(1))}};
      return;
    }
    add(algebra_.divide(v, problem_.collective.parameters[2]), p, false);
    for (const Number& q : {root(), last(), Number(0), half}) {
      if (!(q == p)) add(q, p, true);
    }
  }

  void add_combined(const Number& p, NeedDirection direction, std::vector<Need>& all) {
    const Number values = problem_.collective.parts;
    const Number parts = problem_.collective.parameters[2];
    add_values(p, direction, Number(0), values - Number(1), all);
    if (values == parts) return;
    add_values(p, direction, p * parts, p * parts + parts - Number(1), all);
    if (p == Number(0)) add_values(p, direction, parts, values - Number(1), all);
    if (p == last()) add_values(p, direction, Number(0), values - parts - Number(1), all);
  }

  Algebra& algebra_;
  const Problem& problem_;
};

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
    return asking(proof_step(ProvedProperty::claims, "lower bound: " + premise.words, premise.words, {}),
                  {premise.scope, algebra_.conjunction({claim_.when, premise.given}), premise.must});
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
    const Atom from = algebra_.variable("k", Number(0), problem_.processors - Number(1));
    const Atom to = algebra_.variable("t", Number(0), problem_.processors - Number(1));
    const auto rules = packet_rules(algebra_, problem_.collective, Number(from), Number(to));
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
      const bool in_ranges = std::ranges::all_of(parameters, [&](Atom each) {
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
    return std::ranges::all_of(sizes, [&](const Assignment& size) { return holds_at(obligation, size); });
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
