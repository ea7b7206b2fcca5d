// The search problem of combining collectives: its formula is over partial reductions (combining_formula.h), its
// heuristics are chains, trees and spreading. With a goal in phases it also offers schedules that are composed of
// copying schedules (composed.cpp).
#pragma once

#include <optional>
#include <vector>

#include "verifier/search/problem/combining_setting.h"
#include "verifier/search/problem/problem.h"

namespace quadrille::searching {

class CombiningProblem final : public SearchProblem {
 public:
  // Keeps references to the arguments.
  CombiningProblem(const Fabric& fabric, const Collective& collective, const SearchGoal& goal, Watch& watch);

  std::vector<Group> groups() const override;
  std::uint64_t size(std::uint32_t T, PathChoice paths) const override;
  std::uint64_t bytes_each() const override;
  std::string size_text(std::uint64_t size) const override;
  std::unique_ptr<ScheduleFormula> formula(std::uint32_t T, const Group& group, PathChoice paths,
                                           Watch& watch) const override;
  FormulaKind about() const override { return FormulaKind::partial_reductions; }
  std::string refutation(std::uint32_t T) const override;
  SendTable table(std::string name, std::vector<StepRow> rows) const override;
  void construct(std::uint64_t lower_bound, const Consider& consider) const override;

 private:
  void construct_allreduce(std::uint64_t lower_bound, const Consider& consider) const;

  const Fabric& fabric_;
  const Collective& collective_;
  SearchGoal goal_;
  Watch& watch_;
  std::optional<CombiningSetting> setting_;  // nothing if it would be too large
};

}  // namespace quadrille::searching
