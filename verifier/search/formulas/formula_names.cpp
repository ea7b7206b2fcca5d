// Names the variables of a formula, for people who read it as DIMACS CNF: one line for each run of steps.
//
//   c 4 to 6 (2 to 4): 0->3 crosses 1->2     (variables 4, 5 and 6, in steps 2, 3 and 4)
#include <fmt/format.h>

#include "verifier/search/formulas/formula.h"

namespace quadrille::searching {

void ChunkFormula::name_variables(const NameVariables& say) const {
  const Fabric& fabric = question_.fabric;
  const auto name = [&](const StepVariables& range, const std::string& meaning) {
    if (range.first <= range.last) say(range.variable, range.first, range.last, meaning);
  };
  const auto chunk = [&](std::size_t m) { return question_.collective.label(moves_[m].chunk); };
  // The suffix that names the target of a copy in a switch.
  const auto towards = [&](std::size_t m, std::size_t p) {
    const ChunkPlace& place = moves_[m].places[p];
    const bool copy = moves_[m].copies && !fabric.is_processor(place.node);
    return copy ? fmt::format(" (for {})", place.towards) : std::string();
  };
  const auto name_places = [&](const AllStepVariables& ranges, std::string_view meaning) {
    for (std::size_t m = 0; m < ranges.size(); ++m) {
      for (std::size_t p = 0; p < ranges[m].size(); ++p) {
        const std::string node = fabric.name(moves_[m].places[p].node) + towards(m, p);
        name(ranges[m][p], fmt::format(fmt::runtime(meaning), chunk(m), node));
      }
    }
  };
  for (std::size_t m = 0; m < hops_.size(); ++m) {
    for (std::size_t x = 0; x < hops_[m].size(); ++x) {
      const ChunkCrossing& crossing = moves_[m].crossings[x];
      const std::size_t end = towards(m, crossing.from).empty() ? crossing.to : crossing.from;
      name(hops_[m][x], fmt::format("{} crosses {}{}", chunk(m), fabric.name(crossing.channel), towards(m, end)));
    }
  }
  name_places(at_, "{} is at {} when the step ends");
  name_places(held_, "{} is buffered at {}");
  name_places(injected_, "{} leaves {}, where it starts");
  if (question_.phases && steps_ > 1) name({phase_starts_, 2, steps_}, "a phase starts");
  name_places(early_, "{} was at {} when the phase began");
  for (std::size_t level = 0; level < sent_.size(); ++level) {
    for (std::size_t j = 0; j < sent_[level].size(); ++j) {
      name(sent_[level][j], fmt::format("a leaf of subtree {} of level {} has sent", j, level));
    }
  }
}

}  // namespace quadrille::searching
