#include "tests/programs/goal_executor.h"

#include <algorithm>
#include <deque>
#include <map>
#include <tuple>
#include <vector>

namespace quadrille::programs {
namespace {

struct GoalAt {
  std::uint32_t rank;
  std::uint32_t index;
};

class GoalMachine {
 public:
  GoalMachine(const GoalSchedule& schedule, std::uint64_t eager, std::mt19937& dice)
      : schedule_(schedule), eager_(eager), dice_(dice), came_(schedule.ranks.size()), waiting_(schedule.ranks.size()) {
    for (const GoalRank& rank : schedule.ranks) {
      begun_.emplace_back(rank.operations.size());
      ended_.emplace_back(rank.operations.size());
    }
  }

  GoalOutcome run() {
    while (true) {
      const std::vector<GoalAt> ready = ready_now();
      const std::size_t choices = ready.size() + flying_.size();
      if (choices == 0) break;
      const std::size_t choice = dice_() % choices;
      if (choice < ready.size()) {
        begin(ready[choice]);
      } else {
        arrive(std::next(flying_.begin(), static_cast<std::ptrdiff_t>(choice - ready.size())));
      }
    }
    outcome_.ended = outcome_.empty = true;
    for (const auto& rank : ended_) {
      outcome_.ended = outcome_.ended && std::find(rank.begin(), rank.end(), false) == rank.end();
    }
    for (std::size_t rank = 0; rank < came_.size(); ++rank) {
      outcome_.empty = outcome_.empty && came_[rank].empty() && waiting_[rank].empty();
    }
    return outcome_;
  }

 private:
  // Messages of one sender to one target that leave by the same processor and interface come in order.
  using Way = std::tuple<std::uint32_t, std::uint32_t, std::uint8_t, std::uint8_t>;
  using Flying = std::map<Way, std::deque<GoalAt>>;

  const GoalOperation& of(GoalAt it) const { return schedule_.ranks[it.rank].operations[it.index]; }

  std::vector<GoalAt> ready_now() const {
    std::vector<GoalAt> ready;
    for (std::uint32_t rank = 0; rank < begun_.size(); ++rank) {
      for (std::uint32_t i = 0; i < begun_[rank].size(); ++i) {
        const auto& all = schedule_.ranks[rank].dependencies;
        const bool free = std::all_of(all.begin(), all.end(), [&](const GoalDependency& it) {
          return it.later != i || (it.started ? begun_[rank][it.earlier] : ended_[rank][it.earlier]);
        });
        if (free && !begun_[rank][i]) ready.push_back({rank, i});
      }
    }
    return ready;
  }

  void begin(GoalAt it) {
    begun_[it.rank][it.index] = true;
    const GoalOperation& operation = of(it);
    if (operation.kind == GoalKind::calculate) end(it);
    if (operation.kind == GoalKind::send) {
      flying_[{it.rank, operation.peer, operation.cpu, operation.nic}].push_back(it);
      if (operation.size <= eager_) end(it);
    }
    if (operation.kind != GoalKind::receive) return;
    auto& came = came_[it.rank];
    const auto found = std::find_if(came.begin(), came.end(), [&](GoalAt sent) { return match(sent, it); });
    if (found == came.end()) return waiting_[it.rank].push_back(it);
    meet(*found, it);
    came.erase(found);
  }

  void arrive(Flying::iterator way) {
    const GoalAt sent = way->second.front();
    way->second.pop_front();
    if (way->second.empty()) flying_.erase(way);
    auto& waiting = waiting_[of(sent).peer];
    const auto found = std::find_if(waiting.begin(), waiting.end(), [&](GoalAt it) { return match(sent, it); });
    if (found == waiting.end()) return came_[of(sent).peer].push_back(sent);
    const GoalAt received = *found;
    waiting.erase(found);
    meet(sent, received);
  }

  bool match(GoalAt sent, GoalAt received) const {
    const GoalOperation& it = of(received);
    const std::uint32_t tag = of(sent).tag;
    return (it.peer == goal_any || it.peer == sent.rank) && (it.tag == goal_any || tag == goal_any || it.tag == tag);
  }

  void meet(GoalAt sent, GoalAt received) {
    outcome_.sizes_agreed = outcome_.sizes_agreed && of(sent).size == of(received).size;
    end(sent);
    end(received);
  }

  void end(GoalAt it) { ended_[it.rank][it.index] = true; }

  const GoalSchedule& schedule_;
  std::uint64_t eager_;
  std::mt19937& dice_;
  std::vector<std::vector<bool>> begun_;
  std::vector<std::vector<bool>> ended_;
  Flying flying_;
  std::vector<std::deque<GoalAt>> came_;
  std::vector<std::deque<GoalAt>> waiting_;
  GoalOutcome outcome_;
};

}  // namespace

GoalOutcome execute_goal(const GoalSchedule& schedule, std::uint64_t eager, std::mt19937& dice) {
  return GoalMachine(schedule, eager, dice).run();
}

}  // namespace quadrille::programs
