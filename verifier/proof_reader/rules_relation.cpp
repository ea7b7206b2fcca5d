// Rules by a relation: when each item arrives, which the proof guesses, and the core form is shown to keep to. An item
// is a packet's (any.origin, any.addressee, any.part), or, where packets combine, a contribution (of any.origin to
// value any.part). The relation says in which step any.processor gets it; had(k, x, p, t) is that this is t or earlier.
//
//   (arrivals (case F A) … (case F never))  the first case whose F holds says when it arrives, or that it never does
//       it is defined; before the first step everyone has its own, and nothing else
//   (comes (case (brought m1 1 (k X) …) …) …)
//       what is had from any.step on, by each case, is brought by one of these messages, which arrives then
//
// Copying, by induction over steps: what the relation says is had. What is had from a step on comes (`comes`) by a
// message, whose sender had it before it was sent (`has`); so each sender has what it sends, and everyone gets what it
// wants, if there is a case in which it comes (`arrived`). If messages bring nothing else (`lands`), just that is had.
//
// Combining: what is had is just what the relation says. A message takes all that its sender has (`own`, as each goes
// from the packet's origin to its target); it lands in what the target has then, and every join is a union: one that
// comes alone is disjoint from what is held, or contains it (`joins`); those that come at once are disjoint from one
// another and from what is held (`at_once`), in whatever order they join. In an order nothing leaves a gap (`no_gap`).
// In the end everyone has just what it wants (`ends`).
//
// What must not be is given, and false must follow: so a way that is undefined is none, and needs no leaf of its own.
// That relations are defined wherever an item and a processor exist, `arrivals` shows.
//
// Example: all-gather around a ring: (case true (mod (+ any.processor (* -1 any.origin)) N)).
//
// Cost: a leaf for each case, or list of chunks, and three for each pair of these (pairs.h).
//
// Source: Floyd, Assigning Meanings to Programs, 1967.
#include <fmt/format.h>

#include "verifier/proof_reader/pairs.h"
#include "verifier/proof_reader/rules.h"

namespace quadrille::proof_reader {
namespace {

constexpr const char* holder_name = "any.processor";
constexpr const char* origin_name = "any.origin";
constexpr const char* addressee_name = "any.addressee";
constexpr const char* part_name = "any.part";
constexpr const char* step_name = "any.step";
constexpr const char* other_name = "!any.origin";  // a second contribution: no variable of a core form is called so

class ByRelation {
 public:
  ByRelation(const ProofSubject& subject, const Application& application, Leaves& leaves)
      : core_(subject.core),
        machine_(subject.machine),
        cases_(*subject.arrivals),
        item_(application.item),
        leaves_(leaves),
        targets_(!machine_.reduction && !machine_.terms.for_everyone) {}

  void arrivals() {
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      const std::string name = fmt::format("case {} is defined", i + 1);
      leaves_.push_back({name, items(), truth(true), defined(cases_[i].when)});
      if (cases_[i].arrival)
        leaves_.push_back({name + ", and its step", items(), in_case(i), defined(*cases_[i].arrival)});
    }
    const CoreExpression own = equal(any().holder, any().origin);
    never("everyone begins with its own", items(), {exists(any()), own, negated(had(any(), 0))});
    never("nobody begins with anything else", items(), {exists(any()), negated(own), had(any(), 0)});
  }

  void comes() {
    expect_size(item_, 1 + cases_.size(), 1 + cases_.size());
    const CoreRanges scope = joined({items(), {{step_name, 1, std::nullopt}}});
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      const ProofItem& list = item_.items[1 + i];
      if (head(list) != "case") throw Refused{list.span, "`case` is expected here"};
      std::vector<CoreExpression> given = {exists(any()), in_case(i)};
      if (!cases_[i].arrival) continue;
      given.push_back(equal(variable(step_name), *cases_[i].arrival));
      for (std::size_t w = 1; w < list.size(); ++w)
        given.push_back(negated(brought(list.items[w], names_of(scope, names_of(core_.parameters)))));
      never(fmt::format("what is had by case {} comes", i + 1), scope, std::move(given));
    }
  }

