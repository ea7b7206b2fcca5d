// Idea: a SAT solver finds a Hamiltonian cycle, with lazily added clauses. A variable says of each channel between
// processors whether the cycle takes it. Clauses say that one channel leaves each processor, and one enters it. An
// assignment that satisfies them is one cycle or several. If there are several, each gets the clause that some
// channel leaves it, and the solver is asked again. The loop ends with one cycle, or with an unsatisfiable formula;
// in the latter case no cycle exists, because every clause is true of a Hamiltonian cycle. Before clauses are added,
// cycles are joined where that is easy: a -> b of one and c -> d of another become a -> d and c -> b, if these
// channels exist.
//
//   two triangles joined by two links that share no end: the first answer may be both triangles; the next is the cycle
//
// Cycles of known families are tried first (known_cycles.h). Then some reasons are that no formula of this kind shows
// in a short time: the removal of a processor leaves several parts, a two-colouring like a chessboard's is
// unbalanced, or two processors have the same two neighbours and no others. Cost: mostly a few dozen formulas with a
// variable for each channel.
#include "verifier/hamiltonian.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "model/limits/watch.h"
#include "model/topology.h"
#include "verifier/search/known_cycles.h"
#include "verifier/search/solver/solver.h"

namespace quadrille {
namespace {

using searching::Answer;

struct Arc {
  std::uint32_t from;
  std::uint32_t to;
};

class Finder {
 public:
  Finder(const Fabric& fabric, const Limits& limits, std::uint64_t conflicts)
      : fabric_(fabric), watch_(limits), conflicts_(conflicts), out_(fabric.processors()), in_(fabric.processors()) {
    for (std::uint32_t e = 0; e < fabric.channels(); ++e) {
      const Channel& channel = fabric.channel(ChannelId(e));
      if (!fabric.is_processor(channel.from) || !fabric.is_processor(channel.to)) continue;
      out_[channel.from.value].push_back(arcs_.size());
      in_[channel.to.value].push_back(arcs_.size());
      arcs_.push_back({channel.from.value, channel.to.value});
    }
  }

  HamiltonianCycle find() {
    const std::uint32_t n = fabric_.processors();
    if (n == 1) return {CycleVerdict::found, {0}, "one processor", {}};
    if (auto own = fabric_.topology().hamiltonian_cycle(); own && is_cycle(*own))
      return found(std::move(*own), "in closed form");
    const auto fits = [&](const Cycle& cycle) { return is_cycle(cycle); };
    if (auto known = searching::known_cycle(n, fits)) return found(*std::move(known), "in closed form");
    try {
      if (const std::string why = impossible(); !why.empty()) return {CycleVerdict::none, {}, why, {}};
      return by_formula();
    } catch (const Ended& ended) {
      return {CycleVerdict::unknown, {}, std::string(to_string(ended.reason)), ended.reason};
    }
  }

 private:
  std::uint32_t size() const { return fabric_.processors(); }

  bool linked(std::uint32_t from, std::uint32_t to) const {
    return std::any_of(out_[from].begin(), out_[from].end(), [&](std::size_t arc) { return arcs_[arc].to == to; });
  }

  // Whether it is a Hamiltonian cycle, however it was found.
  bool is_cycle(const std::vector<std::uint32_t>& cycle) const {
    std::vector<bool> met(size());
    if (cycle.size() != met.size()) return false;
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      if (cycle[i] >= met.size() || met[cycle[i]]) return false;
      met[cycle[i]] = true;
      if (!linked(cycle[i], cycle[(i + 1) % cycle.size()])) return false;
    }
    return true;
  }

  static HamiltonianCycle found(std::vector<std::uint32_t> cycle, std::string how) {
    std::rotate(cycle.begin(), std::find(cycle.begin(), cycle.end(), 0U), cycle.end());
    return {CycleVerdict::found, std::move(cycle), std::move(how), {}};
  }

  // --- why there is none ---------------------------------------------------------------------------------------------

