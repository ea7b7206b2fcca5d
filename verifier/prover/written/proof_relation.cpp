// Writes the relation of what is held for the second reader: when each item arrives, as it is guessed at small sizes
// (prover/relation), and by which sends. Processors that the relation has by rows and columns are written as numbers
// that are divided.
//
// Example: on a ring, (arrivals (case true (mod (+ any.processor (* -1 any.origin)) N))).
#include <fmt/format.h>

#include <algorithm>

#include "verifier/prover/written/proof_instances.h"

namespace quadrille::prover {
namespace {

class RelationText {
 public:
  RelationText(const Instances& with, const Writing& writing, const GuessedRelation& guess)
      : with_(with), writing_(writing), guess_(guess) {
    const Number last = with.problem.processors - Number(1);
    RelationItem any{named("processor", last), named("origin", last), {}, Number(0)};
    if (guess.relation.addressee) any.addressee = named("addressee", last);
    if (!guess.relation.part.digits.empty()) any.part = named("part", with.problem.collective.parts - Number(1));
    by_ = put_item(with.algebra, guess.relation, any);
    with.text.rename(guess.step, "any.step");
  }

  std::string arrivals() const {
    std::string text = "(arrivals";
    for (const Relation::ArrivalCase& each : guess_.relation.cases)
      text += fmt::format("\n    (case {} {})", with_.text.truth(with_.algebra.substituted(each.when, by_)),
                          each.arrival ? number(*each.arrival) : "never");
    return text + ")";
  }

  std::string comes(const std::vector<Number>& starts) const {
    std::string text = "(comes";
    for (std::size_t i = 0; i < guess_.relation.cases.size(); ++i) {
      text += "\n    (case";
      for (const std::string& each : brought(starts, i)) text += fmt::format("\n      {}", each);
      text += ")";
    }
    return text + ")";
  }

 private:
  Number named(const char* name, const Number& last) const {
    const Atom variable = with_.algebra.variable(name, Number(0), last);
    with_.text.rename(variable, fmt::format("any.{}", name));
    return Number(variable);
  }

  std::string number(const Number& x) const { return with_.text.number(with_.algebra.substituted(x, by_)); }

  std::vector<std::string> brought(const std::vector<Number>& starts, std::size_t in_case) const {
    std::vector<std::string> all;
    if (!guess_.relation.cases[in_case].arrival) return all;
    for (const NamedSend& send : named_sends(writing_, guess_, starts, in_case)) {
      std::string text = brought(send);
      if (std::ranges::find(all, text) == all.end()) all.push_back(std::move(text));
    }
    return all;
  }

  std::string brought(const NamedSend& send) const {
    const Family* family = &with_.problem.families[send.family];
    for (const MessageFamilies& message : with_.messages) {
      const auto chunks = std::ranges::find(message.chunks, family);
      if (chunks == message.chunks.end()) continue;
      std::string text = fmt::format("(brought {} {}", message.name, chunks - message.chunks.begin() + 1);
      for (const Atom variable : message.variables_with(*family))
        text += fmt::format(" ({} {})", with_.text.name(variable), number(send.values.at(variable)));
      return text + ")";
    }
    throw Unsupported{"a send that is in no message", family->span};
  }

  const Instances& with_;
  const Writing& writing_;
  const GuessedRelation& guess_;
  Substitution by_;  // the relation's digits, of any.processor and so on
};

}  // namespace

RelationInstances relation_instances(const Instances& with) {
  std::vector<Obligation> unused;  // the reader makes its own
  const Writing writing{with.algebra, with.problem, with.interrupter, unused};
  std::vector<Number> starts;
  for (const Family& family : with.problem.families) starts.push_back(family.start);
  const Relation empty = empty_relation(with.algebra, with.problem);
  const Span whole = with.problem.schedule->collective.span;
  const auto arrivals = small_arrivals(writing, empty, starts);
  if (!arrivals) throw Unsupported{"following what is held at small sizes", whole};
  auto guess = guess_relation(writing, empty, *arrivals, false);
  if (!guess) guess = guess_relation(writing, empty, *arrivals, true);
  if (!guess) throw Unsupported{"a formula for when everything arrives: none was found", whole};
  const RelationText text(with, writing, *guess);
  return {text.arrivals(), text.comes(starts)};
}

}  // namespace quadrille::prover
