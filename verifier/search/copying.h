// The search problem of copying collectives: its formula is that of verifier/FORMULA.md, its heuristic is list
// scheduling.
#pragma once

#include <optional>
#include <vector>

#include "verifier/search/problem/moves.h"
#include "verifier/search/problem/problem.h"

namespace quadrille::searching {

class CopyingProblem final : public SearchProblem {
 public:
  // Requires the moves of `collective`. Keeps references to the other arguments.
  CopyingProblem(const Fabric& fabric, const Collective& collective, const SearchGoal& goal, std::vector<Moves> moves,
                 Watch& watch);

  std::vector<Group> groups() const override;
  std::optional<PathChoice> fewer_paths() const override;
  std::uint64_t size(std::uint32_t T, PathChoice paths) const override;
  std::uint64_t bytes_each() const override;
  std::string size_text(std::uint64_t size) const override;
  std::unique_ptr<ScheduleFormula> formula(std::uint32_t T, const Group& group, PathChoice paths,
                                           Watch& watch) const override;
  FormulaKind about() const override { return FormulaKind::copies; }
  std::string refutation(std::uint32_t T) const override;
  SendTable table(std::string name, std::vector<StepRow> rows) const override;
  bool keeps_to_goal(const SendTable& table) const override;
  void construct(std::uint64_t lower_bound, const Consider& consider) const override;

 private:
  std::optional<std::uint32_t> phases_within(std::uint32_t T) const;

  const Fabric& fabric_;
  const Collective& collective_;
  SearchGoal goal_;
  Watch& watch_;
  std::vector<Moves> moves_;
  std::vector<Moves> shortest_moves_;
  bool copies_;  // whether some chunk goes as copies, one by one (Moves::copies)
};

}  // namespace quadrille::searching
