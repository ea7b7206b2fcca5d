// Evaluates crossings on numbers: every class, every index. Tests use this, and texts for people.
#include "model/crossings.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/families.h"

namespace quadrille {

// --- arguments -------------------------------------------------------------------------------------------------------

CrossingArguments::CrossingArguments(const FabricForm& form, std::string unnamed)
    : form_(form), unnamed_(std::move(unnamed)) {}

const FabricForm::Argument* CrossingArguments::find(const std::string& key) const {
  const auto named = [&](const FabricForm::Argument& argument) {
    return argument.key == key || (argument.key.empty() && key == unnamed_);
  };
  const auto found = std::find_if(form_.arguments.begin(), form_.arguments.end(), named);
  return found == form_.arguments.end() ? nullptr : &*found;
}

std::vector<Term> CrossingArguments::numbers(const std::string& key) {
  const FabricForm::Argument* argument = find(key);
  std::vector<Term> result;
  for (std::size_t i = 0; argument != nullptr && i < argument->numbers; ++i) {
    result.push_back(terms::parameter(parameters_.size()));
    parameters_.push_back({key, i});
  }
  return result;
}

std::optional<Term> CrossingArguments::number(const std::string& key, std::optional<Term> otherwise) {
  if (!has(key)) return otherwise;
  const std::vector<Term> all = numbers(key);
  return all.size() == 1 ? std::optional(all.front()) : std::nullopt;
}

std::string CrossingArguments::word(const std::string& key) const {
  const FabricForm::Argument* argument = find(key);
  return argument == nullptr ? "" : argument->word;
}

// --- families --------------------------------------------------------------------------------------------------------

std::optional<Crossings> crossings_of(const FabricForm& form, const Families& families) {
  const TopologyFamily* family = families.topology(form.kind);
  return family != nullptr && family->crossings ? family->crossings(form) : std::nullopt;
}

// --- on concrete numbers ---------------------------------------------------------------------------------------------

namespace {

std::string node_name(const Term& node, const SwitchPlace& at, const TermValues& values) {
  const std::int64_t level = evaluate(at.level, values);
  return level == 0 ? std::to_string(evaluate(node, values)) : fmt::format("{}.{}", level, evaluate(at.place, values));
}

Crossing crossing(const ChannelClass& each, std::size_t number, const TermValues& values) {
  const auto value = [&](const Term& term) { return evaluate(term, values); };
  Crossing result;
  result.channel_class = number;
  for (const Term& term : each.channel) result.channel.push_back(value(term));
  result.offset = value(each.offset);
  result.capacity = value(each.capacity);
  result.lane = value(each.lane);
  result.from = value(each.from);
  result.to = value(each.to);
  result.name = channel_name(each, values);
  return result;
}

}  // namespace

std::string channel_name(const ChannelClass& each, const TermValues& values) {
  return fmt::format("{}->{}", node_name(each.from, each.from_switch, values),
                     node_name(each.to, each.to_switch, values));
}

std::vector<Crossing> route(const Crossings& crossings, TermValues values) {
  std::vector<Crossing> result;
  for (std::size_t number = 0; number < crossings.classes.size(); ++number) {
    const ChannelClass& each = crossings.classes[number];
    const std::int64_t last = evaluate(each.last, values);
    for (values.index = evaluate(each.first, values); values.index <= last; ++values.index) {
      if (evaluate(each.crossed, values) != 0) result.push_back(crossing(each, number, values));
    }
  }
  const auto earlier = [](const Crossing& a, const Crossing& b) { return a.offset < b.offset; };
  std::stable_sort(result.begin(), result.end(), earlier);
  return result;
}

}  // namespace quadrille
