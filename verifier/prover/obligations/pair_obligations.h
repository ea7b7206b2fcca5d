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
  PairObligations(const Writing& writing, const SamplePair& pair)
      : writing_(writing), algebra_(writing.algebra), machine_(writing.problem.machine), pair_(pair) {}

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
    const BoundCrossings& crossings = *machine_.crossings;
    auto crossing = passage_of(algebra_, crossings, channels, sample.source, sample.target, suffix, index);
    auto terms = crossing_formulas(algebra_, crossings, sample.source, sample.target, crossing.index);
    return {sample, channels, std::move(crossing), std::move(terms)};
  }

  // They cross their channels in the same step. A message is on all channels of its path in the same round.
  Formula at_once(OnClass& a, OnClass& b) const {
    if (machine_.rounds) return algebra_.equal(a.sample.start, b.sample.start);
    return algebra_.equal(a.sample.start + a.number(&ChannelClass::offset),
                          b.sample.start + b.number(&ChannelClass::offset));
  }

  // The obligation that at least one of these formulas is false.
  Obligation never(ProvedProperty property, std::string name, std::string meaning,
                   const std::vector<Formula>& parts) const {
    return {.property = property,
            .name = std::move(name),
            .meaning = std::move(meaning),
            .scope = pair_.scope(),
            .given = algebra_.conjunction({pair_.a.given, pair_.b.given}),
            .must = algebra_.negation(algebra_.conjunction(parts)),
            .span = pair_.a.family->span,
            .second = pair_.b.family->span,
            .exact = surely_sent()};
  }

  // Limits the obligation to sends that cross these channels.
  void add_crossing(Obligation& obligation, const OnClass& a, const OnClass& b) const {
    for (const OnClass* each : {&a, &b}) {
      const std::vector<Atom>& variables = each->crossing.variables;
      obligation.scope.insert(obligation.scope.end(), variables.begin(), variables.end());
    }
    obligation.given = algebra_.conjunction({obligation.given, a.crossing.given, b.crossing.given});
  }

  const char* packets() const { return machine_.rounds ? "messages" : "packets"; }
  const char* step() const { return machine_.rounds ? "round" : "step"; }

  const Writing& writing_;
  Algebra& algebra_;
  const Machine& machine_;
  const SamplePair& pair_;

 private:
  // Whether both are surely sent: a message without chunks is none.
  bool surely_sent() const {
    const Formula always = algebra_.truth(true);
    const auto sure = [&](const Family& family) { return family.chunks.empty() && family.chunks_given == always; };
    return !machine_.rounds || (sure(*pair_.a.family) && sure(*pair_.b.family));
  }
};

}  // namespace quadrille::prover
