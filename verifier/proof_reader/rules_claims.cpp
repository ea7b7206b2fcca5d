// Rule `claimed`: a claim holds, with formulas in place of the measures that it speaks of; each is shown to be right.
//
//   (claimed 1 (never))                                 its condition never holds
//   (claimed 1 (last T WITNESS…)                        steps, rounds: the last arrival is T
//              (volume W (sum A) WITNESS…)              volume: round r adds W at r, in all A at T less A at 0
//              (hops W (sum A) WITNESS…)
//              (messages (message m1 (sum A)…)…)
//              (lengths (message m1 (chunks (sum A)…)…)…))  of messages that may have several chunks
//
// Why it is sound. Last arrival: nothing arrives later than T, and some witness, a message with these values of its
// variables, arrives then. Volume, on held paths: the longest message of a round is no longer than W, and in every
// round from 1 to T a witness is as long; the rounds after T have no messages. Likewise hops, with ways in place of
// lengths. Messages are counted as deliveries are (rules_delivery.cpp).
//
// Example: "for (d 1 (+ N -1))" in round d: T = N - 1, with the witness d = N - 1; in every round r the witness d = r.
#include <fmt/format.h>

#include <map>

#include "verifier/proof_reader/rules.h"

namespace quadrille::proof_reader {
namespace {

constexpr const char* round_name = "measure.round";

class Claimed {
 public:
  Claimed(const ProofSubject& subject, const Application& application, Leaves& leaves)
      : subject_(subject),
        core_(subject.core),
        machine_(subject.machine),
        claim_(subject.core.claims.at(numbered(application.subjects[0]))),
        item_(application.item),
        leaves_(leaves),
        names_(names_of(core_.parameters)) {}

  void write() {
    if (is_open(item_)) return expect_size(item_, 3, 3);
    add("its condition is defined", {}, truth(true), defined(claim_.when));
    if (optional_field(item_, "never") != nullptr)
      return add("its condition never holds", {}, truth(true), negated(claim_.when));
    measures_.insert_or_assign("measure.max_queue", 0);
    if (const ProofItem* last = optional_field(item_, "last")) write_last(*last);
    if (const ProofItem* lengths = optional_field(item_, "lengths")) write_lengths(*lengths);
    for (const char* what : {"volume", "hops"}) {
      if (const ProofItem* sum = optional_field(item_, what)) write_sum(*sum, what);
    }
    if (const ProofItem* messages = optional_field(item_, "messages")) write_messages(*messages);
    const CoreExpression holds = substituted(claim_.holds, measures_);
    std::set<std::string> left;
    collect_names(holds, left);
    for (const std::string& name : left) {
      if (!names_.contains(name))
        throw Refused{item_.span, fmt::format("the claim speaks of {}, and nothing shows it", name)};
    }
    add("the claim holds", {}, claim_.when, holds);
  }

 private:
  void add(std::string name, CoreRanges scope, const CoreExpression& given, const CoreExpression& must) {
    leaves_.push_back({std::move(name), std::move(scope), given, must});
  }

  // Some message of the list's witnesses, from item `at` on, is there, and `is` holds of it.
  template <class Is>
  CoreExpression some_witness(const ProofItem& list, std::size_t at, const Names& names, const Is& is) const {
    std::vector<CoreExpression> ways;
    for (std::size_t i = at; i < list.size(); ++i) ways.push_back(witness(list.items[i], names, is));
    return any_of(std::move(ways));
  }

  // (witness m1 1 (d E) …): the message m1, with its first chunks, and a value for each of its variables.
  template <class Is>
  CoreExpression witness(const ProofItem& it, const Names& names, const Is& is) const {
    if (head(it) != "witness") throw Refused{it.span, "`witness` is expected here"};
    const CoreMessage& message = message_named(core_, word(item(it, 1)));
    const std::size_t group = numbered(word(item(it, 2)));
    if (group >= message.chunks.size()) throw Refused{it.span, fmt::format("{} has no such chunks", message.name)};
    const CoreChunks& chunks = message.chunks[group];
    std::vector<CoreExpression> parts;
    const CoreSubstitution by = instance(it, 3, scope_of(message, chunks), names, parts);
    parts.push_back(substituted(all_of({message.given, chunks.given, is(message)}), by));
    return all_of(std::move(parts));
  }

  void write_last(const ProofItem& it) {
    expect_size(it, 3, most_variables);
    last_ = read_number(it.items[1], names_);
    for (const CoreMessage& message : core_.messages) {
      for (const CoreChunks& chunks : message.chunks)
        add(fmt::format("{} arrives in time", message.name), joined({message.variables, chunks.variables}),
            all_of({message.given, chunks.given, claim_.when}), at_most(arrival(machine_, message), *last_));
    }
    add("something arrives at last", {}, claim_.when, some_witness(it, 2, names_, [&](const CoreMessage& message) {
          return equal(arrival(machine_, message), *last_);
        }));
    measures_.insert_or_assign("measure.steps", *last_);
    if (machine_.rounds) measures_.insert_or_assign("measure.rounds", *last_);
  }

