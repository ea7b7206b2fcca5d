// Half duplex: no packet crosses a link in one direction while another crosses it in the other, and a single port
// does not send and receive at once. So the load of a link is that of one of its directions, and another obligation
// shows that this fits. If a link has several lanes, both directions at once may be right, but this is not proved.
//
// Packets to neighbours cross the link between their ends. On other topologies, each pair of classes of channels is
// compared (model/crossings.h): the link is the same, in the opposite direction, if the ends of one channel are those
// of the other, exchanged. On a binary tree, one packet goes up through level i when the other comes down through it,
// below the same switch. Of a send to many, that holds of the way to each target; no send goes down a link that it
// went up.
//
// Example: all-gather around a ring of an even number of processors, "at 2*t + 1 + i mod 2: send i -> (i + 1) mod N
// …". Of i and i' = i + 1 mod N one is even and one is odd, so their steps differ.
//
// Cost: two obligations for each pair of samples; or twice the square of the number of classes.
#include <fmt/format.h>

#include "verifier/prover/obligations/pair_obligations.h"

namespace quadrille::prover {
namespace {

class HalfDuplex : PairObligations {
 public:
  using PairObligations::PairObligations;

  void write() const {
    write_one(pair.a, pair.b);
    write_one(pair.b, pair.a);
  }

 private:
  // Writes that `b` does not go against `a`. On a tree a port is the processor's link.
  void write_one(const Sample& a, const Sample& b) const {
    const bool near = !machine.rounds && a.family->to_neighbours && b.family->to_neighbours;
    if (machine.single_port && !machine.levels) write_port(a, b);
    if (machine.shared || (near && machine.single_port)) return;
    if (near) return write_neighbours(a, b);
    if (machine.levels) return write_levels(a, b);
    for (const ChannelClass& of_a : machine.crossings->crossings.classes) {
      for (const ChannelClass& of_b : machine.crossings->crossings.classes) write_classes(a, of_a, b, of_b);
    }
  }

  void write_port(const Sample& a, const Sample& b) const {
    Obligation port =
        never(ProvedProperty::capacity, "port", fmt::format("no processor sends and receives in the same {}", step()),
              {algebra.equal(a.start, b.start), algebra.equal(a.source, b.target)});
    port.explanation = sent_and_received(a, b);
    writing.add(std::move(port));
  }

  Obligation link(const std::vector<Formula>& parts) const {
    Obligation result = never(ProvedProperty::capacity, "link",
                              fmt::format("no link is crossed both ways in the same {}", step()), parts);
    result.exact = result.exact && machine.exact && !machine.widening;
    return result;
  }

  void write_neighbours(const Sample& a, const Sample& b) const {
    Obligation apart =
        link({algebra.equal(a.start, b.start), algebra.equal(a.source, b.target), algebra.equal(a.target, b.source)});
    apart.explanation = sent_and_received(a, b);
    writing.add(std::move(apart));
  }

  // A packet crosses level i upwards i - 1 steps after its start, and downwards i steps before the end of its trip.
  void write_levels(const Sample& a, const Sample& b) const {
    const Atom level = algebra.variable("level", Number(1), *machine.levels);
    const Number i(level);
    const auto subtree = [&](const Number& leaf) { return algebra.divide(leaf, power_of_two(i - Number(1))); };
    const auto crosses = [&](const Sample& x) {
      return algebra.negation(algebra.equal(subtree(x.source), subtree(x.target)));
    };
    Obligation apart = link({algebra.equal(a.start + i - Number(1), b.start + b.hops - i),
                             algebra.equal(subtree(a.source), subtree(b.target))});
    apart.scope.push_back(level);
    apart.given = algebra.conjunction({apart.given, crosses(a), crosses(b)});
    apart.explanation = meet_on_tree(a, b, level);
    writing.add(std::move(apart));
  }

  void write_classes(const Sample& a, const ChannelClass& class_a, const Sample& b, const ChannelClass& class_b) const {
    OnClass at_a = on_class(a, class_a, "");
    OnClass at_b = on_class(b, class_b, "'");
    const Formula from = algebra.equal(at_a.number(&ChannelClass::from), at_b.number(&ChannelClass::to));
    const Formula to = algebra.equal(at_a.number(&ChannelClass::to), at_b.number(&ChannelClass::from));
    Obligation apart = link({from, to, at_once(at_a, at_b)});
    add_crossing(apart, at_a, at_b);
    apart.explanation =
        meet_on_classes(a, at_a.crossing.index, class_a, b, at_b.crossing.index, class_b, *machine.crossings);
    writing.add(std::move(apart));
  }
};

}  // namespace

void write_half_duplex(const Writing& writing, const SamplePair& pair) { HalfDuplex(writing, pair).write(); }

}  // namespace quadrille::prover
