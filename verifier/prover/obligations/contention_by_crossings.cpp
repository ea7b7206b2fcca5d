// Contention on any topology, from its crossings (model/crossings.h).
//
// If all packets go to neighbours, a channel is identified by its two ends: the packets of two sends meet if both
// have the same source, target and step. Otherwise each class of channels is looked at. The packets meet if, at some
// index of each, they cross the same channel of the class, on the same lane, in the same step, which is the start
// plus the offset.
//
// Example: the total exchange on complete:N with "at l: send k -> (k + l) mod N". Two packets with the same k and l'
// > l differ in their steps; two with k' > k differ in their sources.
//
// Cost: an obligation for each pair of samples and class of channels.
#include <fmt/format.h>

#include <algorithm>

#include "verifier/prover/obligations/samples.h"
#include "verifier/prover/problem/crossing_formulas.h"

namespace quadrille::prover {
namespace {

class ByCrossings {
 public:
  ByCrossings(const Writing& writing, const SamplePair& pair)
      : writing_(writing),
        algebra_(writing.algebra),
        machine_(writing.problem.machine),
        pair_(pair),
        given_(algebra_.conjunction({pair.a.given, pair.b.given})) {}

  void write() {
    if (pair_.a.family->to_neighbours && pair_.b.family->to_neighbours) return write_neighbours();
    // Packets that pass through a processor occupy its ports, too.
    if (machine_.single_port)
      throw Unsupported{"single ports where packets go further than to a neighbour", pair_.a.family->span};
    for (const ChannelClass& each : machine_.crossings->crossings.classes) write_class(each);
  }

 private:
  // The obligation that for two packets at least one of these formulas is false.
  Obligation never(const std::vector<Formula>& parts) const {
    return {.scope = pair_.scope(),
            .given = given_,
            .must = algebra_.negation(algebra_.conjunction(parts)),
            .span = pair_.a.family->span,
            .second = pair_.b.family->span};
  }

  void write_neighbours() const {
    const Sample& a = pair_.a;
    const Sample& b = pair_.b;
    const Formula same_step = algebra_.equal(a.start, b.start);
    const Formula same_source = algebra_.equal(a.source, b.source);
    const Formula same_target = algebra_.equal(a.target, b.target);
    Obligation channels = never({same_step, same_source, same_target});
    channels.property = ProvedProperty::contention_free;
    channels.name = "channels";
    channels.meaning = "no two packets cross the same channel in the same step";
    channels.exact = machine_.exact;
    channels.explanation = cross_to_neighbour(a, b, *machine_.crossings);
    writing_.add(std::move(channels));
    if (!machine_.single_port) return;
    Obligation sends = never({same_step, same_source});
    sends.property = ProvedProperty::capacity;
    sends.name = "sends";
    sends.meaning = "no processor sends two packets in the same step";
    sends.explanation = sent_together(a, b);
    writing_.add(std::move(sends));
    Obligation receptions = never({same_step, same_target});
    receptions.property = ProvedProperty::capacity;
    receptions.name = "receptions";
    receptions.meaning = "no processor receives two packets in the same step";
    receptions.explanation = received_together(a, b, *machine_.crossings);
    writing_.add(std::move(receptions));
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
    Obligation apart = never(meeting(each, of_a.index, of_b.index));
    apart.property = ProvedProperty::contention_free;
    apart.name = each.name;
    apart.meaning = fmt::format("no two packets cross the same channel ({}) in the same step", each.name);
    for (const SymbolicCrossing* passage : {&of_a, &of_b}) {
      apart.scope.insert(apart.scope.end(), passage->variables.begin(), passage->variables.end());
    }
    apart.given = algebra_.conjunction({given_, of_a.given, of_b.given});
    apart.exact = machine_.exact;
    apart.explanation = cross_on_class(pair_.a, of_a.index, pair_.b, of_b.index, each, *machine_.crossings);
    writing_.add(std::move(apart));
  }

  // The equations that hold if the packets meet at these indices.
  std::vector<Formula> meeting(const ChannelClass& each, const Number& index_a, const Number& index_b) const {
    TermFormulas a = formulas(pair_.a, index_a);
    TermFormulas b = formulas(pair_.b, index_b);
    // The same step, lane and channel.
    std::vector<Formula> all = {
        algebra_.equal(pair_.a.start + a.number(each.offset), pair_.b.start + b.number(each.offset)),
        algebra_.equal(a.number(each.lane), b.number(each.lane))};
    for (const Term& term : each.channel) all.push_back(algebra_.equal(a.number(term), b.number(term)));
    return all;
  }

  const Writing& writing_;
  Algebra& algebra_;
  const Machine& machine_;
  const SamplePair& pair_;
  Formula given_;
};

}  // namespace

void write_contention_by_crossings(const Writing& writing, const SamplePair& pair) {
  ByCrossings(writing, pair).write();
}

}  // namespace quadrille::prover
