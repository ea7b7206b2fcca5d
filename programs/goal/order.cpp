// Operations begin one after another if a chain of dependencies leads from each to the next. The dependencies may be
// of either kind, as an operation that has ended has begun.
//
// The operations are put in some order that keeps all dependencies. If another order were possible for two neighbours
// in it, no chain would lead from one to the other. Chains are searched backwards, but not beyond the earlier one's
// position. Cost: for each pair of neighbours, at most the dependencies between them.
#include "programs/goal/order.h"

#include <algorithm>
#include <numeric>

namespace quadrille::programs {

GoalOrder::GoalOrder(const GoalRank& rank, std::uint64_t& effort, Work& work)
    : rank_(rank),
      effort_(effort),
      work_(work),
      begin_(rank.operations.size() + 1),
      earlier_(rank.dependencies.size()),
      position_(rank.operations.size()),
      seen_(rank.operations.size()) {
  const std::size_t count = rank_.operations.size();
  work_.spend(16 * count + 32 * rank_.dependencies.size());
  std::vector<std::uint32_t> later_begin(count + 1);
  for (const GoalDependency& it : rank_.dependencies) {
    ++begin_[it.later + 1];
    ++later_begin[it.earlier + 1];
  }
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  std::partial_sum(later_begin.begin(), later_begin.end(), later_begin.begin());
  std::vector<std::uint32_t> later(rank_.dependencies.size());
  std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
  std::vector<std::uint32_t> next_later(later_begin.begin(), later_begin.end() - 1);
  for (const GoalDependency& it : rank_.dependencies) {
    earlier_[next[it.later]++] = it.earlier;
    later[next_later[it.earlier]++] = it.later;
  }
  std::vector<std::uint32_t> open(count);
  std::vector<std::uint32_t> ready;
  for (std::uint32_t i = 0; i < count; ++i) {
    open[i] = begin_[i + 1] - begin_[i];
    if (open[i] == 0) ready.push_back(i);
  }
  for (std::size_t done = 0; done < ready.size(); ++done) {
    position_[ready[done]] = static_cast<std::uint32_t>(done);
    for (std::uint32_t i = later_begin[ready[done]]; i < later_begin[ready[done] + 1]; ++i) {
      if (--open[later[i]] == 0) ready.push_back(later[i]);
    }
  }
  acyclic_ = ready.size() == count;
}

bool GoalOrder::sort(std::span<std::uint32_t> operations) {
  if (!acyclic_) return false;
  std::sort(operations.begin(), operations.end(),
            [&](std::uint32_t a, std::uint32_t b) { return position_[a] < position_[b]; });
  for (std::size_t i = 0; i + 1 < operations.size(); ++i) {
    if (!before(operations[i], operations[i + 1])) return false;
  }
  return true;
}

bool GoalOrder::before(std::uint32_t earlier, std::uint32_t later) {
  ++search_;
  std::vector<std::uint32_t> open{later};
  while (!open.empty()) {
    const std::uint32_t at = open.back();
    open.pop_back();
    for (std::uint32_t i = begin_[at]; i < begin_[at + 1]; ++i) {
      if (effort_ == 0) return false;
      --effort_;
      work_.spend(2);
      const std::uint32_t found = earlier_[i];
      if (found == earlier) return true;
      if (position_[found] < position_[earlier] || seen_[found] == search_) continue;
      seen_[found] = search_;
      open.push_back(found);
    }
  }
  return false;
}

}  // namespace quadrille::programs
