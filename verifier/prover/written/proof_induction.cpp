// Finds, for the second reader, the messages that bring what an invariant newly states, and the statements that
// contain what a sender has. It uses all solutions of the equations that a proof by induction solves (witness.h).
//
// Example: on a ring, the chunk newly stated of k after t is brought by the message with k' = k - 1 or k - 1 + n.
#include <fmt/format.h>

#include <algorithm>

#include "verifier/prover/induction/induction.h"
#include "verifier/prover/written/proof_instances.h"

namespace quadrille::prover {
namespace {

class InductionInstances : Induction {
 public:
  InductionInstances(const Writing& from, const Instances& with, const SpokenInvariant& invariant)
      : Induction(from), with_(with), invariant_(invariant) {}

  std::string kept(std::size_t number) const {
    const Spoken& of = invariant_.statements[number];
    const Stated it{&invariant_, &of, of.variables, {}, of.processor, of.addressee, of.part};
    std::string text = fmt::format("(kept 1 {}\n    (comes", number + 1);
    for (const MessageFamilies& message : with_.messages) {
      for (std::size_t i = 0; i < message.chunks.size(); ++i) {
        const Family& family = *message.chunks[i];
        Sought sought = send_to(family, it, Number(invariant_.step));
        sought.equations.emplace_back(family.origin, invariant_.origin);
        for (const Substitution& by : suggested_witnesses(algebra, sought))
          text += fmt::format(" (brought {} {}{})", message.name, i + 1, values(message.variables_with(family), by));
      }
    }
    return text + "))";
  }

  std::string passed_on(const MessageFamilies& message) const {
    std::string text = fmt::format("(passed_on {}", message.name);
    for (const Family* family : message.chunks) {
      const Number before = family->start - Number(1);
      text += fmt::format("\n    (chunks{})",
                          statements({family->source, family->addressee, family->part, before, family->origin}));
    }
    return text + ")";
  }

  std::string at_the_end() const {
    const auto any = [&](const char* name) {
      const Atom variable = anyone(name).digits.front();
      with_.text.rename(variable, fmt::format("any.{}", name));
      return Number(variable);
    };
    const Number processor = any("processor");
    const Number origin = any("origin");
    const Number part = any("part");
    const bool targets = !problem.collective.terms.for_everyone;
    const std::optional<Number> addressee = targets ? std::optional(processor) : std::nullopt;
    return fmt::format("(by_invariant{})", statements({processor, addressee, part, invariant_.last, origin}));
  }

 private:
  std::string values(const std::vector<Atom>& variables, const Substitution& by) const {
    std::string text;
    for (const Atom variable : variables)
      text += fmt::format(" ({} {})", with_.text.name(variable), with_.text.number(by.at(variable)));
    return text;
  }

  std::string statements(const Wanted& wanted) const {
    std::string text;
    for (std::size_t i = 0; i < invariant_.statements.size(); ++i) {
      const Spoken& of = invariant_.statements[i];
      Sought sought;
      seek(invariant_, of, wanted, sought);
      for (const Substitution& by : suggested_witnesses(algebra, sought))
        text += fmt::format(" (statement {}{})", i + 1, values(of.variables, by));
    }
    return text;
  }

  const Instances& with_;
  const SpokenInvariant& invariant_;
};

// Calls use() with the parts of an induction.
template <class Use>
auto with_induction(const Instances& with, const SpokenInvariant& invariant, const Use& use) {
  std::vector<Obligation> unused;  // the reader makes its own
  const Writing made{with.algebra, with.problem, with.watch, unused};
  return use(InductionInstances(made, with, invariant));
}

}  // namespace

std::vector<std::string> kept_instances(const Instances& with, const SpokenInvariant& invariant) {
  return with_induction(with, invariant, [&](const InductionInstances& all) {
    std::vector<std::string> result;
    for (std::size_t i = 0; i < invariant.statements.size(); ++i) result.push_back(all.kept(i));
    return result;
  });
}

std::string passed_on_instance(const Instances& with, const SpokenInvariant& invariant,
                               const MessageFamilies& message) {
  return with_induction(with, invariant, [&](const InductionInstances& all) { return all.passed_on(message); });
}

std::string by_invariant_instance(const Instances& with, const SpokenInvariant& invariant) {
  return with_induction(with, invariant, [](const InductionInstances& all) { return all.at_the_end(); });
}

// Writes the relation of what is held for the second reader: when each item arrives, as it is guessed at small sizes
// (prover/relation), and by which sends. Processors that the relation has by rows and columns are written as numbers
// that are divided.
//
// Example: on a ring, (arrivals (case true (mod (+ any.processor (* -1 any.origin)) N))).

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
    for (const BringingSend& send : named_sends(writing_, guess_, starts, in_case)) {
      std::string text = brought(send);
      if (std::ranges::find(all, text) == all.end()) all.push_back(std::move(text));
    }
    return all;
  }

  std::string brought(const BringingSend& send) const {
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
  const Writing writing{with.algebra, with.problem, with.watch, unused};
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
