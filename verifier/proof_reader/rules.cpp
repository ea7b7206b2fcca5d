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
  Property property;
  std::string_view name;
  void (*write)(const Subject& subject, const Application& application, Leaves& leaves);
};

// That no packet waits, and that each has a lane of its own, is so by what a core form can say, and by `apart`.
void nothing(const Subject&, const Application&, Leaves&) {}

constexpr std::array<Rule, 10> rules = {{{Property::well_formed, "formed", formed},
                                         {Property::contention_free, "apart", apart},
                                         {Property::capacity, "ports", ports},
                                         {Property::capacity, "own_lanes", nothing},
                                         {Property::causal, "own", own},
                                         {Property::queue, "no_waiting", nothing},
                                         {Property::complete, "wanted", wanted},
                                         {Property::complete, "once", once},
                                         {Property::complete, "counted", counted},
                                         {Property::claims, "claimed", claimed}}};

class Required {
 public:
  explicit Required(const Subject& subject) : subject_(subject) {}

  std::vector<Application> list() {
    const CoreForm& core = subject_.core;
    add(Property::well_formed, "formed", {"parameters"});
    for (std::size_t i = 1; i <= core.conditions.size(); ++i)
      add(Property::well_formed, "formed", {"condition", std::to_string(i)});
    for (const Message& message : core.messages) add(Property::well_formed, "formed", {"message", message.name});
    each_pair(Property::contention_free, "apart");
    if (subject_.machine.single_port) {
      each_pair(Property::capacity, "ports");
    } else {
      add(Property::capacity, "own_lanes", {});
    }
    each_message(Property::causal, "own");
    add(Property::queue, "no_waiting", {});
    each_message(Property::complete, "wanted");
    each_pair(Property::complete, "once");
    add(Property::complete, "counted", {});
    for (std::size_t i = 1; i <= core.claims.size(); ++i) add(Property::claims, "claimed", {std::to_string(i)});
    return std::move(all_);
  }

 private:
  void add(Property property, std::string rule, std::vector<std::string> subjects) {
    all_.push_back({property, std::move(rule), std::move(subjects), {}});
  }

  void each_message(Property property, const char* rule) {
    for (const Message& message : subject_.core.messages) add(property, rule, {message.name});
  }

  void each_pair(Property property, const char* rule) {
    const auto& messages = subject_.core.messages;
    for (std::size_t f = 0; f < messages.size(); ++f) {
      for (std::size_t g = f; g < messages.size(); ++g) add(property, rule, {messages[f].name, messages[g].name});
    }
  }

  const Subject& subject_;
  std::vector<Application> all_;
};

}  // namespace

std::string_view to_string(Property property) {
  static constexpr std::array<std::string_view, properties> names = {
      "well_formed", "contention_free", "capacity", "causal", "queue", "complete", "claims"};
  return names[static_cast<std::size_t>(property)];
}

std::string Application::words() const {
  std::vector<std::string> all = {rule};
  all.insert(all.end(), subjects.begin(), subjects.end());
  return fmt::format("{} ({})", to_string(property), fmt::join(all, " "));
}

std::vector<Application> required(const Subject& subject) { return Required(subject).list(); }

std::vector<Leaf> leaves_of(const Subject& subject, const Application& application) {
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

const Message& message_named(const CoreForm& core, const std::string& name) {
  const auto found = std::ranges::find_if(core.messages, [&](const Message& each) { return each.name == name; });
  if (found == core.messages.end()) throw Refused{{}, fmt::format("there is no message `{}`", name)};
  return *found;
}

std::size_t numbered(const std::string& subject) {
  std::size_t number = 0;
  std::from_chars(subject.data(), subject.data() + subject.size(), number);
  if (number == 0) throw Refused{{}, fmt::format("`{}` is no number from 1 on", subject)};
  return number - 1;
}

Ranges joined(std::vector<Ranges> all) {
  Ranges result;
  for (Ranges& each : all) result.insert(result.end(), each.begin(), each.end());
  return result;
}

Expression arrival(const Machine& machine, const Message& message) {
  if (machine.rounds) return message.start;
  return message.start + machine.hops({message.source, message.target}) - 1;
}

}  // namespace quadrille::proof_reader
