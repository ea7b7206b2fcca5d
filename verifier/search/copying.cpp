// The search problem of copying collectives: the formula of verifier/FORMULA.md over the moves that can be of use,
// with or without a group and detours. Four variants of list scheduling give schedules to begin with (schedules.h);
// with single ports, matchings do.
//
//   total exchange on a mesh: one formula is over all paths, and a smaller one over shortest paths only; a solution of
//   either is a schedule, but only the first can show that there is none
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "model/text/counted.h"
#include "verifier/search/formulas/formula.h"
#include "verifier/search/heuristics/schedules.h"
#include "verifier/search/make_problem.h"
#include "verifier/search/time_reversal.h"

namespace quadrille::searching {
namespace {

constexpr std::uint32_t greedy_variants = 4;
constexpr std::uint64_t greedy_work = std::uint64_t{1} << 30;  // steps x (chunks x channels that they can cross)

class CopyingProblem : public SearchProblem {
 public:
  CopyingProblem(const Fabric& fabric, Collective copied, const SearchGoal& goal, std::vector<Moves> moves,
                 Watch& watch)
      : fabric_(fabric),
        copied_(std::move(copied)),
        goal_(goal),
        watch_(watch),
        moves_(std::move(moves)),
        shortest_moves_(shortest_moves(moves_)),
        copies_(std::ranges::any_of(moves_, &Moves::copies)) {}

  // None for chunks that go as copies: orbits are of nodes and channels, and a copy is also distinguished by its
  // target.
  std::vector<Group> groups() const override {
    return copies_ ? std::vector<Group>{} : groups_of(fabric_, copied_, &watch_);
  }

  std::optional<PathChoice> fewer_paths() const override {
    if (crossings(shortest_moves_) == crossings(moves_)) return std::nullopt;
    return PathChoice::shortest;
  }

  std::uint64_t size(std::uint32_t T, PathChoice paths) const override {
    return hops_within(paths == PathChoice::all ? moves_ : shortest_moves_, T);
  }
  std::uint64_t bytes_each() const override { return 600; }  // of a formula in a solver, as measured
  std::string size_text(std::uint64_t size) const override { return fmt::format("{} possible hops", size); }

  std::unique_ptr<ScheduleFormula> formula(std::uint32_t T, const Group& group, PathChoice paths,
                                           Watch& watch) const override {
    return std::make_unique<ChunkFormula>(
        Question{fabric_, copied_, T, goal_.inject_once, goal_.keep_to_paths, phases_within(T)},
        paths == PathChoice::all ? moves_ : shortest_moves_, group, &watch);
  }

  FormulaKind about() const override { return FormulaKind::copies; }

  std::string refutation(std::uint32_t T) const override {
    return fmt::format("the formula that says that there is a schedule of {}{} is unsatisfiable", counted(T, "step"),
                       phases_within(T) ? " in " + counted(*goal_.phases, "phase") : "");
  }

  SendTable table(std::string name, std::vector<StepRow> rows) const override {
    // Rows of copies have been checked for use already, copy by copy (ChunkFormula::rows).
    if (!copies_) rows = useful_rows(fabric_, copied_, std::move(rows));
    return table_of(fabric_, copied_, std::move(name), std::move(rows));
  }

  bool keeps_to_goal(const SendTable& table) const override {
    if (!goal_.inject_once && !goal_.keep_to_paths) return true;
    std::map<ChunkId, const Moves*> moves;
    for (const Moves& it : moves_) moves[it.chunk] = &it;
    std::map<std::pair<ChunkId, NodeId>, StepId> injected;
    for (const auto& [step, row] : all_rows(table)) {
      const auto found = moves.find(row.chunk);
      if (found == moves.end()) return false;  // no demand needs this packet
      const Moves& it = *found->second;
      const std::size_t crossing = it.crossing_of(row.channel);
      if (crossing == it.crossings.size()) return false;
      const ChunkPlace& from = it.places[it.crossings[crossing].from];
      if (!goal_.inject_once || !from.start) continue;
      const auto [known, added] = injected.try_emplace({row.chunk, from.node}, step);
      if (!added && known->second != step) return false;
    }
    return true;
  }