  // Copying: each chunk's sender had it; or its target has it then.
  void has(const CoreMessage& message, bool at_target) {
    // Processors on the way of what goes farther would get it, too.
    if (at_target && !machine_.rounds)
      leaves_.push_back(
          {"it goes to a neighbour", message.variables, message.given, equal(machine_.hops(ends_of(message)), 1)});
    each_sent(message, [&](const ItemSent& it, const std::string& name) {
      const CoreExpression& holder = at_target ? it.target : it.source;
      never(
          at_target ? name + " lands in what is had" : "the sender had " + name, it.scope,
          {it.given, negated(had({holder, it.origin, it.addressee, it.part}, at_target ? it.arrival : it.start - 1))});
    });
  }

  // Combining: all that its sender has is in what the target has then.
  void lands(const CoreMessage& message) {
    each_sent(message, [&](const ItemSent& it, const std::string& name) {
      never("what the sender had of " + name + ", the target has", with(it.scope, origin_name),
            {it.given, sent(it, origin_name), negated(held(it, origin_name, it.arrival))});
    });
  }

  void joins(const CoreMessage& message) {
    const bool disjoint = flag("disjoint", 2);
    each_sent(message, [&](const ItemSent& it, const std::string& name) {
      const CoreExpression before = it.arrival - 1;
      std::vector<CoreExpression> given = {it.given, sent(it, origin_name), held(it, origin_name, before)};
      CoreRanges scope = with(it.scope, origin_name);
      if (!disjoint) {
        given.insert(given.end(), {held(it, other_name, before), negated(sent(it, other_name))});
        scope = with(std::move(scope), other_name);
      }
      never(fmt::format("{} is disjoint from what is held{}", name, disjoint ? "" : ", or contains it"),
            std::move(scope), std::move(given));
    });
  }

  void no_gap(const CoreMessage& message) {
    each_sent(message, [&](const ItemSent& it, const std::string& name) {
      const std::string third = "!!any.origin";
      never(
          "no gap is left where something comes of " + name, with(with(with(it.scope, origin_name), other_name), third),
          {it.given, less(variable(origin_name), variable(other_name)), less(variable(other_name), variable(third)),
           held(it, origin_name, it.arrival), held(it, third, it.arrival), negated(held(it, other_name, it.arrival))});
    });
  }

  void at_once(const CoreMessage& a, const CoreMessage& b) {
    for (std::size_t i = 0; i < a.chunks.size(); ++i) {
      for (std::size_t j = a.name == b.name ? i : 0; j < b.chunks.size(); ++j) at_once(a, a.chunks[i], b, b.chunks[j]);
    }
  }

  // What a statement of an invariant says after its rounds.
  void said(const CoreInvariant& it, const CoreStatement& of) {
    const CoreRange step{it.step, it.first, it.last};
    const CoreRanges scope = joined({of.variables, {step, anyone(it.origin)}});
    const ItemOfRelation one{of.processor, variable(it.origin), of.addressee, of.part};
    const CoreExpression there = had(one, variable(it.step));
    leaves_.push_back({"its first step is 0 or later", {}, at_most(it.first, it.last), at_most(0, it.first)});
    never("what is stated is held", scope, {of.given, of.member, negated(all_of({exists(one), there}))});
    if (!of.at_least) never("what is held is stated", scope, {of.given, exists(one), there, negated(of.member)});
  }

  void arrived() {
    ItemOfRelation wanted = any();
    if (targets_) wanted.addressee = wanted.holder;
    never("what is wanted comes", items(),
          {exists(wanted), negated(equal(wanted.holder, wanted.origin)), negated(ever(wanted))});
  }

