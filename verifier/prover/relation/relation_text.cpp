// The relation's own variables become the invariant's loops, and the contributions, or origins, the elements of its
// set.
//
//   invariant after t in 0..N - 1: for k in 0..N - 1: held(k) == {x for x in 0..N - 1 if ((k - x) mod N) <= t}
//
// Cost: that of writing the relation's cases.
#include "verifier/prover/relation/relation_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "verifier/prover/algebra/unsupported.h"

namespace quadrille::prover {
namespace {

// "k1 in 0..R - 1, k in 0..C - 1".
std::string loops(const std::vector<const RelationIndex*>& all) {
  std::vector<std::string> texts;
  for (const RelationIndex* index : all) {
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
    for (const auto& [monomial, factor] : x.terms()) {
      for (const auto& [atom, power] : monomial.powers) look(atom);
      for (const auto& [atom, times] : monomial.exponent) look(atom);
    }
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
  std::vector<const RelationIndex*> outside = {&relation.holder};
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