  void construct(std::uint64_t lower_bound, const Consider& consider) const override {
    if (copies_ || lower_bound > greedy_work / (crossings(moves_) + 1))
      return;  // list scheduling would branch in switches
    for (std::uint32_t variant = 0; variant < greedy_variants; ++variant) {
      SendTable found = CopyingProblem::table("greedy", greedy_schedule(fabric_, moves_, variant, &watch_));
      if (!consider(std::move(found), {.kind = Method::Kind::list_scheduling})) return;
    }
    if (goal_.inject_once || goal_.keep_to_paths) return;  // matchings inject a chunk wherever it is rare
    matched_schedules(fabric_, moves_, lower_bound, watch_, [&](std::vector<StepRow> rows) {
      return consider(CopyingProblem::table("matchings", std::move(rows)), {.kind = Method::Kind::matchings});
    });
  }

 protected:
  const Fabric& fabric() const { return fabric_; }
  const Collective& copied() const { return copied_; }

 private:
  static std::uint64_t crossings(const std::vector<Moves>& moves) {
    std::uint64_t number = 0;
    for (const Moves& it : moves) number += it.crossings.size();
    return number;
  }

  std::optional<std::uint32_t> phases_within(std::uint32_t T) const {
    return goal_.phases && *goal_.phases < T ? goal_.phases : std::nullopt;
  }

  const Fabric& fabric_;
  Collective copied_;
  SearchGoal goal_;
  Watch& watch_;
  std::vector<Moves> moves_;
  std::vector<Moves> shortest_moves_;
  bool copies_;  // whether some chunk goes as copies, one by one (Moves::copies)
};

// The problem of a combining collective that is a copying one with time reversed (time_reversal.h).
class BackwardsProblem final : public CopyingProblem {
 public:
  BackwardsProblem(const Fabric& fabric, const Collective& collective, Collective copied, const SearchGoal& goal,
                   std::vector<Moves> moves, Watch& watch)
      : CopyingProblem(fabric, std::move(copied), {goal.steps, false, false, goal.phases}, std::move(moves), watch),
        collective_(collective) {}

  FormulaKind about() const override { return FormulaKind::time_reversed; }

  std::string refutation(std::uint32_t T) const override {
    return fmt::format("time-reversed this is {} on a fabric {}, whose links are alike in both directions, and {}",
                       copied().notation(), fabric().has_switches() ? "whose switches reduce" : "without switches",
                       CopyingProblem::refutation(T));
  }

  SendTable table(std::string name, std::vector<StepRow> rows) const override {
    return table_of(fabric(), collective_, std::move(name), time_reversed_rows(fabric(), collective_, copied(), rows));
  }

  void construct(std::uint64_t lower_bound, const Consider& consider) const override {
    CopyingProblem::construct(lower_bound, [&](const SendTable& found, Method method) {
      method.use = Method::Use::time_reversed;
      method.of = copied().notation();
      return consider(table(found.schedule, all_rows(found)), std::move(method));
    });
  }

 private:
  const Collective& collective_;
};

}  // namespace

std::unique_ptr<SearchProblem> copying_problem(const Fabric& fabric, const Collective& collective,
                                               const SearchGoal& goal, std::vector<Moves> moves, Watch& watch) {
  return std::make_unique<CopyingProblem>(fabric, collective, goal, std::move(moves), watch);
}

std::unique_ptr<SearchProblem> time_reversed_problem(const Fabric& fabric, const Collective& collective,
                                                     Collective copied, const SearchGoal& goal,
                                                     std::vector<Moves> moves, Watch& watch) {
  return std::make_unique<BackwardsProblem>(fabric, collective, std::move(copied), goal, std::move(moves), watch);
}

}  // namespace quadrille::searching
