// Finds, for the second reader, the messages that bring what an invariant newly states, and the statements that
// contain what a sender has. It uses all solutions of the equations that a proof by induction solves (witness.h).
//
// Example: on a ring, the chunk newly stated of k after t is brought by the message with k' = k - 1 or k - 1 + n.
#include <fmt/format.h>

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
      const Atom variable = anyone(name).variables.front();
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
  const Writing made{with.algebra, with.problem, with.interrupter, unused};
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

}  // namespace quadrille::prover
