// Which applications of rules a core form needs follows from it alone: every message, every pair of messages, every
// condition and claim. So a proof cannot leave anything out.
//
// Example: a core form with one message m1, and one claim, on a fabric in rounds with single ports, needs (formed
// parameters), (formed message m1), (apart m1 m1), (ports m1 m1), (own m1), (no_waiting), (wanted m1), (once m1 m1),
// (counted) and (claimed 1).
//
// Cost: quadratic in the number of messages.
#include "verifier/proof_reader/rules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace quadrille::proof_reader {
namespace {

struct Rule {
  ProofProperty property;
  std::string_view name;
  void (*write)(const ProofSubject& subject, const Application& application, Leaves& leaves);
};

// That no packet waits, and that each has a lane of its own, is so by what a core form can say, and by `apart`.
void nothing(const ProofSubject&, const Application&, Leaves&) {}

constexpr std::array<Rule, 25> rules = {{{ProofProperty::well_formed, "formed", formed},
                                         {ProofProperty::contention_free, "apart", apart},
                                         {ProofProperty::contention_free, "turns", turns},
                                         {ProofProperty::capacity, "ports", ports},
                                         {ProofProperty::capacity, "own_lanes", nothing},
                                         {ProofProperty::causal, "own", own},
                                         {ProofProperty::queue, "no_waiting", nothing},
                                         {ProofProperty::complete, "wanted", wanted},
                                         {ProofProperty::complete, "once", once},
                                         {ProofProperty::complete, "counted", counted},
                                         {ProofProperty::claims, "claimed", claimed},
                                         {ProofProperty::causal, "passed_on", passed_on},
                                         {ProofProperty::complete, "by_invariant", by_invariant},
                                         {ProofProperty::causal, "arrivals", arrivals},
                                         {ProofProperty::causal, "has", has},
                                         {ProofProperty::complete, "lands", lands},
                                         {ProofProperty::complete, "joins", joins},
                                         {ProofProperty::complete, "no_gap", no_gap},
                                         {ProofProperty::complete, "at_once", at_once},
                                         {ProofProperty::complete, "comes", comes},
                                         {ProofProperty::complete, "arrived", arrived},
                                         {ProofProperty::complete, "ends", ends},
                                         {ProofProperty::invariants, "said", said},
                                         {ProofProperty::invariants, "begins", begins},
                                         {ProofProperty::invariants, "kept", kept}}};

class Required {
 public:
  Required(const ProofSubject& subject, const Has& has) : subject_(subject), has_(has) {}

  std::vector<Application> list() {
    const CoreForm& core = subject_.core;
    add(ProofProperty::well_formed, "formed", {"parameters"});
    for (std::size_t i = 1; i <= core.conditions.size(); ++i)
      add(ProofProperty::well_formed, "formed", {"condition", std::to_string(i)});
    for (const CoreMessage& message : core.messages)
      add(ProofProperty::well_formed, "formed", {"message", message.name});
    if (subject_.machine.levels) each_message(ProofProperty::contention_free, "turns");
    each_pair(ProofProperty::contention_free, "apart");
    if (subject_.machine.single_port) {
      each_pair(ProofProperty::capacity, "ports");
    } else {
      add(ProofProperty::capacity, "own_lanes", {});
    }
    add_invariants();
    add(ProofProperty::queue, "no_waiting", {});
    if (subject_.machine.reduction) {
      add_combined();
    } else if (by_relation()) {
      add_copied();
    } else {
      add_counted();
    }
    for (std::size_t i = 1; i <= core.claims.size(); ++i) add(ProofProperty::claims, "claimed", {std::to_string(i)});
    return std::move(all_);
  }

 private:
  void add(ProofProperty property, std::string rule, std::vector<std::string> subjects) {
    all_.push_back({property, std::move(rule), std::move(subjects), {}});
  }

  bool by_relation() const { return subject_.machine.reduction || has_({ProofProperty::causal, "arrivals", {}, {}}); }

  void add_invariants() {
    const auto& invariants = subject_.core.invariants;
    for (std::size_t i = 1; i <= invariants.size(); ++i) {
      add(ProofProperty::well_formed, "formed", {"invariant", std::to_string(i)});
      const bool related = by_relation();
      if (!related) add(ProofProperty::invariants, "begins", {std::to_string(i)});
      for (std::size_t s = 1; s <= invariants[i - 1].statements.size(); ++s)
        add(ProofProperty::invariants, related ? "said" : "kept", {std::to_string(i), std::to_string(s)});
    }
  }

  // What packets carry, and what is held, is what the relation says.
  void add_combined() {
    const Operation operation = subject_.machine.operation;
    add(ProofProperty::causal, "arrivals", {});
    each_message(ProofProperty::causal, "own");
    each_message(ProofProperty::complete, "lands");
    if (operation != Operation::idempotent) {
      each_message(ProofProperty::complete, "joins");
      each_pair(ProofProperty::complete, "at_once");
    }
    if (operation == Operation::ordered) each_message(ProofProperty::complete, "no_gap");
    add(ProofProperty::complete, "comes", {});
    add(ProofProperty::complete, "ends", {});
  }

