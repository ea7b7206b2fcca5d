// A family takes its fabric's arguments out one by one. Each argument is found (by name, or unnamed if it is the
// first), must be of its kind and in its range, and has a default or is required. Errors are collected here, at the
// argument's place, so a family only asks.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <string>

#include "model/families.h"
#include "model/topology_family.h"

namespace quadrille {

FabricArguments::FabricArguments(const FabricDescription& description, const std::vector<FabricParameter>& parameters,
                                 const ReadFile& read_file, Limits limits, const Families* families)
    : description_(description),
      parameters_(parameters),
      read_file_(read_file),
      limits_(std::move(limits)),
      families_(families),
      unnamed_(parameters.empty() ? "" : parameters.front().name) {
  if (!unnamed_.empty() && find_named("") && find_named(unnamed_)) {
    report_error(find_named(unnamed_)->span, fmt::format("{} is given twice", unnamed_), Code::duplicate);
  }
}

const Families& FabricArguments::families() const { return families_ != nullptr ? *families_ : standard_families(); }

const FabricDescription::Entry* FabricArguments::find_named(const std::string& name) const {
  const auto found = description_.arguments.find(name);
  return found == description_.arguments.end() ? nullptr : &found->second;
}

const FabricDescription::Entry* FabricArguments::find(const std::string& name) const {
  const FabricDescription::Entry* named = find_named(name);
  return !named && name == unnamed_ ? find_named("") : named;
}

const FabricParameter& FabricArguments::parameter(const std::string& name) const {
  const auto named = [&](const FabricParameter& it) { return it.name == name; };
  const auto own = std::ranges::find_if(parameters_, named);
  if (own != parameters_.end()) return *own;
  const auto rule = std::ranges::find_if(rule_parameters(), named);
  assert(rule != rule_parameters().end());
  return *rule;
}

Span FabricArguments::span(const std::string& name) const { return find(name)->span; }

Span FabricArguments::whole_span() const {
  Span span = description_.span;
  for (const auto& [name, entry] : description_.arguments) span = cover(span, entry.span);
  return span;
}

std::optional<std::string> FabricArguments::word(const std::string& name) const {
  const auto* entry = find(name);
  const auto* word = entry ? std::get_if<std::string>(&entry->value) : nullptr;
  return word ? std::optional(*word) : std::nullopt;
}

std::uint32_t FabricArguments::number(const std::string& name) {
  const auto& usual = parameter(name).usual;
  if (!has(name) && usual) return static_cast<std::uint32_t>(std::stoul(*usual));
  const std::vector<std::uint32_t> list = numbers(name);
  if (list.size() > 1) report_error(name, fmt::format("{} has {} values; expected 1", name, list.size()));
  return list.size() == 1 ? list.front() : 0;
}

std::vector<std::uint32_t> FabricArguments::numbers(const std::string& name) {
  if (!has(name)) {
    report_error(description_.span, fmt::format("`{}` needs `{}`", description_.kind, name), Code::missing);
    return {};
  }
  const auto* list = std::get_if<std::vector<std::int64_t>>(&find(name)->value);
  if (!list || list->empty()) {
    report_error(name, fmt::format("{} is {}; expected {}", name, list ? "empty" : fmt::format("`{}`", *word(name)),
                                   name == "extents" ? "numbers joined by x, such as 4x4" : "a number"));
    return {};
  }
  const auto [low, high] = std::pair(parameter(name).low, parameter(name).high);
  std::vector<std::uint32_t> result;
  for (const std::int64_t number : *list) {
    if (number < std::int64_t{low} || number > std::int64_t{high}) {
      const std::string& own = parameter(name).values;
      report_error(name, fmt::format("{} is {}; expected {}", name, number,
                                     own.empty() ? fmt::format("{} to {}", low, high) : own));
      return {};
    }
    result.push_back(static_cast<std::uint32_t>(number));
  }
  return result;
}

std::size_t FabricArguments::choice(const std::string& name) {
  if (!has(name)) return 0;
  const std::vector<std::string>& words = parameter(name).words;
  const auto given = word(name);
  if (given) {
    const auto found = std::ranges::find(words, *given);
    if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  }
  const auto* list = std::get_if<std::vector<std::int64_t>>(&find(name)->value);
  report_error(name, fmt::format("{} is {}; expected {}", name,
                                 list ? fmt::format("{}", fmt::join(*list, ",")) : fmt::format("`{}`", *given),
                                 fmt::join(words, " or ")));
  return 0;
}

void FabricArguments::suggest_rule(const std::string& name, FabricDescription::Argument value) {
  suggested_.insert_or_assign(name, std::move(value));
}

std::string values_of(const FabricParameter& parameter) {
  if (!parameter.values.empty()) return parameter.values;
  if (!parameter.words.empty() && parameter.kind == FabricParameter::Kind::text)
    return fmt::format("{}", fmt::join(parameter.words, " or "));
  if (parameter.kind == FabricParameter::Kind::text) return "a text";
  const std::string numbers = parameter.high == std::numeric_limits<std::uint32_t>::max()
                                  ? fmt::format("{} or more", parameter.low)
                                  : fmt::format("{} to {}", parameter.low, parameter.high);
  const std::string several = parameter.kind == FabricParameter::Kind::numbers ? "each " : "";
  return fmt::format("{}{}{}{}", several, numbers, parameter.words.empty() ? "" : ", or ",
                     fmt::join(parameter.words, " or "));
}

const std::vector<FabricParameter>& rule_parameters() {
  static const std::vector<FabricParameter> all = [] {
    FabricParameter duplex{"duplex", FabricParameter::Kind::text};
    duplex.usual = "full";
    duplex.words = {"full", "half"};
    duplex.meaning = "half: both directions of a link together carry what one carries else";
    FabricParameter ports{"ports", FabricParameter::Kind::text};
    ports.usual = "multi";
    ports.words = {"multi", "single"};
    ports.meaning = "single: a processor sends and receives at most one packet a step";
    FabricParameter queue{"queue", FabricParameter::Kind::number, 0};
    queue.usual = "unbounded";
    queue.words = {"unbounded", "none"};
    queue.meaning = "packets that a switch may buffer for a later step";
    FabricParameter switches{"switches", FabricParameter::Kind::text};
    switches.usual = "copy";
    switches.words = {"copy", "forward", "reduce"};
    switches.meaning =
        "forward: a packet leaves a switch as often as it came; reduce: partial reductions join in switches";
    FabricParameter timing{"timing", FabricParameter::Kind::text};
    timing.usual = "steps";
    timing.words = {"steps", "rounds"};
    timing.meaning = "rounds: a message of several packets crosses its whole path within one step";
    FabricParameter paths{"paths", FabricParameter::Kind::text};
    paths.usual = "held";
    paths.words = {"held", "shared"};
    paths.meaning = "in rounds; held: a message has its lanes to itself; shared: messages share them";
    return std::vector<FabricParameter>{duplex, ports, queue, switches, timing, paths};
  }();
  return all;
}

}  // namespace quadrille