  void ends() {
    const auto term = [&](const Term& of) { return machine_.of_collective(of, {any().part, any().holder}); };
    const CoreExpression asked = machine_.truth_of_collective(machine_.reduction->wanted, {any().part, any().holder});
    const CoreExpression wanted = at_most(any().origin, term(machine_.reduction->last));
    never("what is wanted comes", items(), {asked, wanted, negated(ever(any()))});
    never("nothing else comes", items(), {asked, negated(wanted), ever(any())});
  }

 private:
  struct ItemOfRelation {
    CoreExpression holder, origin;
    std::optional<CoreExpression> addressee;
    CoreExpression part;
  };

  // One delivery, whose names stand for what is more than a number or a variable.
  struct ItemSent {
    CoreRanges scope;
    CoreExpression given, start, arrival, source, target, origin;
    std::optional<CoreExpression> addressee;
    CoreExpression part;
  };

  // Whether the application, of that many words, has (NAME) behind them.
  bool flag(const char* name, std::size_t words) const {
    expect_size(item_, words, words + 1);
    if (item_.size() == words) return false;
    if (head(item_.items.back()) == name) return true;
    throw Refused{item_.span, fmt::format("`{}` is expected here", name)};
  }

  CoreRange anyone(const std::string& name) const { return {name, 0, machine_.processors - 1}; }
  CoreRanges with(CoreRanges scope, const std::string& name) const {
    return joined({std::move(scope), {anyone(name)}});
  }

  ItemOfRelation any() const {
    return {variable(holder_name), variable(origin_name),
            targets_ ? std::optional(variable(addressee_name)) : std::nullopt, variable(part_name)};
  }

  CoreRanges items() const {
    CoreRanges all = {anyone(holder_name), anyone(origin_name), {part_name, 0, machine_.values - 1}};
    if (targets_) all.push_back(anyone(addressee_name));
    return all;
  }

  void never(std::string name, CoreRanges scope, std::vector<CoreExpression> given) {
    leaves_.push_back({std::move(name), std::move(scope), all_of(std::move(given)), truth(false)});
  }

  // --- the relation --------------------------------------------------------------------------------------------------

  CoreExpression exists(const ItemOfRelation& it) const {
    if (machine_.reduction) return truth(true);
    std::vector<CoreExpression> all;
    for (const PacketRule& rule : machine_.terms.rules)
      all.push_back(machine_.of_collective(rule.must, {it.origin, it.addressee.value_or(0)}));
    if (it.addressee) all.push_back(negated(equal(it.origin, *it.addressee)));
    return all_of(std::move(all));
  }

  CoreExpression in_case(std::size_t number) const {
    std::vector<CoreExpression> all;
    for (std::size_t i = 0; i < number; ++i) all.push_back(negated(cases_[i].when));
    all.push_back(cases_[number].when);
    return all_of(std::move(all));
  }

