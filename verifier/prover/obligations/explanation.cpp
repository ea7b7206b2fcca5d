// Idea: the numbers of a counterexample determine, hop by hop, what the packets do; the obligation itself is not
// used. If the packets do nothing wrong there, there is no explanation, and the obligation is in doubt.
//
//   on a binary tree 3 -> 0 starts in step 5; 3 xor 0 has two digits, so its apex is level 2: it crosses 3->1.1 in step
//   5, 1.1->2.0 in step 6, 2.0->1.0 in step 7 and 1.0->0 in step 8
//
// Cost: a few evaluations for each packet.
#include "verifier/prover/obligations/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "verifier/prover/problem/crossing_formulas.h"

namespace quadrille::prover {
namespace {

// A packet's trip, in numbers.
struct Trip {
  Integer start, source, target;
  std::string packet;  // "0->7", "0->*", "0->* part 1"
  Clock::Kind clock = Clock::Kind::whole;
  bool rounds = false, message = false;
};

std::string packet(const SymbolicFlight& flight, const Assignment& values) {
  const std::string to = flight.addressee ? evaluate(*flight.addressee, values).str() : "*";
  const Integer part = evaluate(flight.part, values);
  return fmt::format("{}->{}{}", evaluate(flight.origin, values).str(), to,
                     part == 0 ? "" : fmt::format(" part {}", part.str()));
}

Trip trip(const SymbolicFlight& flight, const Assignment& values) {
  return {evaluate(flight.start, values),
          evaluate(flight.source, values),
          evaluate(flight.target, values),
          packet(flight, values),
          flight.clock->kind,
          flight.rounds,
          flight.message};
}

// The step in words. Only times of the schedule's own clock are the checker's; it is not known here when the parts of
// a sequence start.
std::string step_words(const Integer& step, const Trip& trip) {
  const char* unit = trip.rounds ? "round" : "step";
  switch (trip.clock) {
    case Clock::Kind::part:
      return fmt::format("in {} {} of their part", unit, step.str());
    case Clock::Kind::iteration:
      return fmt::format("in {} {} of their turn", unit, step.str());
    case Clock::Kind::reversed:
      return fmt::format("in the same {}", unit);
    default:
      return fmt::format("in {} {}", unit, step.str());
  }
}

// "3->1.0" for "1.0->3".
std::string turned(const std::string& channel) {
  const auto arrow = channel.find("->");
  return channel.substr(arrow + 2) + "->" + channel.substr(0, arrow);
}

std::string both(const Trip& a, const Trip& b) {
  return fmt::format("{}{} and {}", a.message ? "the messages " : "", a.packet, b.packet);
}

// --- trees -----------------------------------------------------------------------------------------------------------

struct NamedCrossing {
  std::string channel;
  Integer step;
  bool operator==(const NamedCrossing&) const = default;
};

// "5" for a leaf; "2.1" for the second switch of level 2, as a fabric names it.
std::string above(const Integer& leaf, unsigned level) {
  return level == 0 ? leaf.str() : fmt::format("{}.{}", level, Integer(leaf >> level).str());
}

// The trip's crossing of the level; nothing if its apex is below the level.
std::optional<NamedCrossing> crossing(const Trip& packet_trip, bool upwards, unsigned level) {
  if (packet_trip.source < 0 || packet_trip.target < 0 || packet_trip.source == packet_trip.target || level == 0)
    return std::nullopt;
  const unsigned turn = msb(Integer(packet_trip.source ^ packet_trip.target)) + 1;
  if (level > turn) return std::nullopt;
  if (upwards) {
    return NamedCrossing{fmt::format("{}->{}", above(packet_trip.source, level - 1), above(packet_trip.source, level)),
                         packet_trip.start + level - 1};
  }
  return NamedCrossing{fmt::format("{}->{}", above(packet_trip.target, level), above(packet_trip.target, level - 1)),
                       packet_trip.start + 2 * turn - level};
}

// --- by crossings ----------------------------------------------------------------------------------------------------

// The number of channels that the packet crosses; nothing if the numbers are too large.
std::optional<std::int64_t> hops(const Trip& packet_trip, const BoundCrossings& crossings, const Assignment& values) {
  return value_of(crossings.crossings.hops, crossings, packet_trip.source, packet_trip.target, 0, values);
}

struct Passed {
  std::vector<std::int64_t> channel;
  std::int64_t lane = 0;
  Integer step;
  std::string name;  // "3->1.0"
};

std::optional<Passed> passed(const Trip& packet_trip, const Integer& index, const ChannelClass& each,
                             const BoundCrossings& crossings, const Assignment& values) {
  const auto here = term_values(crossings, packet_trip.source, packet_trip.target, index, values);
  if (!here || quadrille::evaluate(each.crossed, *here) == 0) return std::nullopt;
  Passed result;
  for (const Term& term : each.channel) result.channel.push_back(quadrille::evaluate(term, *here));
  result.lane = quadrille::evaluate(each.lane, *here);
  result.step = packet_trip.rounds ? packet_trip.start : packet_trip.start + quadrille::evaluate(each.offset, *here);
  result.name = channel_name(each, *here);
  return result;
}

using Sentence = std::optional<std::string>;

// Explains by two trips, of which `words` tells what happens.
Explanation of_two(const SymbolicFlight& a, const SymbolicFlight& b, auto words) {
  return [=](const Assignment& values) { return words(trip(a, values), trip(b, values), values); };
}

}  // namespace

Explanation cross_on_tree(const SymbolicFlight& a, const SymbolicFlight& b, bool upwards, Atom level, bool widening) {
  return of_two(a, b, [=](const Trip& first, const Trip& second, const Assignment& values) -> Sentence {
    const unsigned at = widening ? 1 : static_cast<unsigned>(values.at(level));
    const auto here = crossing(first, upwards, at);
    if (!here || here != crossing(second, upwards, at)) return std::nullopt;
    return fmt::format("{} cross channel {} {}", both(first, second), here->channel, step_words(here->step, first));
  });
}

Explanation cross_to_neighbour(const SymbolicFlight& a, const SymbolicFlight& b, const BoundCrossings& crossings) {
  return of_two(a, b, [=, &crossings](const Trip& first, const Trip& second, const Assignment& values) -> Sentence {
    const bool same = first.start == second.start && first.source == second.source && first.target == second.target;
    if (!same) return std::nullopt;
    const bool far = hops(first, crossings, values).value_or(1) != 1;
    const std::string ends[] = {first.source.str(), first.target.str()};
    const std::string channel =
        far ? fmt::format("leave {} for {}", ends[0], ends[1]) : fmt::format("cross channel {}->{}", ends[0], ends[1]);
    return fmt::format("{} {} {}", both(first, second), channel, step_words(first.start, first));
  });
}

Explanation cross_on_class(const SymbolicFlight& a, const Number& index_a, const SymbolicFlight& b,
                           const Number& index_b, const ChannelClass& each, const BoundCrossings& crossings) {
  return of_two(
      a, b, [=, &each, &crossings](const Trip& first, const Trip& second, const Assignment& values) -> Sentence {
        const auto one = passed(first, evaluate(index_a, values), each, crossings, values);
        const auto other = passed(second, evaluate(index_b, values), each, crossings, values);
        if (!one || !other) return std::nullopt;
        if (one->channel != other->channel || one->lane != other->lane || one->step != other->step) return std::nullopt;
        return fmt::format("{} cross channel {} {}", both(first, second), one->name, step_words(one->step, first));
      });
}

Explanation sent_together(const SymbolicFlight& a, const SymbolicFlight& b) {
  return of_two(a, b, [=](const Trip& first, const Trip& second, const Assignment&) -> Sentence {
    if (first.start != second.start || first.source != second.source) return std::nullopt;
    return fmt::format("{} sends {} {}", first.source.str(), both(first, second), step_words(first.start, first));
  });
}

Explanation received_together(const SymbolicFlight& a, const SymbolicFlight& b, const BoundCrossings& crossings) {
  return of_two(a, b, [=, &crossings](const Trip& first, const Trip& second, const Assignment& values) -> Sentence {
    const auto arrives = [&](const Trip& packet_trip) {
      return packet_trip.rounds ? packet_trip.start
                                : Integer(packet_trip.start + hops(packet_trip, crossings, values).value_or(1) - 1);
    };
    const Integer arrival = arrives(first);
    const Integer other = arrives(second);
    if (first.target != second.target || arrival != other) return std::nullopt;
    return fmt::format("{} receives {} {}", first.target.str(), both(first, second), step_words(arrival, first));
  });
}

Explanation sent_and_received(const SymbolicFlight& a, const SymbolicFlight& b) {
  return of_two(a, b, [=](const Trip& first, const Trip& second, const Assignment&) -> Sentence {
    if (first.start != second.start || first.source != second.target) return std::nullopt;
    const auto what = [](const Trip& packet_trip) {
      return packet_trip.message ? fmt::format("the message {}", packet_trip.packet) : packet_trip.packet;
    };
    return fmt::format("{} sends {} and receives {} {}", first.source.str(), what(first), what(second),
                       step_words(first.start, first));
  });
}

Explanation meet_on_tree(const SymbolicFlight& a, const SymbolicFlight& b, Atom level) {
  return of_two(a, b, [=](const Trip& first, const Trip& second, const Assignment& values) -> Sentence {
    const auto at = static_cast<unsigned>(values.at(level));
    const auto up = crossing(first, true, at);
    const auto down = crossing(second, false, at);
    if (!up || !down || up->step != down->step || up->channel != turned(down->channel)) return std::nullopt;
    return fmt::format("{} cross the link of {} both ways {}", both(first, second), up->channel,
                       step_words(up->step, first));
  });
}

Explanation meet_on_classes(const SymbolicFlight& a, const Number& index_a, const ChannelClass& class_a,
                            const SymbolicFlight& b, const Number& index_b, const ChannelClass& class_b,
                            const BoundCrossings& crossings) {
  return of_two(
      a, b,
      [=, &class_a, &class_b, &crossings](const Trip& first, const Trip& second, const Assignment& values) -> Sentence {
        const auto one = passed(first, evaluate(index_a, values), class_a, crossings, values);
        const auto other = passed(second, evaluate(index_b, values), class_b, crossings, values);
        if (!one || !other || one->step != other->step || one->name != turned(other->name)) return std::nullopt;
        return fmt::format("{} cross the link of {} both ways {}", both(first, second), one->name,
                           step_words(one->step, first));
      });
}

Explanation delivered_twice(const SymbolicFlight& a, const SymbolicFlight& b) {
  return of_two(a, b, [=](const Trip& first, const Trip& second, const Assignment&) -> Sentence {
    if (first.packet != second.packet || first.target != second.target) return std::nullopt;
    return fmt::format("{} is delivered to {} twice", first.packet, first.target.str());
  });
}

Explanation delivered(const SymbolicFlight& flight) {
  return [=](const Assignment& values) -> Sentence {
    const Trip packet_trip = trip(flight, values);
    return fmt::format("{} goes to {}", packet_trip.packet, packet_trip.target.str());
  };
}

// The packet may go anywhere: a send to many has variables for its targets.
Explanation sent(const SymbolicFlight& flight) {
  return [=](const Assignment& values) -> Sentence {
    const std::string what = fmt::format("{} sends {}", evaluate(flight.source, values).str(),
                                         flight.message ? "a message" : packet(flight, values));
    const bool whole = flight.clock->kind == Clock::Kind::whole;
    const char* unit = flight.rounds ? "round" : "step";
    return whole ? fmt::format("{} in {} {}", what, unit, evaluate(flight.start, values).str()) : what;
  };
}

Explanation worded(std::string text, Number number) {
  return [text = std::move(text), number = std::move(number)](const Assignment& values) -> Sentence {
    return fmt::format(fmt::runtime(text), evaluate(number, values).str());
  };
}

}  // namespace quadrille::prover
