// Private to programs/: the order in which operations of a rank begin, whatever the timing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/limits/work.h"
#include "programs/goal/goal.h"

namespace quadrille::programs {

class GoalOrder {
 public:
  // Looks at no more than `effort` dependencies in all. Keeps references. Throws Ended, as sort() does.
  GoalOrder(const GoalRank& rank, std::uint64_t& effort, Work& work);

  // Sorts indices of operations in the order in which they begin; false if it depends on the timing, or is not found.
  bool sort(std::span<std::uint32_t> operations);

 private:
  bool before(std::uint32_t earlier, std::uint32_t later);

  const GoalRank& rank_;
  std::uint64_t& effort_;
  Work& work_;
  bool acyclic_ = true;
  std::vector<std::uint32_t> begin_;     // by operation: its place in earlier_
  std::vector<std::uint32_t> earlier_;   // the operations that each one waits for
  std::vector<std::uint32_t> position_;  // of each in an order that keeps all dependencies
  std::vector<std::uint32_t> seen_;      // by operation: the last search that passed it
  std::uint32_t search_ = 0;
};

}  // namespace quadrille::programs
