// Contention in rounds: a message holds a lane of each channel of its path for the whole round, whatever its length,
// and a port at each of its ends.
//
// Two messages meet if they are of one round and, at some index of each, cross the same channel of a class on the
// same lane (model/crossings.h). On shared paths none meet.
//
// Example: all-to-all on complete:N, "at d: send k -> (k + d) mod n". Two messages with the same k and d' > d differ
// in their rounds. Two with the same d and k' > k differ in their sources and in their targets.
//
// Cost: an obligation for each pair of samples and class of channels, and two for their ports.
#include <fmt/format.h>

#include <algorithm>

#include "verifier/prover/obligations/samples.h"
#include "verifier/prover/problem/crossing_formulas.h"

namespace quadrille::prover {
namespace {

class InRounds {
 public:
  InRounds(const Writing& writing, const SamplePair& pair)
      : writing_(writing),
        algebra_(writing.algebra),
        machine_(writing.problem.machine),
        pair_(pair),
        same_round_(algebra_.equal(pair.a.start, pair.b.start)) {}

  void write() const {
    if (!machine_.shared) {
      for (const ChannelClass& each : machine_.crossings->crossings.classes) write_class(each);
    }
    if (!machine_.single_port) return;
    write_port("sends", "no processor sends two messages in the same round", pair_.a.source, pair_.b.source,
               sent_together(pair_.a, pair_.b));
    write_port("receptions", "no processor receives two messages in the same round", pair_.a.target, pair_.b.target,
               received_together(pair_.a, pair_.b, *machine_.crossings));
  }

 private:
  // The obligation that for two messages at least one of these formulas is false.
  Obligation never(std::vector<Formula> parts) const {
    parts.push_back(same_round_);
    return {.scope = pair_.scope(),
            .given = algebra_.conjunction({pair_.a.given, pair_.b.given}),
            .must = algebra_.negation(algebra_.conjunction(parts)),
            .span = pair_.a.family->span,
            .second = pair_.b.family->span,
            .exact = surely_messages()};
  }

  // Whether the sends surely are messages: a message without chunks is none.
  bool surely_messages() const {
    const Formula always = algebra_.truth(true);
    const auto sure = [&](const Family& family) { return family.chunks.empty() && family.chunks_given == always; };
    return sure(*pair_.a.family) && sure(*pair_.b.family);
  }

  void write_port(const char* name, const char* meaning, const Number& of_a, const Number& of_b,
                  Explanation explanation) const {
    Obligation port = never({algebra_.equal(of_a, of_b)});
    port.property = ProvedProperty::capacity;
    port.name = name;
    port.meaning = meaning;
    port.explanation = std::move(explanation);
    writing_.add(std::move(port));
  }

  TermFormulas formulas(const Sample& sample, const Number& index = {}) const {
    return crossing_formulas(algebra_, *machine_.crossings, sample.source, sample.target, index);
  }

  SymbolicCrossing passage(const ChannelClass& each, const Sample& sample, const std::string& suffix,
                           const std::optional<Number>& index) const {
    return passage_of(algebra_, *machine_.crossings, each, sample.source, sample.target, suffix, index);
  }

  void write_class(const ChannelClass& each) const {
    // If the index is one of the channel's numbers, the same channel has the same index.
    const bool one_index = std::find(each.channel.begin(), each.channel.end(), terms::index()) != each.channel.end();
    const SymbolicCrossing of_a = passage(each, pair_.a, "", std::nullopt);
    const SymbolicCrossing of_b = passage(each, pair_.b, "'", one_index ? std::optional(of_a.index) : std::nullopt);
    TermFormulas a = formulas(pair_.a, of_a.index);
    TermFormulas b = formulas(pair_.b, of_b.index);
    std::vector<Formula> meeting = {algebra_.equal(a.number(each.lane), b.number(each.lane))};
    for (const Term& term : each.channel) meeting.push_back(algebra_.equal(a.number(term), b.number(term)));
    Obligation apart = never(std::move(meeting));
    apart.property = ProvedProperty::contention_free;
    apart.name = each.name;
    apart.meaning = fmt::format("no two messages hold the same channel ({}) in the same round", each.name);
    for (const SymbolicCrossing* passage : {&of_a, &of_b}) {
      apart.scope.insert(apart.scope.end(), passage->variables.begin(), passage->variables.end());
    }
    apart.given = algebra_.conjunction({apart.given, of_a.given, of_b.given});
    apart.exact = apart.exact && machine_.exact;
    apart.explanation = cross_on_class(pair_.a, of_a.index, pair_.b, of_b.index, each, *machine_.crossings);
    writing_.add(std::move(apart));
  }

  const Writing& writing_;
  Algebra& algebra_;
  const Machine& machine_;
  const SamplePair& pair_;
  Formula same_round_;
};

}  // namespace

void write_contention_in_rounds(const Writing& writing, const SamplePair& pair) { InRounds(writing, pair).write(); }

}  // namespace quadrille::prover
