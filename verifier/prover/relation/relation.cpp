// Substitutes items for the relation's variables, digit by digit.
//
// Example: with rows and columns, k = k1*C + k0. The processor r*C + c is put in as k1 = r and k0 = c; one whose
// digits cannot be seen as k1 = k div C and k0 = k mod C.
//
// Cost: a substitution for each case.
#include "verifier/prover/relation/relation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "verifier/prover/problem/crossing_formulas.h"

namespace quadrille::prover {
namespace {

// The factors of the processors' number, the parameters in their order: processors are taken to be numbered row by row.
// (If they are not, the digits mean less, and are digits all the same.)
std::vector<Number> factors(const Problem& problem) {
  if (!problem.extents.empty()) return problem.extents;
  const auto& terms = problem.processors.terms();
  std::vector<Number> whole = {problem.processors};
  if (terms.size() != 1 || terms.begin()->second != 1 || !terms.begin()->first.exponent.empty()) return whole;
  std::vector<Number> result;
  for (const auto& [atom, power] : terms.begin()->first.powers) {  // the oldest first
    if (power != 1 || atom->kind != AtomKind::variable) return whole;
    result.emplace_back(atom);
  }
  return result;
}

// The factors of a number of parts that is c times the number of processors: c parts for each processor, where the
// collective asks for c parts of a block each, and else c runs of a part for each.
std::vector<Number> factors_of_parts(const Problem& problem) {
  const BoundCollective& collective = problem.collective;
  for (const int times : {2, 3, 4}) {
    if (problem.processors.constant() || !(collective.parts == problem.processors * Number(times))) continue;
    if (collective.reduction && collective.parameters.back() == Number(times)) return {problem.processors, times};
    return {times, problem.processors};
  }
  return {collective.parts};
}

}  // namespace

RelationItem Relation::item() const {
  return {holder.number, origin.number, addressee ? std::optional(addressee->number) : std::nullopt, part.number};
}

std::vector<const NumberInDigits*> Relation::numbers() const {
  if (!addressee) return {&holder, &origin, &part};
  return {&holder, &origin, &*addressee, &part};
}

std::vector<Atom> Relation::scope() const {
  std::vector<Atom> all;
  for (const NumberInDigits* each : numbers()) all = joined(all, each->digits);
  return all;
}

Formula Relation::in_case(Algebra& algebra, std::size_t number) const {
  std::vector<Formula> all;
  for (std::size_t i = 0; i < number; ++i) all.push_back(algebra.negation(cases[i].when));
  all.push_back(cases[number].when);
  return algebra.conjunction(all);
}

Relation empty_relation(Algebra& algebra, const Problem& problem) {
  const std::vector<Number> processors = factors(problem);
  Relation result;
  result.holder = any_number(algebra, "k", processors);
  result.origin = any_number(algebra, "x", processors);
  const BoundCollective& collective = problem.collective;
  if (!collective.reduction && !collective.terms.for_everyone) result.addressee = any_number(algebra, "d", processors);
  if (collective.parts == problem.processors) {
    result.part = any_number(algebra, "p", processors);
  } else if (!(collective.parts == Number(1))) {
    result.part = any_number(algebra, "p", factors_of_parts(problem));
  }
  return result;
}

NumberInDigits renamed_index(Algebra& algebra, const NumberInDigits& index, const std::string& suffix) {
  NumberInDigits result;
  Substitution by;
  for (const Atom old : index.digits) {
    result.digits.push_back(algebra.variable(old->name + suffix, old->first, old->last));
    by[old] = Number(result.digits.back());
  }
  result.number = algebra.substituted(index.number, by);
  return result;
}

Substitution put_item(Algebra& algebra, const Relation& relation, const RelationItem& item) {
  Substitution by;
  put_digits(algebra, relation.holder.digits, item.holder, by);
  put_digits(algebra, relation.origin.digits, item.origin, by);
  if (relation.addressee) put_digits(algebra, relation.addressee->digits, *item.addressee, by);
  put_digits(algebra, relation.part.digits, item.part, by);
  return by;
}

Formula had(Algebra& algebra, const Relation& relation, const RelationItem& item, const Number& step) {
  const Substitution by = put_item(algebra, relation, item);
  std::vector<Formula> ways;
  std::vector<Formula> before;
  for (const Relation::ArrivalCase& each : relation.cases) {
    const Formula when = algebra.substituted(each.when, by);
    if (each.arrival) {
      std::vector<Formula> all = before;
      all.push_back(when);
      all.push_back(algebra.at_most(algebra.substituted(*each.arrival, by), step));
      ways.push_back(algebra.conjunction(all));
    }
    before.push_back(algebra.negation(when));
  }
  return algebra.disjunction(std::move(ways));
}

Formula ever_had(Algebra& algebra, const Relation& relation, const RelationItem& item) {
  const Substitution by = put_item(algebra, relation, item);
  std::vector<Formula> ways;
  for (std::size_t i = 0; i < relation.cases.size(); ++i) {
    if (relation.cases[i].arrival) ways.push_back(algebra.substituted(relation.in_case(algebra, i), by));
  }
  return algebra.disjunction(std::move(ways));
}

Number inside_range(Algebra& algebra, Atom variable, const Number& value) {
  const bool below =
      variable->first && variable->first->constant() && !algebra.never_negative(value - *variable->first);
  return below ? algebra.greatest(value, *variable->first) : value;
}

Formula item_exists(Algebra& algebra, const Problem& problem, const RelationItem& item) {
  const BoundCollective& collective = problem.collective;
  if (collective.reduction) return algebra.truth(true);
  std::vector<Formula> all = packet_rules(algebra, collective, item.origin, item.addressee);
  if (item.addressee) all.push_back(algebra.negation(algebra.equal(item.origin, *item.addressee)));
  return algebra.conjunction(all);
}

// The relation's own variables become the invariant's loops, and the contributions, or origins, the elements of its
// set.
//
//   invariant after t in 0..N - 1: for k in 0..N - 1: held(k) == {x for x in 0..N - 1 if ((k - x) mod N) <= t}
//
// Cost: that of writing the relation's cases.

namespace {

// "k1 in 0..R - 1, k in 0..C - 1".
std::string loops(const std::vector<const NumberInDigits*>& all) {
  std::vector<std::string> texts;
  for (const NumberInDigits* index : all) {
    for (const Atom digit : index->digits) {
      texts.push_back(fmt::format("{} in {}..{}", digit->name, to_string(*digit->first), to_string(*digit->last)));
    }
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

// Whether the schedule's names are what they are in the text: each is a parameter's own, not that of an element of its
// range, nor that of a loop.
bool known_names(const Problem& problem, const std::vector<Atom>& inner) {
  return std::ranges::all_of(problem.parameters, [&](const ProblemParameter& each) {
    return (!each.variable || each.value == Number(*each.variable)) && each.name != "t" &&
           std::ranges::find(inner, each.name, &AtomNode::name) == inner.end();
  });
}

// Writes distances around a range as remainders: what is d where d >= 0, and d + N elsewhere, is d mod N if d lies in
// -N..N - 1. Each becomes a variable that has the remainder as its name.
class DistanceRemainders {
 public:
  explicit DistanceRemainders(Algebra& algebra) : algebra_(algebra) {}

  std::string text(const auto& of) {
    look(of);
    try {
      return to_string(algebra_.substituted(of, by_));
    } catch (const Unsupported&) {  // a power that the algebra cannot write
      return to_string(of);
    }
  }

 private:
  void look(const Number& x) {
    for (const Atom atom : atoms_of(x)) look(atom);
  }
  void look(Formula f) {
    look(f->operand);
    for (const Formula part : f->parts) look(part);
  }
  void look(Atom atom) {
    for (const Number& operand : atom->operands) look(operand);
    if (atom->kind != AtomKind::choice || by_.contains(atom)) return;
    look(atom->condition);
    const Number& then = atom->operands[0];
    const Number around = atom->operands[1] - then;
    const bool from_zero = atom->condition == algebra_.at_least_zero(then);
    if (from_zero && within(then + around, around + around)) add(atom, then, around);
    const bool to_end = atom->condition == algebra_.less(then, -around);
    if (to_end && within(then, -around - around)) add(atom, then, -around);
  }

  // Whether x lies in 0..size - 1.
  bool within(const Number& x, const Number& size) const {
    return algebra_.never_negative(x) && algebra_.never_negative(size - Number(1) - x);
  }

  void add(Atom atom, const Number& of, const Number& around) {
    const Number text = algebra_.substituted(of, by_);
    by_[atom] = Number(algebra_.variable(fmt::format("({} mod {})", in_parentheses(text), in_parentheses(around)),
                                         Number(0), around - Number(1)));
  }

  static std::string in_parentheses(const Number& x) {
    const auto atom = x.atom();
    return x.constant() || (atom && (*atom)->kind == AtomKind::variable) ? to_string(x)
                                                                         : fmt::format("({})", to_string(x));
  }

  Algebra& algebra_;
  Substitution by_;
};

// "((k - x) mod N) <= t": what never arrives would arrive after the last step.
std::string arrived(Algebra& algebra, const Relation& relation, const Number& steps) {
  DistanceRemainders remainders(algebra);
  std::string text;
  for (const Relation::ArrivalCase& each : relation.cases) {
    const std::string step = remainders.text(each.arrival.value_or(steps + Number(1)));
    if (&each == &relation.cases.back()) return relation.cases.size() == 1 ? step + " <= t" : text + step + ") <= t";
    text += fmt::format("{}if {} then {} else ", text.empty() ? "(" : "", remainders.text(each.when), step);
  }
  return "false";
}

}  // namespace

ProvedRelation relation_text(Algebra& algebra, const Problem& problem, const Relation& relation, const Number& steps) {
  const bool combines = problem.collective.reduction.has_value();
  const RelationItem any = relation.item();
  const Formula exists = item_exists(algebra, problem, any);
  std::vector<const NumberInDigits*> outside = {&relation.holder};
  std::string which;
  if (relation.addressee) {
    outside.push_back(&*relation.addressee);
    which += fmt::format(" -> {}", to_string(*any.addressee));
  }
  if (!relation.part.digits.empty()) {
    outside.push_back(&relation.part);
    which += fmt::format(" part {}", to_string(any.part));
  }
  std::string condition = arrived(algebra, relation, steps);
  if (exists != algebra.truth(true)) condition = fmt::format("{} and {}", to_string(exists), condition);
  ProvedRelation result;
  result.text = fmt::format("invariant after t in 0..{}: for {}: held({}{}) {} {{{} for {} if {}}}", to_string(steps),
                            loops(outside), to_string(any.holder), which.empty() ? "" : "," + which,
                            combines ? "==" : "contains", to_string(any.origin), loops({&relation.origin}), condition);
  result.pasted = known_names(problem, relation.scope()) && result.text.find("…") == std::string::npos;
  if (result.text.find("bits(") != std::string::npos)
    result.text.insert(0, "let bits(v) = if v == 0 then 0 else log2(v) + 1\n");
  return result;
}

}  // namespace quadrille::prover
