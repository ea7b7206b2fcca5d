// Numbers the variables, in the order of verifier/FORMULA.md. Proofs refer to variables by number, so the search and
// the judge must agree on each number.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/topology.h"
#include "verifier/search/formulas/formula.h"

namespace quadrille::searching {
namespace {

bool siblings_are_ordered(const Question& question) {
  return question.inject_once && question.keep_to_paths && question.fabric.topology().tree() != nullptr &&
         !forwards(question.fabric) && !question.collective.listed() && question.collective.shape() == shares_to_all(1);
}

}  // namespace

// Gives each place its variables. Only the first of an orbit has some of its own; the others share them.
template <class Own>
void ChunkFormula::number_places(AllStepVariables& all, const Own& own) {
  all.resize(moves_.size());
  for (std::size_t m = 0; m < moves_.size(); ++m) {
    require_open(watch_);
    for (std::size_t p = 0; p < moves_[m].places.size(); ++p) {
      const Orbits::Pair first = orbits_.place(m, p);
      all[m].push_back(first != Orbits::Pair{m, p} ? all[first.chunk][first.index] : own(m, p));
    }
  }
}

ChunkFormula::ChunkFormula(Question question, const std::vector<Moves>& moves, const Group& group, Watch* watch)
    : question_(std::move(question)),
      moves_(moves),
      orbits_(question_.fabric, question_.collective, moves, group, watch),
      watch_(watch),
      steps_(question_.steps),
      users_(question_.fabric.channels()) {
  for (std::size_t m = 0; m < moves.size(); ++m) {
    for (std::size_t x = 0; x < moves[m].crossings.size(); ++x) {
      users_[moves[m].crossings[x].channel.value].push_back({m, x});
    }
  }
  number_hops();
  number_places(at_, [&](std::size_t m, std::size_t p) {
    const ChunkPlace& place = moves[m].places[p];
    const bool some = !place.start && place.remaining <= steps_;
    return some ? numbered(place.earliest, steps_ - place.remaining) : StepVariables{};
  });
  number_held();
  if (question_.inject_once) number_injections();
  if (question_.phases) number_phases();
  if (siblings_are_ordered(question_) && orbits_.trivial()) number_siblings();
}

ChunkFormula::StepVariables ChunkFormula::numbered(std::uint32_t first, std::uint32_t last) {
  const StepVariables range{next_, first, last};
  if (first <= last) next_ += static_cast<int>(last - first + 1);
  return range;
}

bool ChunkFormula::is_first(std::size_t chunk, std::size_t crossing) const {
  return orbits_.crossing(chunk, crossing) == Orbits::Pair{chunk, crossing};
}

bool ChunkFormula::is_first_place(std::size_t chunk, std::size_t place) const {
  return orbits_.place(chunk, place) == Orbits::Pair{chunk, place};
}

void ChunkFormula::number_hops() {
  hops_.resize(moves_.size());
  for (std::size_t m = 0; m < moves_.size(); ++m) {
    require_open(watch_);
    const Moves& it = moves_[m];
    for (std::size_t x = 0; x < it.crossings.size(); ++x) {
      const Orbits::Pair first = orbits_.crossing(m, x);
      const std::uint32_t earliest = it.places[it.crossings[x].from].earliest + 1;
      const std::uint32_t remaining = it.places[it.crossings[x].to].remaining;
      hops_[m].push_back(first != Orbits::Pair{m, x} ? hops_[first.chunk][first.index]
                         : remaining <= steps_       ? numbered(earliest, steps_ - remaining)
                                                     : StepVariables{});
    }
  }
}

void ChunkFormula::number_held() {
  const auto& limit = question_.fabric.rules().queue.limit;
  number_places(held_, [&](std::size_t m, std::size_t p) {
    const StepVariables& at = at_[m][p];
    const bool held = limit && *limit > 0 && is_switch(m, p) && at.first < at.last;
    return held ? numbered(at.first + 1, at.last) : StepVariables{};
  });
}

void ChunkFormula::number_injections() {
  number_places(injected_, [&](std::size_t m, std::size_t p) {
    if (!moves_[m].places[p].start) return StepVariables{};
    std::uint32_t last = 0;
    for (std::size_t x = 0; x < moves_[m].crossings.size(); ++x) {
      if (moves_[m].crossings[x].from == p) last = std::max(last, hops_[m][x].last);
    }
    return numbered(1, last);
  });
}

void ChunkFormula::number_phases() {
  phase_starts_ = next_;
  next_ += static_cast<int>(steps_) - 1;
  number_places(early_, [&](std::size_t m, std::size_t p) {
    const StepVariables& at = at_[m][p];
    const bool early = !moves_[m].places[p].start && at.first <= at.last;
    return early ? numbered(at.first + 1, std::min(at.last + 1, steps_)) : StepVariables{};
  });
}

void ChunkFormula::number_siblings() {
  const CompleteTree& tree = *question_.fabric.topology().tree();
  std::uint32_t subtrees = question_.fabric.processors();
  for (std::uint32_t level = 0; level < tree.levels(); ++level, subtrees /= tree.arity) {
    sent_.emplace_back();
    for (std::uint32_t j = 0; j < subtrees; ++j) sent_.back().push_back(numbered(1, steps_));
  }
}

// Names the variables of a formula, for people who read it as DIMACS CNF: one line for each run of steps.
//
//   c 4 to 6 (2 to 4): 0->3 crosses 1->2     (variables 4, 5 and 6, in steps 2, 3 and 4)

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
