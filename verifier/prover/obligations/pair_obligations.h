// PairObligations makes obligations about two sends that they do not meet: that in no step, or as messages in no round,
// they are at one place.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "verifier/prover/obligations/samples.h"
#include "verifier/prover/problem/crossing_formulas.h"

namespace quadrille::prover {

class PairObligations {
 public:
  // Keeps references.
  PairObligations(const Writing& with, const SamplePair& sends)
      : writing(with), algebra(with.algebra), machine(with.problem.machine), pair(sends) {}

 protected:
  // One send's crossing of a class of channels, and the class's terms there.
  struct OnClass {
    const Sample& sample;
    const ChannelClass& channels;
    SymbolicCrossing crossing;
    TermFormulas terms;

    Number number(Term ChannelClass::*term) { return terms.number(channels.*term); }
  };

  // `index`: of the channel in its class; nothing: any.
  OnClass on_class(const Sample& sample, const ChannelClass& channels, const std::string& suffix,
                   const std::optional<Number>& index = {}) const {
    const BoundCrossings& crossings = *machine.crossings;
    auto crossing = passage_of(algebra, crossings, channels, sample.source, sample.target, suffix, index);
    auto terms = crossing_formulas(algebra, crossings, sample.source, sample.target, crossing.index);
    return {sample, channels, std::move(crossing), std::move(terms)};
  }

  // They cross their channels in the same step. A message is on all channels of its path in the same round.
  Formula at_once(OnClass& a, OnClass& b) const {
    if (machine.rounds) return algebra.equal(a.sample.start, b.sample.start);
    return algebra.equal(a.sample.start + a.number(&ChannelClass::offset),
                         b.sample.start + b.number(&ChannelClass::offset));
  }

  // The obligation that at least one of these formulas is false.
  Obligation never(ProvedProperty property, std::string name, std::string meaning,
                   const std::vector<Formula>& parts) const {
    return {.property = property,
            .name = std::move(name),
            .meaning = std::move(meaning),
            .scope = pair.scope(),
            .given = algebra.conjunction({pair.a.given, pair.b.given}),
            .must = algebra.negation(algebra.conjunction(parts)),
            .span = pair.a.family->span,
            .second = pair.b.family->span,
            .exact = surely_sent()};
  }

  // Limits the obligation to sends that cross these channels.
  void add_crossing(Obligation& obligation, const OnClass& a, const OnClass& b) const {
    for (const OnClass* each : {&a, &b}) {
      const std::vector<Atom>& variables = each->crossing.variables;
      obligation.scope.insert(obligation.scope.end(), variables.begin(), variables.end());
    }
    obligation.given = algebra.conjunction({obligation.given, a.crossing.given, b.crossing.given});
  }

  const char* packets() const { return machine.rounds ? "messages" : "packets"; }
  const char* step() const { return machine.rounds ? "round" : "step"; }

  const Writing& writing;
  Algebra& algebra;
  const Machine& machine;
  const SamplePair& pair;

 private:
  // Whether both are surely sent: a message without chunks is none.
  bool surely_sent() const {
    const Formula always = algebra.truth(true);
    const auto sure = [&](const Family& family) { return family.chunks.empty() && family.chunks_given == always; };
    return !machine.rounds || (sure(*pair.a.family) && sure(*pair.b.family));
  }
};

}  // namespace quadrille::prover