  // In one of the cases with a step, which satisfies `is`.
  template <class Is>
  CoreExpression some_case(const ItemOfRelation& it, const Is& is) const {
    CoreSubstitution by = {{holder_name, it.holder}, {origin_name, it.origin}, {part_name, it.part}};
    if (it.addressee) by.insert_or_assign(addressee_name, *it.addressee);
    std::vector<CoreExpression> ways;
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      if (cases_[i].arrival)
        ways.push_back(all_of({substituted(in_case(i), by), is(substituted(*cases_[i].arrival, by))}));
    }
    return any_of(std::move(ways));
  }

  CoreExpression had(const ItemOfRelation& it, const CoreExpression& step) const {
    return some_case(it, [&](const CoreExpression& arrival) { return at_most(arrival, step); });
  }
  CoreExpression ever(const ItemOfRelation& it) const {
    return some_case(it, [](const CoreExpression&) { return truth(true); });
  }

  // --- what is sent --------------------------------------------------------------------------------------------------

  // A variable in place of a number that `formed` shows to be from 0 to the last one.
  static CoreExpression named(const CoreExpression& x, const std::string& name, const CoreExpression& last,
                              ItemSent& it) {
    if (x.operands().empty()) return x;
    it.scope.push_back({name, 0, last});
    it.given = all_of({it.given, equal(variable(name), x)});
    return variable(name);
  }

  // `by`: other names for the variables. `mark`: of the names that it makes.
  ItemSent one(const CoreMessage& message, const CoreChunks& chunks, CoreRanges scope, const CoreExpression& given,
               const CoreSubstitution& by, const std::string& mark) const {
    const auto there = [&](const CoreExpression& x) { return substituted(x, by); };
    ItemSent it{std::move(scope), given, there(message.start), there(arrival(machine_, message)), 0, 0, 0, {}, 0};
    const auto processor = [&](const CoreExpression& x, const char* name) {
      return named(there(x), mark + name, machine_.processors - 1, it);
    };
    it.source = processor(message.source, "source");
    it.target = processor(message.target, "target");
    it.part = named(there(chunks.part), mark + "part", machine_.values - 1, it);
    if (machine_.reduction) return it;
    it.origin = processor(chunks.origin, "origin");
    if (chunks.addressee) it.addressee = processor(*chunks.addressee, "addressee");
    return it;
  }

  template <class Use>
  void each_sent(const CoreMessage& message, const Use& use) {
    for (std::size_t i = 0; i < message.chunks.size(); ++i) {
      const CoreChunks& chunks = message.chunks[i];
      use(one(message, chunks, scope_of(message, chunks), given_of(message, chunks), {}, "!"),
          fmt::format("chunks {}", i + 1));
    }
  }

  // Of that name: the sender had it before it sent; the target has it.
  CoreExpression sent(const ItemSent& it, const std::string& name) const {
    return had({it.source, variable(name), {}, it.part}, it.start - 1);
  }
  CoreExpression held(const ItemSent& it, const std::string& name, const CoreExpression& step) const {
    return had({it.target, variable(name), {}, it.part}, step);
  }

  void at_once(const CoreMessage& a, const CoreChunks& of_a, const CoreMessage& b, const CoreChunks& of_b) {
    const bool alone = flag("never", 3);
    for (const Pair& pair :
         pairs({scope_of(a, of_a), given_of(a, of_a)}, {scope_of(b, of_b), given_of(b, of_b)}, &of_a == &of_b)) {
      const ItemSent first = one(a, of_a, pair.scope, pair.given, {}, "!");
      const ItemSent second = one(b, of_b, first.scope, first.given, pair.second, "!!");
      const CoreExpression together = all_of({second.given, equal(first.target, second.target),
                                              equal(first.part, second.part), equal(first.arrival, second.arrival)});
      const std::string words = pair.words.empty() ? "" : ", " + pair.words;
      if (alone) {
        never("two never come at once" + words, second.scope, {together});
        continue;
      }
      const CoreExpression is_held = held(first, origin_name, first.arrival - 1);
      for (const auto& [x, y] :
           {std::pair(sent(first, origin_name), sent(second, origin_name)),
            std::pair(sent(first, origin_name), is_held), std::pair(sent(second, origin_name), is_held)})
        never("what comes at once, and what is held, is disjoint" + words, with(second.scope, origin_name),
              {together, x, y});
    }
  }

  // (brought M J (k X) …): message M exists with its J-th chunks and these values, arrives in any.step, and brings the
  // item. Where that is undefined it is false.
  CoreExpression brought(const ProofItem& it, const Names& names) const {
    if (head(it) != "brought") throw Refused{it.span, "`brought` is expected here"};
    const CoreMessage& message = message_named(core_, word(item(it, 1)));
    const std::size_t group = numbered(word(item(it, 2)));
    if (group >= message.chunks.size()) throw Refused{it.span, "there are no such chunks"};
    const CoreChunks& chunks = message.chunks[group];
    std::vector<CoreExpression> all;
    const CoreSubstitution by = instance(it, 3, scope_of(message, chunks), names, all);
    const auto there = [&](const CoreExpression& x) { return substituted(x, by); };
    all.insert(all.end(),
               {there(given_of(message, chunks)), equal(there(arrival(machine_, message)), variable(step_name)),
                equal(there(message.target), any().holder), equal(there(chunks.part), any().part)});
    if (!machine_.reduction) all.push_back(equal(there(chunks.origin), any().origin));
    if (targets_) all.push_back(equal(there(*chunks.addressee), *any().addressee));
    const CoreExpression whole = all_of(all);
    std::vector<CoreExpression> values;
    for (const auto& [name, value] : by) values.push_back(defined(value));
    values.insert(values.end(), {defined(whole), whole});
    if (machine_.reduction)
      values.push_back(had({there(message.source), any().origin, {}, any().part}, there(message.start) - 1));
    return all_of(std::move(values));
  }

  const CoreForm& core_;
  const CoreMachine& machine_;
  const std::vector<CoreArrival>& cases_;
  const ProofItem& item_;
  Leaves& leaves_;
  bool targets_;  // packets have an addressee
};

}  // namespace

