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
#include "verifier/prover/obligations/needs.h"

#include <fmt/format.h>

#include "verifier/prover/algebra/term_formulas.h"

namespace quadrille::prover {
namespace {

void add_new(std::vector<Number>& numbers, const Number& x) {
  for (const Number& known : numbers) {
    if (known == x) return;
  }
  numbers.push_back(x);
}

}  // namespace

std::vector<Number> Needs::processors() {
  std::vector<Number> result = {Number(0)};
  add_new(result, root());
  add_new(result, last());
  return result;
}

Formula Needs::exists(const Number& processor) {
  return algebra_.conjunction({algebra_.at_least_zero(processor), algebra_.less(processor, problem_.processors)});
}

// A packet from (to) the other processor exists.
Formula Needs::packet(const Number& p, NeedDirection direction, const Number& other) {
  const BoundCollective& collective = problem_.collective;
  const Number& from = direction == NeedDirection::in ? other : p;
  const Number& to = direction == NeedDirection::in ? p : other;
  TermFormulas terms(algebra_, {collective.parameters, from, to});
  std::vector<Formula> rules;
  for (const PacketRule& rule : collective.terms.rules) rules.push_back(terms.truth(rule.must));
  return algebra_.conjunction(rules);
}

// The hops between the two; if the machine has no formula for them, at least one channel.
Number Needs::hops(const Number& p, NeedDirection direction, const Number& other) {
  try {
    return direction == NeedDirection::in ? prover::hops(algebra_, problem_.machine, other, p)
                                          : prover::hops(algebra_, problem_.machine, p, other);
  } catch (const Unsupported&) {
    return Number(1);
  }
}

Formula Needs::wanted(const Number& value, const Number& processor) {
  const BoundCollective& collective = problem_.collective;
  return TermFormulas(algebra_, {collective.parameters, value, processor}).truth(collective.reduction->wanted);
}

Number Needs::last_wanted(const Number& value, const Number& processor) {
  const BoundCollective& collective = problem_.collective;
  return TermFormulas(algebra_, {collective.parameters, value, processor}).number(collective.reduction->last);
}

// In a grid of several dimensions: the processor in the middle of each; elsewhere the one in the middle.
Number Needs::middle() {
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

// --- copied ----------------------------------------------------------------------------------------------------------

Need Needs::of_others(const Number& p, NeedDirection direction) {
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

Need Needs::of_far(const Number& p, NeedDirection direction, const Number& first, const Number& distance) {
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

Need Needs::of_one(const Number& p, NeedDirection direction, const Number& other) {
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

void Needs::add_copied(const Number& p, NeedDirection direction, std::vector<Need>& all) {
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

// --- combined --------------------------------------------------------------------------------------------------------

void Needs::add_values(const Number& p, NeedDirection direction, const Number& first, const Number& last_value,
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

void Needs::add_combined(const Number& p, NeedDirection direction, std::vector<Need>& all) {
  const Number values = problem_.collective.parts;
  const Number parts = problem_.collective.parameters[2];
  add_values(p, direction, Number(0), values - Number(1), all);
  if (values == parts) return;
  add_values(p, direction, p * parts, p * parts + parts - Number(1), all);
  if (p == Number(0)) add_values(p, direction, parts, values - Number(1), all);
  if (p == last()) add_values(p, direction, Number(0), values - parts - Number(1), all);
}

// --- all -------------------------------------------------------------------------------------------------------------

std::vector<Need> Needs::all() {
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

Premise Needs::everyone_wants_all() {
  const Atom value = algebra_.variable("v", Number(0), problem_.collective.parts - Number(1));
  const Atom processor = algebra_.variable("k", Number(0), last());
  const Number v(value);
  const Number k(processor);
  return {"everyone wants everyone's contribution to each value",
          {value, processor},
          algebra_.truth(true),
          algebra_.conjunction({wanted(v, k), algebra_.equal(last_wanted(v, k), last())})};
}

Need Needs::across(const Number& first) {
  const Atom from = algebra_.variable("s", Number(0), first - Number(1));
  const Atom to = algebra_.variable("t", first, last());
  const BoundCollective& collective = problem_.collective;
  const Number others = problem_.processors - first;
  Need need;
  need.units = (collective.terms.for_everyone ? first : first * others) * collective.parts;
  need.words =
      fmt::format("{} packets must go from processors below {} to the others", to_string(need.units), to_string(first));
  need.premises = {
      {"a packet goes from each to each of these processors",
       {from, to},
       algebra_.truth(true),
       packet(Number(from), NeedDirection::out, Number(to))},
      {"there are processors on both sides",
       {},
       algebra_.truth(true),
       algebra_.conjunction({algebra_.at_least_zero(first - Number(1)), algebra_.at_least_zero(others - Number(1))})}};
  return need;
}

}  // namespace quadrille::prover
