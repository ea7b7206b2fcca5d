// The search problem in rounds: few rounds, whatever the length of messages is, or a small volume in a given number
// of rounds.
#pragma once

#include <optional>
#include <vector>

#include "verifier/search/problem/problem.h"
#include "verifier/search/rounds/contents.h"
#include "verifier/search/rounds/network.h"

namespace quadrille::searching {

class RoundsProblem final : public SearchProblem {
 public:
  // Keeps references. May throw Ended. With `rounds`, the question is about so many rounds, and T is the volume.
  RoundsProblem(const Fabric& fabric, const Collective& collective, std::optional<std::uint32_t> rounds, Watch& watch);

  std::optional<PathChoice> fewer_paths() const override;
  std::uint64_t size(std::uint32_t T, PathChoice paths) const override;
  std::uint64_t bytes_each() const override;
  std::string size_text(std::uint64_t size) const override;
  std::unique_ptr<ScheduleFormula> formula(std::uint32_t T, const Group& group, PathChoice paths,
                                           Watch& watch) const override;
  FormulaKind about() const override { return FormulaKind::rounds; }
  std::string refutation(std::uint32_t T) const override;
  SendTable table(std::string name, std::vector<StepRow> rows) const override;
  bool exact() const override { return false; }
  void construct(std::uint64_t lower_bound, const Consider& consider) const override;

 private:
  bool construct_joined(const Consider& consider) const;

  const Fabric& fabric_;
  const Collective& collective_;
  std::optional<std::uint32_t> rounds_;
  Watch& watch_;
  std::vector<Origin> origins_;
  RoundNetwork network_;
};

}  // namespace quadrille::searching
