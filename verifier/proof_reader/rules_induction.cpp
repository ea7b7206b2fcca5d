// Rules for what is passed on, in rounds: by induction over them. What a processor has of copied chunks after round t
// is what it had after t - 1, and what came in t.
//
//   (begins 1)
//       nothing is sent before, or in, the invariant's first round, which is 0 or later
//   (kept 1 2 (comes (brought m1 1 (d X) …) …))
//       its second statement: at first it is what is held at the start; what it states newly of round t is brought by
//       one of these messages; and of `equals`, what was stated is still, and what any message brings is stated
//   (passed_on m1 (chunks (statement 1 (k X) …) …) …)
//       a sender is the packet's origin, or one of these statements says of the round before that it has it
//   (by_invariant (statement 1 (k X) …) …)
//       whoever (any.processor) wants the chunk (any.part) of any.origin: one of these says so of the last round
//
// Why it is sound: by induction over rounds. If all that is stated after the rounds before t is so, then what is sent
// in t is at its sender (`passed_on`, or `own`), so what messages bring in t comes, and what is stated after t is so
// (`kept`). That is why all three are shown of all messages.
//
// Example: all-gather on a ring. {k - t .. k} mod n is stated of k after t; newly k - t, which k - 1 has sent.
//
// Cost: a leaf for each message and statement, three for each statement.
#include <fmt/format.h>

#include "verifier/proof_reader/rules.h"

namespace quadrille::proof_reader {
namespace {

class ByInduction {
 public:
  ByInduction(const ProofSubject& subject, const Application& application, Leaves& leaves)
      : core_(subject.core), machine_(subject.machine), item_(application.item), leaves_(leaves) {
    if (core_.invariants.size() != 1 || !machine_.rounds)
      throw Refused{item_.span, "rules of induction are for one invariant, in rounds"};
    std::set<std::string> used;
    for (const CoreStatement& each : core_.invariants[0].statements) collect_names(each.given, used);
    if (used.contains(core_.invariants[0].step))
      throw Refused{item_.span, "rules of induction are for statements that are made after every round"};
    names_ = names_of(core_.parameters);
  }

  void begins() {
    add("its first round is 0 or later", {}, truth(true), at_most(0, it().first));
    for (const CoreMessage& message : core_.messages)
      add(message.name + " is sent later than its first round", message.variables, message.given,
          less(it().first, message.start));
  }

  void kept(const CoreStatement& of) {
    const CoreRanges start = joined({of.variables, {anyone(it().origin)}});
    const CoreExpression first = member(of, it().first, origin());
    const CoreExpression held = at_start(of.processor, of.addressee, origin());
    const CoreExpression whole = any_of({negated(held), first});
    add("at first, what is stated is held", start, all_of({of.given, at_most(it().first, it().last)}),
        all_of({any_of({negated(first), held}), of.at_least ? truth(true) : whole}));
    const CoreRange later{it().step, it().first + 1, it().last};
    const CoreRanges scope = joined({{later}, of.variables, {anyone(it().origin)}});
    const CoreExpression before = member(of, step() - 1, origin());
    add("what is newly stated comes", scope, all_of({of.given, of.member, negated(before)}), brought(of, scope));
    if (of.at_least) return;
    add("what was stated is still stated", scope, all_of({of.given, before}), of.member);
    for (const CoreMessage& message : core_.messages) {
      for (const CoreChunks& chunks : message.chunks) is_stated(of, message, chunks, {later});
    }
  }

  void passed_on(const CoreMessage& message) {
    expect_size(item_, 2 + message.chunks.size(), 2 + message.chunks.size());
    for (std::size_t i = 0; i < message.chunks.size(); ++i) {
      const CoreChunks& chunks = message.chunks[i];
      const ProofItem& list = item_.items[2 + i];
      if (head(list) != "chunks") throw Refused{list.span, "`chunks` is expected here"};
      const CoreExpression round = message.start - 1;
      const Wanted wanted{message.source, chunks.addressee, chunks.part, round, chunks.origin};
      add("the sender has it", scope_of(message, chunks), given_of(message, chunks),
          any_of({equal(chunks.origin, message.source),
                  all_of({at_most(it().first, round), at_most(round, it().last),
                          some_statement(list, names_of(scope_of(message, chunks), names_), wanted)})}));
    }
  }

  void everyone_has_all() {
    const CoreExpression k = variable("any.processor");
    const CoreExpression x = variable("any.origin");
    const CoreExpression p = variable("any.part");
    const CoreRanges scope = {anyone(k.name()), anyone(x.name()), {p.name(), 0, machine_.parts - 1}};
    std::vector<CoreExpression> given = {negated(equal(k, x))};
    for (const PacketRule& rule : machine_.terms.rules) given.push_back(machine_.of_collective(rule.must, {x, k}));
    const std::optional<CoreExpression> addressee = machine_.terms.for_everyone ? std::nullopt : std::optional(k);
    add("what is wanted is stated at the end", scope, all_of(std::move(given)),
        all_of({at_most(it().first, it().last),
                some_statement(item_, names_of(scope, names_), {k, addressee, p, it().last, x})}));
  }

 private:
  // What is looked for: a statement about that processor and these chunks, in whose set of that round the origin is.
  struct Wanted {
    CoreExpression processor;
    std::optional<CoreExpression> addressee;
    CoreExpression part;
    CoreExpression round;
    CoreExpression origin;
  };

  const CoreInvariant& it() const { return core_.invariants[0]; }
  CoreExpression step() const { return variable(it().step); }
  CoreExpression origin() const { return variable(it().origin); }
  CoreRange anyone(const std::string& name) const { return {name, 0, machine_.processors - 1}; }