std::vector<CoreArrival> read_arrivals(const ProofItem& item, const ProofSubject& subject) {
  Names names = names_of(subject.core.parameters, {holder_name, origin_name, part_name});
  if (!subject.machine.reduction && !subject.machine.terms.for_everyone) names.insert(addressee_name);
  expect_size(item, 2, 1 + most_families);
  std::vector<CoreArrival> all;
  for (std::size_t i = 1; i < item.size(); ++i) {
    const ProofItem& it = item.items[i];
    if (head(it) != "case") throw Refused{it.span, "`case` is expected here"};
    expect_size(it, 3, 3);
    const bool comes = it.items[2].list || it.items[2].word != "never";
    all.push_back(
        {read_truth(it.items[1], names), comes ? std::optional(read_number(it.items[2], names)) : std::nullopt});
  }
  return all;
}

void arrivals(const ProofSubject& subject, const Application& application, Leaves& leaves) {
  ByRelation(subject, application, leaves).arrivals();
}

void has(const ProofSubject& subject, const Application& application, Leaves& leaves) {
  ByRelation(subject, application, leaves).has(message_named(subject.core, application.subjects[0]), false);
}

void lands(const ProofSubject& subject, const Application& application, Leaves& leaves) {
  ByRelation rule(subject, application, leaves);
  const CoreMessage& message = message_named(subject.core, application.subjects[0]);
  subject.machine.reduction ? rule.lands(message) : rule.has(message, true);
}

void joins(const ProofSubject& subject, const Application& application, Leaves& leaves) {
  ByRelation(subject, application, leaves).joins(message_named(subject.core, application.subjects[0]));
}

void no_gap(const ProofSubject& subject, const Application& application, Leaves& leaves) {
  ByRelation(subject, application, leaves).no_gap(message_named(subject.core, application.subjects[0]));
}

void at_once(const ProofSubject& subject, const Application& application, Leaves& leaves) {
  ByRelation(subject, application, leaves)
      .at_once(message_named(subject.core, application.subjects[0]),
               message_named(subject.core, application.subjects[1]));
}

void said(const ProofSubject& subject, const Application& application, Leaves& leaves) {
  const CoreInvariant& invariant = subject.core.invariants.at(numbered(application.subjects[0]));
  ByRelation(subject, application, leaves).said(invariant, invariant.statements.at(numbered(application.subjects[1])));
}

void comes(const ProofSubject& subject, const Application& application, Leaves& leaves) {
  ByRelation(subject, application, leaves).comes();
}

void arrived(const ProofSubject& subject, const Application& application, Leaves& leaves) {
  ByRelation(subject, application, leaves).arrived();
}

void ends(const ProofSubject& subject, const Application& application, Leaves& leaves) {
  ByRelation(subject, application, leaves).ends();
}

}  // namespace quadrille::proof_reader
