// Rules `apart` and `ports`: no two messages are at one place at one time.
//
// Two packets meet if at some index of each they cross the same channel of a class (model/crossings.h), on the same
// lane, in the same step, which is the start plus the offset. In rounds messages meet if they are of one round,
// whatever the offsets, and where paths are shared they never do. With single ports no processor sends two messages in
// a round, nor receives two; in steps that is asked of packets that go to neighbours only, which is a leaf, too: others
// occupy the ports of processors on their way. In half duplex no processor sends and receives at one time, so that no
// two messages at one time have a processor in common, and no link is used twice.
//
// Example: on complete(N), "at d: send k -> (k + d) mod N": of two with the same d and k' > k the sources differ.
//
// Cost: a leaf for each case of pairs.h and class of channels.
#include <fmt/format.h>

#include "verifier/proof_reader/pairs.h"
#include "verifier/proof_reader/rules.h"

namespace quadrille::proof_reader {
namespace {

// The subtree of 2^level leaves in which the leaf is.
CoreExpression below(const CoreExpression& leaf, const CoreExpression& level) {
  return {Op::divide, {leaf, {Op::power, {level}}}};
}

// A message and one that is another one.
class PairInOneRound {
 public:
  PairInOneRound(const ProofSubject& subject, const Application& application, Leaves& leaves)
      : machine_(subject.machine),
        a_(message_named(subject.core, application.subjects[0])),
        b_(message_named(subject.core, application.subjects[1])),
        leaves_(leaves) {}

  void apart() {
    if (machine_.rounds && machine_.shared) return;
    for (const Pair& pair : all()) {
      if (machine_.levels) {
        apart_on_tree(pair);
        continue;
      }
      for (const ChannelClass& each : machine_.crossings.classes) apart_on(each, pair);
    }
  }

  // They turn at levels h and h', and m is the lower one. Both cross level i if i <= m, upwards i - 1 steps after their
  // starts and downwards 2h - i and 2h' - i steps: at one time if the starts, or start + 2h and start' + 2h', are
  // equal, whatever i. If the sources (targets) are below one channel of level i, so they are below one of level m.
  // With 2^(i-1) lanes at level i only those from (to) one leaf have one lane of one channel.
  void apart_on_tree(const Pair& pair) {
    const CoreExpression there_apex = there(*b_.apex, pair);
    const CoreExpression lower = choice(at_most(*a_.apex, there_apex), *a_.apex, there_apex);
    const auto meeting = [&](const std::string& name, const CoreExpression& x, const CoreExpression& y,
                             const CoreExpression& at_x, const CoreExpression& at_y) {
      const auto place = [&](const CoreExpression& end) { return machine_.widening ? end : below(end, lower - 1); };
      never(pair, name, pair.scope, truth(true), {equal(at_x, at_y), equal(place(x), place(y))});
    };
    const CoreExpression other = there(b_.start, pair);
    meeting("up", a_.source, there(b_.source, pair), a_.start, other);
    meeting("down", a_.target, there(b_.target, pair), a_.start + CoreExpression(2) * *a_.apex,
            other + CoreExpression(2) * there_apex);
  }

  void ports() {
    if (!machine_.rounds) {
      neighbours(a_);
      neighbours(b_);
    }
    for (const Pair& pair : all()) {
      const CoreExpression together = equal(a_.start, there(b_.start, pair));
      never(pair, "sends", pair.scope, truth(true), {together, equal(a_.source, there(b_.source, pair))});
      never(pair, "receptions", pair.scope, truth(true), {together, equal(a_.target, there(b_.target, pair))});
      if (!machine_.half_duplex) continue;
      const CoreExpression both =
          any_of({equal(a_.source, there(b_.target, pair)), equal(a_.target, there(b_.source, pair))});
      never(pair, "a processor that sends and receives", pair.scope, truth(true), {together, both});
    }
  }

 private:
  std::vector<Pair> all() const {
    return pairs({a_.variables, a_.given}, {b_.variables, b_.given}, a_.name == b_.name);
  }

  static CoreExpression there(const CoreExpression& x, const Pair& pair) { return substituted(x, pair.second); }

  void never(const Pair& pair, const std::string& name, const CoreRanges& scope, const CoreExpression& more,
             std::vector<CoreExpression> parts) {
    leaves_.push_back({pair.words.empty() ? name : fmt::format("{}, {}", name, pair.words), scope,
                       all_of({pair.given, more}), negated(all_of(std::move(parts)))});
  }

  void neighbours(const CoreMessage& message) {
    leaves_.push_back({fmt::format("{} goes to a neighbour", message.name), message.variables, message.given,
                       equal(machine_.hops(ends_of(message)), 1)});
  }

  // The index of a crossing runs over the class's range.
  CoreRange index(const ChannelClass& each, const Ends& ends, const char* name) const {
    return {name, machine_.number(each.first, ends), machine_.number(each.last, ends)};
  }

  void apart_on(const ChannelClass& each, const Pair& pair) {
    const Ends first{a_.source, a_.target};
    const Ends second{there(b_.source, pair), there(b_.target, pair)};
    // Such names no variable of a core form has.
    const CoreExpression i = variable("!i");
    const CoreExpression j = variable("!j");
    std::vector<CoreExpression> meeting = {
        equal(time(a_.start, each, first, i), time(there(b_.start, pair), each, second, j)),
        equal(machine_.number(each.lane, first, i), machine_.number(each.lane, second, j))};
    for (const Term& term : each.channel)
      meeting.push_back(equal(machine_.number(term, first, i), machine_.number(term, second, j)));
    never(pair, each.name, joined({pair.scope, {index(each, first, "!i"), index(each, second, "!j")}}),
          all_of({machine_.truth(each.crossed, first, i), machine_.truth(each.crossed, second, j)}),
          std::move(meeting));
  }

  CoreExpression time(const CoreExpression& start, const ChannelClass& each, const Ends& ends,
                      const CoreExpression& index) const {
    return machine_.rounds ? start : start + machine_.number(each.offset, ends, index);
  }

  const CoreMachine& machine_;
  const CoreMessage& a_;
  const CoreMessage& b_;
  Leaves& leaves_;
};

}  // namespace

void apart(const ProofSubject& subject, const Application& application, Leaves& leaves) {
  PairInOneRound(subject, application, leaves).apart();
}

// The level is that of the lowest switch above both ends: they are in one subtree of 2^h leaves, and in two of 2^(h-1).
void turns(const ProofSubject& subject, const Application& application, Leaves& leaves) {
  const CoreMessage& message = message_named(subject.core, application.subjects[0]);
  const CoreExpression& level = *message.apex;
  const auto together = [&](const CoreExpression& at) {
    return equal(below(message.source, at), below(message.target, at));
  };
  leaves.push_back({"it turns at this level", message.variables, message.given,
                    all_of({at_most(1, level), together(level), negated(together(level - 1))})});
}

void ports(const ProofSubject& subject, const Application& application, Leaves& leaves) {
  PairInOneRound(subject, application, leaves).ports();
}

}  // namespace quadrille::proof_reader