  // (lengths (message m1 (chunks (sum A) …) …) …)
  void write_lengths(const ProofItem& it) {
    expect_size(it, 1 + core_.messages.size(), 1 + core_.messages.size());
    for (std::size_t i = 0; i < core_.messages.size(); ++i) {
      const CoreMessage& message = core_.messages[i];
      const ProofItem& list = it.items[1 + i];
      if (head(list) != "message" || word(item(list, 1)) != message.name)
        throw Refused{list.span, fmt::format("(message {} …) is expected here", message.name)};
      expect_size(list, 2 + message.chunks.size(), 2 + message.chunks.size());
      CoreExpression length = 0;
      for (std::size_t c = 0; c < message.chunks.size(); ++c)
        length = length + length_of(message, message.chunks[c], list.items[2 + c]);
      add(message.name + " has a chunk", message.variables, all_of({message.given, claim_.when}), at_most(1, length));
      lengths_.insert_or_assign(message.name, length);
    }
  }

  CoreExpression length_of(const CoreMessage& message, const CoreChunks& chunks, const ProofItem& sums) {
    if (head(sums) != "chunks") throw Refused{sums.span, "`chunks` is expected here"};
    const std::string name = "the length of " + message.name;
    const CoreExpression given = all_of({message.given, claim_.when});
    add(name + ", no condition leaves chunks out", scope_of(message, chunks), given, chunks.given);
    return number_of(subject_, chunks.variables, sums, message.variables, given, name, leaves_);
  }

  // What the message adds to a sum over rounds. Without `lengths`, its chunks are one, by their form.
  CoreExpression weight(const CoreMessage& message, const std::string& what) const {
    const auto known = lengths_.find(message.name);
    const bool one =
        message.chunks.size() == 1 && message.chunks[0].variables.empty() && message.chunks[0].given.is(true);
    if (!one && known == lengths_.end())
      throw Refused{item_.span, fmt::format("the {} of messages of several chunks needs `lengths`", what)};
    if (what == "hops") return machine_.hops(ends_of(message));
    return known == lengths_.end() ? CoreExpression(1) : known->second;
  }

  void write_sum(const ProofItem& it, const std::string& what) {
    expect_size(it, 4, most_variables);
    if (!last_ || !machine_.rounds || (machine_.shared && what == "volume"))
      throw Refused{it.span,
                    fmt::format("no rule of proof is for {} here: in rounds, on held paths, with `last`", what)};
    const CoreRange round{round_name, 1, last_};
    Names names = names_;
    names.insert(round.name);
    const CoreExpression most = read_number(it.items[1], names);
    for (const CoreMessage& message : core_.messages)
      add(fmt::format("{}, {} adds no more", what, message.name), message.variables,
          all_of({message.given, claim_.when}),
          at_most(weight(message, what), substituted(most, {{round.name, message.start}})));
    add(fmt::format("{}, something adds as much in every round", what), {round}, claim_.when,
        some_witness(it, 3, names, [&](const CoreMessage& message) {
          return all_of({equal(message.start, variable(round.name)), at_most(most, weight(message, what))});
        }));
    measures_.insert_or_assign("measure." + what,
                               summed(most, round, it.items[2], {}, claim_.when, what, subject_, leaves_));
  }

  void write_messages(const ProofItem& it) {
    expect_size(it, 1 + core_.messages.size(), 1 + core_.messages.size());
    CoreExpression total = 0;
    for (std::size_t i = 0; i < core_.messages.size(); ++i) {
      const CoreMessage& message = core_.messages[i];
      weight(message, "number");  // a message of no chunks is none
      const ProofItem& sums = it.items[1 + i];
      if (word(item(sums, 0)) != message.name)
        throw Refused{sums.span, fmt::format("`{}` is expected here", message.name)};
      const std::string name = fmt::format("the number of {}", message.name);
      add(name + ", no condition leaves any out", message.variables, truth(true), message.given);
      total = total + number_of(subject_, message.variables, sums, {}, truth(true), name, leaves_);
    }
    measures_.insert_or_assign("measure.messages", total);
  }

  const ProofSubject& subject_;
  const CoreForm& core_;
  const CoreMachine& machine_;
  const CoreClaim& claim_;
  const ProofItem& item_;
  Leaves& leaves_;
  Names names_;
  std::optional<CoreExpression> last_;
  CoreSubstitution measures_;
  std::map<std::string, CoreExpression> lengths_;  // by message
};

}  // namespace

bool is_open(const ProofItem& claim) { return optional_field(claim, "open") != nullptr; }

void claimed(const ProofSubject& subject, const Application& application, Leaves& leaves) {
  Claimed(subject, application, leaves).write();
}

}  // namespace quadrille::proof_reader
