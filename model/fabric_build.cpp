// Makes a fabric from its description: the family makes the topology; the rules are the same for all.
//
// For example, for `ring:8,ports=single` the family ring takes the 8, and the rules are one port, full duplex, and
// queues without limit. A graph may have rules of its own in its JSON; those of the description have precedence.
// Unknown keys are refused before anything is made, and the nearest one is offered. Cost: that of the fabric's
// tables.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "model/fabric_notation.h"

namespace quadrille {
namespace {

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates) {
  if (const auto near = nearest(word, candidates)) return fmt::format("did you mean `{}`?", *near);
  return fmt::format("expected {}", fmt::join(candidates, ", "));
}

Rules rules_of(FabricArguments& given) {
  Rules rules;
  rules.duplex = static_cast<Duplex>(given.choice("duplex"));
  rules.ports = static_cast<Ports>(given.choice("ports"));
  rules.switches = static_cast<Switching>(given.choice("switches"));
  rules.timing = static_cast<Timing>(given.choice("timing"));
  rules.paths = static_cast<Paths>(given.choice("paths"));
  if (!rules.in_rounds()) rules.paths = Paths::held;
  const auto word = given.word("queue");
  if (word == "none") {
    rules.queue.limit = 0;
  } else if (word && *word != "unbounded") {
    given.report_error("queue", fmt::format("queue is `{}`; expected unbounded, none or a number", *word));
  } else if (!word && given.has("queue")) {
    rules.queue.limit = given.number("queue");
  }
  return rules;
}

Diagnostics faults_of_keys(const FabricDescription& description, const TopologyFamily& family) {
  std::vector<std::string> keys;
  for (const FabricParameter& parameter : family.parameters) keys.push_back(parameter.name);
  for (const FabricParameter& rule : rule_parameters()) keys.push_back(rule.name);
  Diagnostics faults;
  for (const auto& [key, entry] : description.arguments) {
    if (key.empty() || std::ranges::find(keys, key) != keys.end()) continue;
    faults.push_back(error_at(
        entry.span, fmt::format("{} has no `{}`; {}", description.kind, key, suggestion(key, keys)), Code::name));
  }
  if (family.parameters.empty() && description.arguments.contains("")) {
    faults.push_back(error_at(description.arguments.at("").span,
                              fmt::format("{} has no arguments but {}", family.name,
                                          fmt::join(std::span(keys).subspan(family.parameters.size()), ", ")),
                              Code::name));
  }
  return faults;
}

// The rules, some of which the topology may have suggested.
Rules rules_with_suggestions(FabricDescription description, FabricArguments& given, const TopologyFamily& family) {
  if (given.suggested_rules().empty()) return rules_of(given);
  const Span span = given.whole_span();
  // insert() keeps what is there: a rule that a person gave wins over the one that the topology brings along.
  for (const auto& [name, value] : given.suggested_rules()) description.arguments.insert({name, {value, span}});
  FabricArguments with_suggestions(description, family.parameters, given.read_file());
  const Rules rules = rules_of(with_suggestions);
  given.report_error(with_suggestions.faults());
  return rules;
}

Rules rules_of(const FabricDescription& description, FabricArguments& given, const TopologyFamily& family) {
  const Rules rules = rules_with_suggestions(description, given, family);
  if (given.has("paths") && !rules.in_rounds()) {
    given.report_error("paths", "messages hold or share their paths in rounds only: this needs `timing=rounds`");
  }
  return rules;
}

}  // namespace

Diagnostics faults_of_names(const FabricDescription& description, const Families& families) {
  if (const TopologyFamily* family = families.topology(description.kind)) return faults_of_keys(description, *family);
  const std::size_t comma = description.kind.find(',');
  if (comma != description.kind.npos && families.topology(description.kind.substr(0, comma)) != nullptr) {
    std::string colon = description.kind;
    colon[comma] = ':';
    return {error_at(description.span,
                     fmt::format("unknown fabric `{}`; arguments stand behind a colon: `{}`", description.kind, colon),
                     Code::name)};
  }
  std::vector<std::string> names;
  for (const TopologyFamily& known : families.topologies) names.push_back(known.name);
  const auto near = nearest(description.kind, names);
  return {error_at(
      description.span,
      fmt::format("unknown fabric `{}`; {}", description.kind,
                  near ? fmt::format("did you mean `{}`?", *near) : std::string("`quadrille fabrics` names the kinds")),
      Code::name)};
}

Result<Fabric> build_fabric(const FabricDescription& description, const ReadFile& read_file, const Families& families,
                            const Limits& limits) {
  if (Diagnostics faults = faults_of_names(description, families); !faults.empty()) return faults;
  const TopologyFamily* family = families.topology(description.kind);
  FabricArguments given(description, family->parameters, read_file, limits, &families);
  std::shared_ptr<const Topology> topology = family->make(given);
  if (topology == nullptr && !given.faults().empty()) return given.faults();
  const Rules rules = rules_of(description, given, *family);
  if (!given.faults().empty()) return given.faults();
  return Fabric::make(std::move(topology), rules, given.whole_span(), limits);
}

}  // namespace quadrille