  // What the relation says is held.
  void add_copied() {
    add(ProofProperty::causal, "arrivals", {});
    each_message(ProofProperty::causal, "has");
    if (!subject_.core.invariants.empty()) each_message(ProofProperty::complete, "lands");
    add(ProofProperty::complete, "comes", {});
    add(ProofProperty::complete, "arrived", {});
  }

  void add_counted() {
    for (const CoreMessage& message : subject_.core.messages) {
      const bool passed = has_({ProofProperty::causal, "passed_on", {message.name}, {}});
      add(ProofProperty::causal, passed ? "passed_on" : "own", {message.name});
    }
    const Application by_invariant{ProofProperty::complete, "by_invariant", {}, {}};
    if (has_(by_invariant)) return all_.push_back(by_invariant);
    each_message(ProofProperty::complete, "wanted");
    each_pair(ProofProperty::complete, "once");
    add(ProofProperty::complete, "counted", {});
  }

  void each_message(ProofProperty property, const char* rule) {
    for (const CoreMessage& message : subject_.core.messages) add(property, rule, {message.name});
  }

  void each_pair(ProofProperty property, const char* rule) {
    const auto& messages = subject_.core.messages;
    for (std::size_t f = 0; f < messages.size(); ++f) {
      for (std::size_t g = f; g < messages.size(); ++g) add(property, rule, {messages[f].name, messages[g].name});
    }
  }

  const ProofSubject& subject_;
  const Has& has_;
  std::vector<Application> all_;
};

}  // namespace

std::string_view to_string(ProofProperty property) {
  static constexpr std::array<std::string_view, properties> names = {
      "well_formed", "contention_free", "capacity", "causal", "queue", "complete", "claims", "invariants"};
  return names[static_cast<std::size_t>(property)];
}

std::string Application::words() const {
  std::vector<std::string> all = {rule};
  all.insert(all.end(), subjects.begin(), subjects.end());
  return fmt::format("{} ({})", to_string(property), fmt::join(all, " "));
}

std::vector<Application> required(const ProofSubject& subject, const Has& has) { return Required(subject, has).list(); }

std::vector<Leaf> leaves_of(const ProofSubject& subject, const Application& application) {
  const auto* rule = std::find_if(rules.begin(), rules.end(), [&](const Rule& each) {
    return each.property == application.property && each.name == application.rule;
  });
  if (rule == rules.end()) throw Refused{application.item.span, application.words() + ": there is no such rule"};
  Leaves leaves;
  rule->write(subject, application, leaves);
  for (Leaf& leaf : leaves) {
    leaf.name = fmt::format("{}: {}", application.words(), leaf.name);
    leaf.scope = joined({subject.core.parameters, leaf.scope});
  }
  return leaves;
}

const CoreMessage& message_named(const CoreForm& core, const std::string& name) {
  const auto found = std::ranges::find_if(core.messages, [&](const CoreMessage& each) { return each.name == name; });
  if (found == core.messages.end()) throw Refused{{}, fmt::format("there is no message `{}`", name)};
  return *found;
}

std::size_t numbered(const std::string& subject) {
  std::size_t number = 0;
  std::from_chars(subject.data(), subject.data() + subject.size(), number);
  if (number == 0) throw Refused{{}, fmt::format("`{}` is no number from 1 on", subject)};
  return number - 1;
}

CoreRanges joined(std::vector<CoreRanges> all) {
  CoreRanges result;
  for (CoreRanges& each : all) result.insert(result.end(), each.begin(), each.end());
  return result;
}

CoreRanges scope_of(const CoreMessage& message, const CoreChunks& chunks) {
  return joined({message.variables, chunks.variables});
}
CoreExpression given_of(const CoreMessage& message, const CoreChunks& chunks) {
  return all_of({message.given, chunks.given});
}

CoreSubstitution instance(const ProofItem& item, std::size_t at, const CoreRanges& ranges, const Names& names,
                          std::vector<CoreExpression>& inside) {
  expect_size(item, at + ranges.size(), at + ranges.size());
  CoreSubstitution by;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const ProofItem& value = item.items[at + i];
    expect_size(value, 2, 2);
    if (head(value) != ranges[i].name) throw Refused{value.span, fmt::format("`{}` is expected here", ranges[i].name)};
    const CoreExpression x = read_number(value.items[1], names);
    const CoreRange there{ranges[i].name, substituted(ranges[i].first, by), substituted(*ranges[i].last, by)};
    inside.push_back(in_range(there, x));
    by.insert_or_assign(ranges[i].name, x);
  }
  return by;
}

CoreExpression arrival(const CoreMachine& machine, const CoreMessage& message) {
  if (machine.rounds) return message.start;
  return message.start + machine.hops(ends_of(message)) - 1;
}

}  // namespace quadrille::proof_reader