  void add(std::string name, CoreRanges scope, const CoreExpression& given, const CoreExpression& must) {
    leaves_.push_back({std::move(name), std::move(scope), given, must});
  }

  CoreExpression member(const CoreStatement& of, const CoreExpression& round, const CoreExpression& x) const {
    return substituted(of.member, {{it().step, round}, {it().origin, x}});
  }

  static CoreExpression same(const std::optional<CoreExpression>& a, const std::optional<CoreExpression>& b) {
    return a && b ? equal(*a, *b) : truth(true);
  }

  // That the processor begins with the origin's packet.
  CoreExpression at_start(const CoreExpression& processor, const std::optional<CoreExpression>& addressee,
                          const CoreExpression& x) const {
    std::vector<CoreExpression> parts = {equal(x, processor)};
    for (const PacketRule& rule : machine_.terms.rules)
      parts.push_back(machine_.of_collective(rule.must, {x, addressee.value_or(0)}));
    if (addressee) parts.push_back(negated(equal(x, *addressee)));
    return all_of(std::move(parts));
  }

  // That one of the list's messages brings the origin's chunk in this round.
  CoreExpression brought(const CoreStatement& of, const CoreRanges& scope) const {
    const ProofItem& list = field(item_, "comes");
    const Names names = names_of(scope, names_);
    std::vector<CoreExpression> ways;
    for (std::size_t i = 1; i < list.size(); ++i) {
      const ProofItem& one = list.items[i];
      if (head(one) != "brought") throw Refused{one.span, "`brought` is expected here"};
      const CoreMessage& message = message_named(core_, word(item(one, 1)));
      const std::size_t group = numbered(word(item(one, 2)));
      if (group >= message.chunks.size()) throw Refused{one.span, fmt::format("{} has no such chunks", message.name)};
      const CoreChunks& chunks = message.chunks[group];
      std::vector<CoreExpression> parts;
      const CoreSubstitution by = instance(one, 3, scope_of(message, chunks), names, parts);
      const auto there = [&](const CoreExpression& x) { return substituted(x, by); };
      std::optional<CoreExpression> addressee;
      if (chunks.addressee) addressee = there(*chunks.addressee);
      parts.insert(parts.end(), {there(given_of(message, chunks)), equal(there(message.start), step()),
                                 equal(there(message.target), of.processor), equal(there(chunks.origin), origin()),
                                 equal(there(chunks.part), of.part), same(addressee, of.addressee)});
      ways.push_back(all_of(std::move(parts)));
    }
    return any_of(std::move(ways));
  }

  // The message's variables get names of their own.
  void is_stated(const CoreStatement& of, const CoreMessage& message, const CoreChunks& chunks,
                 const CoreRanges& later) {
    CoreSubstitution by;
    const CoreRanges others = renamed(scope_of(message, chunks), by);
    const auto there = [&](const CoreExpression& x) { return substituted(x, by); };
    std::optional<CoreExpression> addressee;
    if (chunks.addressee) addressee = there(*chunks.addressee);
    add(fmt::format("what {} brings is stated", message.name), joined({later, of.variables, others}),
        all_of({of.given, there(given_of(message, chunks)), equal(there(message.start), step()),
                equal(there(message.target), of.processor), equal(there(chunks.part), of.part),
                same(addressee, of.addressee)}),
        member(of, step(), there(chunks.origin)));
  }

  // (WORD … (statement 1 (k X) …) …): one of these is what is looked for.
  CoreExpression some_statement(const ProofItem& list, const Names& names, const Wanted& wanted) const {
    std::vector<CoreExpression> ways;
    for (const ProofItem& one : list.items) {
      if (!one.list) continue;
      if (head(one) != "statement") throw Refused{one.span, "`statement` is expected here"};
      const std::size_t number = numbered(word(item(one, 1)));
      if (number >= it().statements.size()) throw Refused{one.span, "there is no such statement"};
      const CoreStatement& of = it().statements[number];
      std::vector<CoreExpression> parts;
      const CoreSubstitution by = instance(one, 2, of.variables, names, parts);
      const auto there = [&](const CoreExpression& x) { return substituted(x, by); };
      std::optional<CoreExpression> addressee;
      if (of.addressee) addressee = there(*of.addressee);
      // All at once: what is put in is not looked at again.
      CoreSubstitution all = by;
      all.insert_or_assign(it().step, wanted.round);
      all.insert_or_assign(it().origin, wanted.origin);
      parts.insert(parts.end(),
                   {there(of.given), equal(there(of.processor), wanted.processor), equal(there(of.part), wanted.part),
                    same(addressee, wanted.addressee), substituted(of.member, all)});
      ways.push_back(all_of(std::move(parts)));
    }
    return any_of(std::move(ways));
  }

  const CoreForm& core_;
  const CoreMachine& machine_;
  const ProofItem& item_;
  Leaves& leaves_;
  Names names_;
};

}  // namespace

void begins(const ProofSubject& subject, const Application& application, Leaves& leaves) {
  ByInduction(subject, application, leaves).begins();
}

void kept(const ProofSubject& subject, const Application& application, Leaves& leaves) {
  ByInduction rule(subject, application, leaves);
  rule.kept(subject.core.invariants[0].statements.at(numbered(application.subjects[1])));
}

void passed_on(const ProofSubject& subject, const Application& application, Leaves& leaves) {
  ByInduction(subject, application, leaves).passed_on(message_named(subject.core, application.subjects[0]));
}

void by_invariant(const ProofSubject& subject, const Application& application, Leaves& leaves) {
  ByInduction(subject, application, leaves).everyone_has_all();
}

}  // namespace quadrille::proof_reader
