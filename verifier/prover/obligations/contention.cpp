// Proves that no two packets are on a lane in the same step, and no two messages in the same round. Families are
// compared in pairs, by the machine's strategy.
//
// Example: for a schedule with two sends, f and g, the pairs are two packets of f, two of g, and one of each. Nothing
// is asked about sends in different parts of a sequence, which are never under way together.
//
// Cost: f (f + 1) / 2 times the cost of the strategy, for f families.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "verifier/prover/obligations/samples.h"
#include "verifier/prover/problem/crossing_formulas.h"

namespace quadrille::prover {
namespace {

// PairObligations makes obligations about two sends that they do not meet: that in no step, or as messages in no round,
// they are at one place.
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
    const bool one_index = std::ranges::find(each.channel, terms::index()) != each.channel.end();
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

// Contention on a binary tree, level by level.
//
// Two packets use a level-i channel together if they come from (go to) the same subtree with 2^(i-1) leaves, at the
// same step, and leave it (come from outside). A packet crosses level i upwards i - 1 steps after its start. It
// crosses level i downwards 2h - i steps after its start, where h is the level at which it turns (its apex).
//
// Lanes: if the capacity of level i is 2^(i-1), a packet's lane is the place of its source (down: target) among the
// 2^(i-1) leaves below. So only packets from (to) the same leaf could share a lane. Otherwise there is one lane.
//
// Example: a scatter from 0 with "at n - d: send 0 -> d". Upwards, the times n - d and n - d' are never equal.
// Downwards, n - d + 2h and n - d' + 2h' are not equal, either, or the targets are in different subtrees.
//
// Cost: two obligations for each pair of samples, and the steps of a chain of bounds where that is enough.
//
// Source: Communications in Binary Fat Trees, §2 (which channels a packet crosses, and when).
class LevelByLevel : PairObligations {
 public:
  LevelByLevel(const Writing& with, const SamplePair& sends)
      : PairObligations(with, sends), top_(lower_apex()), level_(algebra.variable("level", Number(1), top_)) {}

  void write() {
    const Sample& a = pair.a;
    const Sample& b = pair.b;
    write_direction({"up", a.source, b.source, a.start, b.start});
    write_direction({"down", a.target, b.target, a.start + a.hops, b.start + b.hops});
  }

 private:
  // One of the two directions, for both packets: the end that is below the channels, and a time that has the same
  // distance for both from the step in which they cross the level.
  struct LevelDirection {
    std::string name;
    Number end_a, end_b, time_a, time_b;
  };

  void write_direction(const LevelDirection& direction) {
    const Obligation like{.property = ProvedProperty::contention_free, .name = direction.name};
    const std::string time = fmt::format("the time of the way {}", direction.name);
    if (write_never_equal(writing, like, time, pair, direction.time_a, direction.time_b)) return;
    const bool lanes = machine.widening;
    const Formula channel = lanes ? algebra.equal(direction.end_a, direction.end_b)
                                  : algebra.equal(subtree(direction.end_a), subtree(direction.end_b));
    std::vector<Atom> scope = pair.scope();
    scope.push_back(level_);
    writing.add(
        {.property = ProvedProperty::contention_free,
         .name = direction.name,
         .meaning = fmt::format("no two packets cross the same channel {}wards in the same step{}", direction.name,
                                lanes ? ", at the same lane" : ""),
         .scope = std::move(scope),
         .given = algebra.conjunction({pair.a.given, pair.b.given, leaves(pair.a), leaves(pair.b)}),
         .must = algebra.negation(algebra.conjunction({channel, algebra.equal(direction.time_a, direction.time_b)})),
         .span = pair.a.family->span,
         .second = pair.b.family->span,
         .exact = machine.exact,
         .explanation = cross_on_tree(pair.a, pair.b, direction.name == "up", level_, lanes),
         .shortcut = lanes ? std::nullopt : std::optional(subtrees_apart(direction.end_a, direction.end_b))});
  }

  Number subtree(const Number& leaf) { return algebra.divide(leaf, power_of_two(Number(level_) - Number(1))); }

  // The packet crosses the level.
  Formula leaves(const Sample& x) {
    if (x.family->apex) return algebra.at_most(Number(2) * Number(level_), x.hops);
    return algebra.negation(algebra.equal(subtree(x.source), subtree(x.target)));
  }

  // The two packets have no channel in common up to level `top_`: if they had one, their ends would be below it, and
  // also in one subtree of any higher level. The highest levels of all are tried, since schedules often divide into
  // halves and quarters.
  Shortcut subtrees_apart(const Number& end_a, const Number& end_b) {
    std::vector<Formula> together;
    for (const Number& level : {top_, *machine.levels - Number(1), *machine.levels}) {
      if (!algebra.never_negative(level - top_)) continue;
      const Number leaves = power_of_two(level - Number(1));
      together.push_back(algebra.equal(algebra.divide(end_a, leaves), algebra.divide(end_b, leaves)));
    }
    return {"they are below different channels", algebra.negation(algebra.conjunction(together))};
  }

  // A level above which at most one of the packets climbs: the lower one of their apexes, where it is known which one
  // that is.
  Number lower_apex() const {
    const Number half(Rational(1, 2));
    const Sample& a = pair.a;
    const Sample& b = pair.b;
    if (!a.family->apex && !b.family->apex) return *machine.levels;
    if (!b.family->apex) return a.hops * half;
    if (!a.family->apex || algebra.never_negative(a.hops - b.hops)) return b.hops * half;
    return a.hops * half;
  }

  Number top_;
  Atom level_;
};

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

void write_pair(const Writing& writing, const Family& f, const Family& g) {
  const auto shared = shared_while_under_way(f, g);
  if (!shared) return;
  const bool rounds = writing.problem.machine.rounds;
  for (const SamplePair& pair : two_sends(writing, f, g, *shared, rounds ? Each::message : Each::send)) {
    if (writing.problem.machine.levels && !rounds) {
      LevelByLevel(writing, pair).write();
    } else {
      ByCrossings(writing, pair).write();
    }
    if (writing.problem.machine.half_duplex) HalfDuplex(writing, pair).write();
  }
}

}  // namespace

void write_contention(const Writing& writing) {
  const auto families = one_of_each_message(writing.problem);
  for (std::size_t f = 0; f < families.size(); ++f) {
    for (std::size_t g = f; g < families.size(); ++g) write_pair(writing, *families[f], *families[g]);
  }
}

}  // namespace quadrille::prover
