// Contribution sets: whose contributions a partial reduction holds, in a combining collective.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace quadrille::replaying {

// A contribution set. Immutable; copies share. Kept as runs, since those of most schedules consist of a few.
class ContributionSet {
 public:
  struct Interval {
    std::uint32_t first;
    std::uint32_t last;
    bool operator==(const Interval&) const = default;
  };

  ContributionSet() = default;  // the empty set
  ContributionSet(std::uint32_t first, std::uint32_t last);

  bool empty() const { return !runs_; }
  std::uint32_t smallest() const { return runs_->front().first; }  // requires that it is not empty
  std::size_t runs() const { return runs_ ? runs_->size() : 0; }
  bool operator==(const ContributionSet& other) const;

  bool disjoint(const ContributionSet& other) const;
  bool contains(const ContributionSet& other) const;
  ContributionSet united(const ContributionSet& other) const;

 private:
  using Runs = std::vector<Interval>;  // increasing, never touching
  explicit ContributionSet(Runs runs) : runs_(std::make_shared<const Runs>(std::move(runs))) {}
  std::shared_ptr<const Runs> runs_;
};

}  // namespace quadrille::replaying
