// Random schedules in GOAL, right or wrong, for tests.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>

#include "programs/goal/goal.h"

namespace quadrille::programs {

// Few ranks, tags and sizes, so that much meets; sometimes from any rank, or with any tag.
class RandomGoal {
 public:
  explicit RandomGoal(unsigned seed) : dice_(seed) {}

  GoalSchedule make() {
    GoalSchedule schedule;
    schedule.ranks.resize(2 + below(2));
    const unsigned wild = below(4);
    const std::size_t messages = 1 + below(5);
    for (std::size_t i = 0; i < messages; ++i) add_message(schedule, wild);
    if (below(5) == 0) add(schedule, below(2) == 0 ? GoalKind::send : GoalKind::receive);
    for (GoalRank& rank : schedule.ranks) {
      std::shuffle(rank.operations.begin(), rank.operations.end(), dice_);
      const auto count = static_cast<unsigned>(rank.operations.size());
      const bool chained = below(2) == 0;
      for (unsigned later = 1; later < count; ++later) {
        if (chained || below(3) == 0)
          rank.dependencies.push_back({later, chained ? later - 1 : below(later), below(2) == 0});
      }
      if (count > 1 && below(8) == 0) rank.dependencies.push_back({below(count), below(count), below(2) == 0});
    }
    return schedule;
  }

  std::mt19937& dice() { return dice_; }

 private:
  unsigned below(unsigned end) { return static_cast<unsigned>(dice_() % end); }

  void add_message(GoalSchedule& schedule, unsigned wild) {
    const auto ranks = static_cast<unsigned>(schedule.ranks.size());
    const std::uint32_t from = below(ranks);
    const std::uint32_t to = below(ranks);
    const std::uint64_t size = below(3) == 0 ? 100 : 10;
    const std::uint32_t tag = below(2);
    const auto nic = static_cast<std::uint8_t>(below(8) == 0 ? 1 : 0);
    schedule.ranks[from].operations.push_back({size, to, tag, GoalKind::send, 0, nic, {}});
    const std::uint32_t source = wild == 1 && below(2) == 0 ? goal_any : from;
    const std::uint32_t any_tag = wild == 2 && below(2) == 0 ? goal_any : tag;
    const std::uint64_t received = below(20) == 0 ? 110 - size : size;
    schedule.ranks[to].operations.push_back({received, source, any_tag, GoalKind::receive, 0, 0, {}});
  }

  void add(GoalSchedule& schedule, GoalKind kind) {
    const auto ranks = static_cast<unsigned>(schedule.ranks.size());
    schedule.ranks[below(ranks)].operations.push_back({10, below(ranks), below(2), kind, 0, 0, {}});
  }

  std::mt19937 dice_;
};

}  // namespace quadrille::programs