  std::string impossible() {
    for (std::uint32_t p = 0; p < size(); ++p) {
      if (out_[p].empty()) return fmt::format("no link leads from processor {} to another processor", p);
      if (in_[p].empty()) return fmt::format("no link leads from another processor to processor {}", p);
      const bool one = out_[p].size() == 1 && in_[p].size() == 1 && arcs_[out_[p][0]].to == arcs_[in_[p][0]].from;
      if (one && size() > 2) return fmt::format("processor {} is linked to processor {} only", p, arcs_[out_[p][0]].to);
    }
    const auto parts = components(size());
    if (parts > 1) return fmt::format("the processors are in {} parts that no link joins", parts);
    // A cycle without one of its processors is still connected.
    constexpr std::uint32_t most_tried = 4096;
    for (std::uint32_t p = 0; p < size() && size() <= most_tried; ++p) {
      watch_.require_open();
      if (components(p) > 1) return fmt::format("without processor {} the others are in several parts", p);
    }
    const std::string unbalanced = colours();
    return unbalanced.empty() ? twins() : unbalanced;
  }

  // The number of connected parts, without one processor (size(): with all), taking links for both ways.
  std::uint32_t components(std::uint32_t without) const {
    std::vector<bool> met(size());
    std::uint32_t count = 0;
    for (std::uint32_t first = 0; first < size(); ++first) {
      if (met[first] || first == without) continue;
      ++count;
      std::vector<std::uint32_t> waiting = {first};
      met[first] = true;
      while (!waiting.empty()) {
        const std::uint32_t p = waiting.back();
        waiting.pop_back();
        for_neighbours(p, [&](std::uint32_t q) {
          if (met[q] || q == without) return;
          met[q] = true;
          waiting.push_back(q);
        });
      }
    }
    return count;
  }

  template <class Visit>
  void for_neighbours(std::uint32_t p, const Visit& visit) const {
    for (const std::size_t arc : out_[p]) visit(arcs_[arc].to);
    for (const std::size_t arc : in_[p]) visit(arcs_[arc].from);
  }

  // A cycle takes both links of a processor with two neighbours; those of two such processors close a cycle of four.
  std::string twins() const {
    std::map<std::set<std::uint32_t>, std::uint32_t> first_with;
    for (std::uint32_t p = 0; p < size() && size() > 4; ++p) {
      std::set<std::uint32_t> neighbours;
      for_neighbours(p, [&](std::uint32_t q) { neighbours.insert(q); });
      if (neighbours.size() != 2) continue;
      const auto [twin, alone] = first_with.emplace(neighbours, p);
      if (alone) continue;
      return fmt::format("processors {} and {} are both linked to processors {} and {} only", twin->second, p,
                         *neighbours.begin(), *neighbours.rbegin());
    }
    return {};
  }

  // If every link joins a black processor to a white one, a cycle needs as many black ones as white ones.
  std::string colours() const {
    std::vector<int> colour(size(), -1);
    std::vector<std::uint32_t> waiting = {0};
    colour[0] = 0;
    std::uint32_t counts[2] = {1, 0};
    while (!waiting.empty()) {
      const std::uint32_t p = waiting.back();
      waiting.pop_back();
      bool clash = false;
      for_neighbours(p, [&](std::uint32_t q) {
        clash = clash || colour[q] == colour[p];
        if (colour[q] >= 0) return;
        colour[q] = 1 - colour[p];
        ++counts[colour[q]];
        waiting.push_back(q);
      });
      if (clash) return {};
    }
    if (counts[0] == counts[1]) return {};
    return fmt::format("every link joins one of {} processors to one of {} others, and a cycle would alternate",
                       counts[0], counts[1]);
  }

  // --- by a formula --------------------------------------------------------------------------------------------------

  static int variable(std::size_t arc) { return static_cast<int>(arc) + 1; }

