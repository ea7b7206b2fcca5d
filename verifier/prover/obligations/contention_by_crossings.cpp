// Contention on any topology, from its crossings (model/crossings.h).
//
// If all packets go to neighbours, a channel is identified by its two ends: the packets of two sends meet if both
// have the same source, target and step. Otherwise each class of channels is looked at. The packets meet if, at some
// index of each, they cross the same channel of the class, on the same lane, in the same step, which is the start
// plus the offset.
//
// In rounds, a message holds a lane of each channel of its path for the whole round, whatever its length, and a port
// at each of its ends. On shared paths none meet.
//
// Example: the total exchange on complete:N with "at l: send k -> (k + l) mod N". Two packets with the same k and l'
// > l differ in their steps; two with k' > k differ in their sources.
//
// Cost: an obligation for each pair of samples and class of channels, and two for their ports.
#include <fmt/format.h>

#include <algorithm>

#include "verifier/prover/obligations/pair_obligations.h"

namespace quadrille::prover {
namespace {

class ByCrossings : PairObligations {
 public:
  using PairObligations::PairObligations;

  void write() const {
    const bool near = !machine.rounds && pair.a.family->to_neighbours && pair.b.family->to_neighbours;
    // Packets that pass through a processor occupy its ports, too.
    if (machine.single_port && !machine.rounds && !near)
      throw Unsupported{"single ports where packets go further than to a neighbour", pair.a.family->span};
    if (near) {
      write_neighbours();
    } else if (!machine.shared) {
      for (const ChannelClass& each : machine.crossings->crossings.classes) write_class(each);
    }
    if (machine.single_port) write_ports();
  }

 private:
  Formula same(Number Sample::*value) const { return algebra.equal(pair.a.*value, pair.b.*value); }

  void write_neighbours() const {
    Obligation channels =
        never(ProvedProperty::contention_free, "channels", "no two packets cross the same channel in the same step",
              {same(&Sample::start), same(&Sample::source), same(&Sample::target)});
    channels.exact = machine.exact;
    channels.explanation = cross_to_neighbour(pair.a, pair.b, *machine.crossings);
    writing.add(std::move(channels));
  }

  void write_ports() const {
    Obligation sends = never(ProvedProperty::capacity, "sends",
                             fmt::format("no processor sends two {} in the same {}", packets(), step()),
                             {same(&Sample::start), same(&Sample::source)});
    sends.explanation = sent_together(pair.a, pair.b);
    writing.add(std::move(sends));
    Obligation receptions = never(ProvedProperty::capacity, "receptions",
                                  fmt::format("no processor receives two {} in the same {}", packets(), step()),
                                  {same(&Sample::start), same(&Sample::target)});
    receptions.explanation = received_together(pair.a, pair.b, *machine.crossings);
    writing.add(std::move(receptions));
  }

  void write_class(const ChannelClass& each) const {
    // If the index is one of the channel's numbers, the same channel has the same index.
    const bool one_index = std::find(each.channel.begin(), each.channel.end(), terms::index()) != each.channel.end();
    OnClass a = on_class(pair.a, each, "");
    OnClass b = on_class(pair.b, each, "'", one_index ? std::optional(a.crossing.index) : std::nullopt);
    // The same step, lane and channel.
    std::vector<Formula> meeting = {at_once(a, b),
                                    algebra.equal(a.number(&ChannelClass::lane), b.number(&ChannelClass::lane))};
    for (const Term& term : each.channel) meeting.push_back(algebra.equal(a.terms.number(term), b.terms.number(term)));
    Obligation apart = never(ProvedProperty::contention_free, each.name,
                             fmt::format("no two {} the same channel ({}) in the same {}",
                                         machine.rounds ? "messages hold" : "packets cross", each.name, step()),
                             meeting);
    add_crossing(apart, a, b);
    apart.exact = apart.exact && machine.exact;
    apart.explanation = cross_on_class(pair.a, a.crossing.index, pair.b, b.crossing.index, each, *machine.crossings);
    writing.add(std::move(apart));
  }
};

}  // namespace

void write_contention_by_crossings(const Writing& writing, const SamplePair& pair) {
  ByCrossings(writing, pair).write();
}

}  // namespace quadrille::prover
