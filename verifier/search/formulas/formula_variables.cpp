// Numbers the variables, in the order of verifier/FORMULA.md. Proofs refer to variables by number, so the search and
// the judge must agree on each number.
#include <algorithm>

#include "model/topology.h"
#include "verifier/search/formulas/formula.h"

namespace quadrille::searching {
namespace {

bool siblings_are_ordered(const Question& question) {
  return question.inject_once && question.keep_to_paths && question.fabric.topology().tree() != nullptr &&
         !forwards(question.fabric) && !question.collective.listed() && question.collective.shape() == shares_to_all(1);
}

}  // namespace

ChunkFormula::ChunkFormula(const Question& question, const std::vector<Moves>& moves, const Orbits& orbits,
                           Watch* watch)
    : question_(question),
      moves_(moves),
      orbits_(orbits),
      watch_(watch),
      steps_(question.steps),
      users_(question.fabric.channels()) {
  for (std::size_t m = 0; m < moves.size(); ++m) {
    for (std::size_t x = 0; x < moves[m].crossings.size(); ++x) {
      users_[moves[m].crossings[x].channel.value].push_back({m, x});
    }
  }
  number_hops();
  number_places();
  number_held();
  if (question.inject_once) number_injections();
  if (question.phases) number_phases();
  if (siblings_are_ordered(question) && orbits.trivial()) number_siblings();
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
      // Only the first of an orbit has variables of its own; the others share them.
      const Orbits::Pair first = orbits_.crossing(m, x);
      const std::uint32_t earliest = it.places[it.crossings[x].from].earliest + 1;
      const std::uint32_t remaining = it.places[it.crossings[x].to].remaining;
      hops_[m].push_back(first != Orbits::Pair{m, x} ? hops_[first.chunk][first.index]
                         : remaining <= steps_       ? numbered(earliest, steps_ - remaining)
                                                     : StepVariables{});
    }
  }
}

void ChunkFormula::number_places() {
  at_.resize(moves_.size());
  for (std::size_t m = 0; m < moves_.size(); ++m) {
    require_open(watch_);
    for (std::size_t p = 0; p < moves_[m].places.size(); ++p) {
      const ChunkPlace& place = moves_[m].places[p];
      const Orbits::Pair first = orbits_.place(m, p);
      at_[m].push_back(place.start || place.remaining > steps_ ? StepVariables{}
                       : first != Orbits::Pair{m, p}           ? at_[first.chunk][first.index]
                                                               : numbered(place.earliest, steps_ - place.remaining));
    }
  }
}

void ChunkFormula::number_held() {
  held_.resize(moves_.size());
  const auto& limit = question_.fabric.rules().queue.limit;
  for (std::size_t m = 0; m < moves_.size(); ++m) {
    require_open(watch_);
    held_[m].resize(moves_[m].places.size());
    for (std::size_t p = 0; p < moves_[m].places.size() && limit && *limit > 0; ++p) {
      if (!is_switch(m, p)) continue;
      const Orbits::Pair first = orbits_.place(m, p);
      const StepVariables& at = at_[m][p];
      held_[m][p] = first != Orbits::Pair{m, p} ? held_[first.chunk][first.index]
                    : at.first < at.last        ? numbered(at.first + 1, at.last)
                                                : StepVariables{};
    }
  }
}

void ChunkFormula::number_injections() {
  injected_.resize(moves_.size());
  for (std::size_t m = 0; m < moves_.size(); ++m) {
    require_open(watch_);
    injected_[m].resize(moves_[m].places.size());
    for (std::size_t p = 0; p < moves_[m].places.size(); ++p) {
      if (!moves_[m].places[p].start) continue;
      const Orbits::Pair first = orbits_.place(m, p);
      if (first != Orbits::Pair{m, p}) {
        injected_[m][p] = injected_[first.chunk][first.index];
        continue;
      }
      std::uint32_t last = 0;
      for (std::size_t x = 0; x < moves_[m].crossings.size(); ++x) {
        if (moves_[m].crossings[x].from == p) last = std::max(last, hops_[m][x].last);
      }
      injected_[m][p] = numbered(1, last);
    }
  }
}

void ChunkFormula::number_phases() {
  phase_starts_ = next_;
  next_ += static_cast<int>(steps_) - 1;
  early_.resize(moves_.size());
  for (std::size_t m = 0; m < moves_.size(); ++m) {
    require_open(watch_);
    for (std::size_t p = 0; p < moves_[m].places.size(); ++p) {
      const Orbits::Pair first = orbits_.place(m, p);
      const StepVariables& at = at_[m][p];
      early_[m].push_back(moves_[m].places[p].start || at.first > at.last ? StepVariables{}
                          : first != Orbits::Pair{m, p}                   ? early_[first.chunk][first.index]
                                                        : numbered(at.first + 1, std::min(at.last + 1, steps_)));
    }
  }
}

void ChunkFormula::number_siblings() {
  const CompleteTree& tree = *question_.fabric.topology().tree();
  std::uint32_t subtrees = question_.fabric.processors();
  for (std::uint32_t level = 0; level < tree.levels(); ++level, subtrees /= tree.arity) {
    sent_.emplace_back();
    for (std::uint32_t j = 0; j < subtrees; ++j) sent_.back().push_back(numbered(1, steps_));
  }
}

}  // namespace quadrille::searching
