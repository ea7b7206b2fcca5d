// The relation's own variables become the invariant's loops, and the contributions, or origins, the elements of its
// set.
//
//   invariant after t in 0..N - 1: for k in 0..N - 1: held(k) == {x for x in 0..N - 1 if …}
//
// Cost: that of writing the relation's cases.
#include "verifier/prover/relation/relation_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

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

// "(if k >= x then k - x else k - x + N) <= t": what never arrives would arrive after the last step.
std::string arrived(const Relation& relation, const Number& steps) {
  std::string text;
  for (const Relation::ArrivalCase& each : relation.cases) {
    const std::string step = to_string(each.arrival.value_or(steps + Number(1)));
    if (&each == &relation.cases.back()) return relation.cases.size() == 1 ? step + " <= t" : text + step + ") <= t";
    text += fmt::format("{}if {} then {} else ", text.empty() ? "(" : "", to_string(each.when), step);
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
  std::string condition = arrived(relation, steps);
  if (exists != algebra.truth(true)) condition = fmt::format("{} and {}", to_string(exists), condition);
  ProvedRelation result;
  result.text = fmt::format("invariant after t in 0..{}: for {}: held({}{}) {} {{{} for {} if {}}}", to_string(steps),
                            loops(outside), to_string(any.holder), which.empty() ? "" : "," + which,
                            combines ? "==" : "contains", to_string(any.origin), loops({&relation.origin}), condition);
  result.pasted = known_names(problem, relation.scope());
  if (result.text.find("bits(") != std::string::npos)
    result.text.insert(0, "let bits(v) = if v == 0 then 0 else log2(v) + 1\n");
  return result;
}

}  // namespace quadrille::prover
