// Names the variables of a formula over partial reductions, for people who read it as DIMACS CNF.
#include <fmt/format.h>

#include <map>

#include "verifier/search/formulas/combining_formula.h"

namespace quadrille::searching {

void CombiningFormula::name_variables(const NameVariables& say) const {
  std::map<int, std::pair<Key, VariableBlock>> by_number;
  for (const auto& [key, range] : ranges_) by_number.try_emplace(range.variable, unpacked(key), range);
  for (const auto& [variable, it] : by_number) say(variable, it.second.first, it.second.last, meaning(it.first));
}

std::string CombiningFormula::meaning(const Key& key) const {
  const auto packet = [&] { return setting_.collective().label(setting_.names()[key.subject].chunk); };
  const auto node = [&] { return fabric_.name(NodeId{key.place}); };
  const auto channel = [&] { return fabric_.name(ChannelId{key.place}); };
  switch (key.kind) {
    case Kind::hop:
      return fmt::format("{} crosses {}", packet(), channel());
    case Kind::at:
      return fmt::format("{} is at {} when the step ends", packet(), node());
    case Kind::stay:
      return fmt::format("{} is at {} as it was before", packet(), node());
    case Kind::carry:
      return fmt::format("{} has {} at {}", packet(), key.contribution, node());
    case Kind::hold:
      return fmt::format("{} holds {} in value {} when the step ends", node(), key.contribution, key.subject);
    case Kind::come:
      return fmt::format("{} comes over {} in value {}", key.contribution, channel(), key.subject);
    case Kind::come_named:
      return fmt::format("{} comes over {} in {}", key.contribution, channel(), packet());
  }
  return {};
}

}  // namespace quadrille::searching