  HamiltonianCycle by_formula() {
    solver_ = searching::make_cadical();
    write();
    for (std::uint64_t formulas = 1;; ++formulas) {
      watch_.require_open();
      const Answer answer = solver_->solve({.watch = &watch_, .conflicts = conflicts_});
      if (answer == Answer::unsatisfiable) return {CycleVerdict::none, {}, "the formula for one is unsatisfiable", {}};
      const bool enough = conflicts_ > 0 && formulas >= conflicts_;
      if (answer == Answer::unknown || enough) {
        const Reason reason = watch_.reached();
        throw Ended{reason == Reason::none ? Reason::limit : reason};
      }
      auto cycles = read();
      if (cycles.size() == 1 && is_cycle(cycles[0])) return found(std::move(cycles[0]), "by formulas");
      for (const auto& cycle : cycles) leave(cycle);
    }
  }

  void write() {
    int next = static_cast<int>(arcs_.size()) + 1;
    for (const auto* sides : {&out_, &in_}) {
      for (const std::vector<std::size_t>& side : *sides) {
        std::vector<int> literals;
        for (const std::size_t arc : side) literals.push_back(variable(arc));
        solver_->clause(literals);
        solver_->at_most(1, literals, next);
      }
    }
    // Excludes cycles of two processors.
    if (size() == 2) return;
    for (std::size_t arc = 0; arc < arcs_.size(); ++arc) {
      for (const std::size_t back : out_[arcs_[arc].to]) {
        if (arcs_[back].to == arcs_[arc].from && back > arc) solver_->clause({-variable(arc), -variable(back)});
      }
    }
  }

  std::vector<std::vector<std::uint32_t>> read() {
    std::vector<std::uint32_t> next(size());
    for (std::size_t arc = 0; arc < arcs_.size(); ++arc) {
      if (solver_->is_true(variable(arc))) next[arcs_[arc].from] = arcs_[arc].to;
    }
    join(next);
    std::vector<std::vector<std::uint32_t>> cycles;
    std::vector<bool> met(size());
    for (std::uint32_t first = 0; first < size(); ++first) {
      if (met[first]) continue;
      cycles.emplace_back();
      for (std::uint32_t p = first; !met[p]; p = next[p]) {
        met[p] = true;
        cycles.back().push_back(p);
      }
    }
    return cycles;
  }

  // Joins cycles, two at a time.
  void join(std::vector<std::uint32_t>& next) const {
    std::vector<std::uint32_t> before(size());
    std::vector<std::uint32_t> cycle(size(), size());
    const auto walk = [&](std::uint32_t first) {
      std::uint32_t p = first;
      do {
        cycle[p] = first;
        before[next[p]] = p;
        p = next[p];
      } while (p != first);
    };
    for (std::uint32_t p = 0; p < size(); ++p) {
      if (cycle[p] == size()) walk(p);
    }
    for (const Arc& arc : arcs_) {
      const std::uint32_t b = next[arc.from];
      const std::uint32_t c = before[arc.to];
      if (cycle[arc.from] == cycle[arc.to] || !linked(c, b)) continue;
      next[arc.from] = arc.to;
      next[c] = b;
      walk(arc.from);
    }
  }

  // Adds the clause that some channel leaves this set of processors.
  void leave(const std::vector<std::uint32_t>& cycle) {
    std::vector<bool> inside(size());
    for (const std::uint32_t p : cycle) inside[p] = true;
    std::vector<int> literals;
    for (const std::uint32_t p : cycle) {
      for (const std::size_t arc : out_[p]) {
        if (!inside[arcs_[arc].to]) literals.push_back(variable(arc));
      }
    }
    solver_->clause(literals);
  }

  const Fabric& fabric_;
  Watch watch_;
  std::uint64_t conflicts_;
  std::vector<Arc> arcs_;
  std::vector<std::vector<std::size_t>> out_;
  std::vector<std::vector<std::size_t>> in_;
  std::unique_ptr<searching::Solver> solver_;
};

}  // namespace

std::string_view to_string(CycleVerdict verdict) {
  return verdict == CycleVerdict::found ? "found" : verdict == CycleVerdict::none ? "none" : "unknown";
}

HamiltonianCycle hamiltonian_cycle(const Fabric& fabric, const Limits& limits, std::uint64_t conflicts) {
  return Finder(fabric, limits, conflicts).find();
}

}  // namespace quadrille
