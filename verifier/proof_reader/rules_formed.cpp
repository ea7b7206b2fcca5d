// Rule `formed`: all that is written is defined, and what it speaks of exists: processors, packets, steps from 1 on.
//
// Example: of "for (d 1 (+ N -1)), start d, source 0, target d": the ends of d's range are defined; 0 and d are
// processors, and different; d is at least 1; and there is a packet from 0 to d.
//
// Why it is sound: these are MODEL.md's conditions for a schedule to mean anything, one by one. Other leaves take what
// is given, and ranges, for defined: that is shown here, each in the scope of what stands before it.
#include <fmt/format.h>

#include "verifier/proof_reader/pairs.h"
#include "verifier/proof_reader/rules.h"

namespace quadrille::proof_reader {
namespace {

class Formed {
 public:
  Formed(const ProofSubject& subject, Leaves& leaves)
      : core_(subject.core), machine_(subject.machine), leaves_(leaves) {}

  void parameters() {
    // The scope of these leaves is put together here, step by step: leaves_of adds all parameters to it, whose ranges
    // are no more than what these leaves show to be defined.
    for (const CoreRange& each : core_.parameters) add("the range of " + each.name, {}, truth(true), ends(each));
    std::vector<CoreExpression> must = {machine_.truth(machine_.crossings.valid, {0, 0}),
                                        at_most(1, machine_.processors),
                                        at_most(1, machine_.parts),
                                        at_most(1, machine_.values),
                                        at_most(0, machine_.root),
                                        less(machine_.root, machine_.processors)};
    for (std::size_t i = 0; i < machine_.numbers.size(); ++i)
      must.push_back(at_most(machine_.least[i], machine_.numbers[i]));
    add("there is such a fabric and collective", {}, truth(true), all_of(std::move(must)));
    for (const auto& [name, value] : core_.arguments) add("argument " + name, {}, truth(true), defined(value));
  }

  void condition(const CoreCondition& condition) {
    ranges(condition.variables, {}, truth(true));
    add("what is given", condition.variables, truth(true), defined(condition.given));
    add("what it says", condition.variables, condition.given, condition.must);
  }

  void invariant(const CoreInvariant& it) {
    add("its steps", {}, truth(true), all_of({defined(it.first), defined(it.last)}));
    const CoreRanges set = {{it.step, it.first, it.last}, {it.origin, 0, machine_.processors - 1}};
    for (const CoreStatement& each : it.statements) {
      ranges(each.variables, {}, truth(true));
      const CoreRanges by_step = joined({each.variables, {set[0]}});
      add("what is given", by_step, truth(true), defined(each.given));
      const bool targets = !machine_.reduction && !machine_.terms.for_everyone;
      if (targets != each.addressee.has_value())
        throw Refused{{}, "packets have an addressee, unless the collective's are for everyone"};
      add("what it speaks of exists", by_step, each.given,
          all_of({processor(each.processor), each.addressee ? processor(*each.addressee) : truth(true),
                  at_most(0, each.part), less(each.part, machine_.values)}));
      add("its set", joined({each.variables, set}), each.given, defined(each.member));
    }
  }

  void message(const CoreMessage& message) {
    // What is shown of messages is shown of packets, then: a row of a table in steps is one.
    const CoreChunks& first = message.chunks[0];
    const bool one = message.chunks.size() == 1 && first.variables.empty() && first.given.is(true);
    if (!machine_.rounds && !one) throw Refused{{}, message.name + ": a message of several chunks, in steps"};
    ranges(message.variables, {}, truth(true));
    add("what is given", message.variables, truth(true), defined(message.given));
    add("it is sent between two processors", message.variables, message.given,
        all_of({processor(message.source), processor(message.target), negated(equal(message.source, message.target))}));
    add("it starts in step 1 or later", message.variables, message.given, at_most(1, message.start));
    for (const CoreChunks& each : message.chunks) chunks(message, each);
    for (std::size_t i = 0; i < message.chunks.size(); ++i) {
      for (std::size_t j = i; j < message.chunks.size(); ++j) different(message, message.chunks[i], message.chunks[j]);
    }
  }

 private:
  void add(std::string name, CoreRanges scope, const CoreExpression& given, const CoreExpression& must) {
    leaves_.push_back({std::move(name), std::move(scope), given, must});
  }

  static CoreExpression ends(const CoreRange& range) {
    return all_of({defined(range.first), range.last ? defined(*range.last) : truth(true)});
  }

  void ranges(const CoreRanges& all, const CoreRanges& outside, const CoreExpression& given) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      const CoreRanges before(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(i));
      add("the range of " + all[i].name, joined({outside, before}), given, ends(all[i]));
    }
  }

  CoreExpression processor(const CoreExpression& x) const {
    return all_of({at_most(0, x), less(x, machine_.processors)});
  }

  void chunks(const CoreMessage& message, const CoreChunks& it) {
    ranges(it.variables, message.variables, message.given);
    const CoreRanges scope = joined({message.variables, it.variables});
    add("what chunks are given", scope, message.given, defined(it.given));
    const bool for_everyone = machine_.terms.for_everyone;
    if (for_everyone == it.addressee.has_value())
      throw Refused{{}, message.name + ": packets have an addressee, unless the collective's are for everyone"};
    std::vector<CoreExpression> must = {processor(it.origin), at_most(0, it.part), less(it.part, machine_.values)};
    const CoreExpression addressee = it.addressee.value_or(0);
    if (it.addressee) {
      must.push_back(processor(addressee));
      must.push_back(negated(equal(it.origin, addressee)));
    }
    for (const PacketRule& rule : machine_.terms.rules)
      must.push_back(machine_.of_collective(rule.must, {it.origin, addressee}));
    add("the packet exists", scope, all_of({message.given, it.given}), all_of(std::move(must)));
  }

  // A message has each packet once.
  void different(const CoreMessage& message, const CoreChunks& a, const CoreChunks& b) {
    for (const Pair& pair : pairs({a.variables, a.given}, {b.variables, b.given}, &a == &b)) {
      const auto there = [&](const CoreExpression& x) { return substituted(x, pair.second); };
      std::vector<CoreExpression> parts = {equal(a.origin, there(b.origin)), equal(a.part, there(b.part))};
      if (a.addressee && b.addressee) parts.push_back(equal(*a.addressee, there(*b.addressee)));
      add("its chunks are different", joined({message.variables, pair.scope}), all_of({message.given, pair.given}),
          negated(all_of(std::move(parts))));
    }
  }

  const CoreForm& core_;
  const CoreMachine& machine_;
  Leaves& leaves_;
};

}  // namespace

void formed(const ProofSubject& subject, const Application& application, Leaves& leaves) {
  Formed rule(subject, leaves);
  const std::string& what = application.subjects[0];
  if (what == "parameters") return rule.parameters();
  if (what == "message") return rule.message(message_named(subject.core, application.subjects[1]));
  if (what == "invariant") return rule.invariant(subject.core.invariants.at(numbered(application.subjects[1])));
  rule.condition(subject.core.conditions.at(numbered(application.subjects[1])));
}

}  // namespace quadrille::proof_reader
