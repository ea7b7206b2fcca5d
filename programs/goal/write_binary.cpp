// Writes GOAL in binary (binary.h). The lists of waiting operations are in the order of the dependencies, as txt2bin
// reads them. Cost: linear.
#include <algorithm>

#include "programs/goal/binary.h"
#include "programs/goal/write.h"

namespace quadrille::programs {
namespace {

void put_bytes(std::string& bytes, std::uint64_t number, int count) {
  for (int i = 0; i < count; ++i) bytes += static_cast<char>(static_cast<unsigned char>(number >> (8 * i)));
}

std::uint64_t goal_roots(const GoalRank& rank) {
  std::vector<bool> waits(rank.operations.size());
  for (const GoalDependency& it : rank.dependencies) waits[it.later] = true;
  return static_cast<std::uint64_t>(std::count(waits.begin(), waits.end(), false));
}

std::uint64_t bytes_of_goal_rank(const GoalRank& rank) {
  return 8 + 4 * goal_roots(rank) + goal_operation_size * rank.operations.size() + 4 * rank.dependencies.size();
}

std::string goal_head(const GoalSchedule& schedule) {
  std::uint8_t cpu = 0;
  std::uint8_t nic = 0;
  for (const GoalRank& rank : schedule.ranks) {
    for (const GoalOperation& it : rank.operations) {
      cpu = std::max(cpu, it.cpu);
      nic = std::max(nic, it.nic);
    }
  }
  std::string bytes;
  put_bytes(bytes, goal_cookie, 8);
  put_bytes(bytes, schedule.ranks.size(), 4);
  put_bytes(bytes, cpu, 1);
  put_bytes(bytes, nic, 1);
  std::uint64_t begin = goal_fixed_head - goal_base + goal_rank_entry * schedule.ranks.size();
  for (const GoalRank& rank : schedule.ranks) {
    const std::uint64_t end = begin + bytes_of_goal_rank(rank);
    put_bytes(bytes, begin, 8);
    put_bytes(bytes, end, 8);
    begin = end;
  }
  return bytes;
}

// For each operation: where in the appendix the lists begin of operations that wait for its end and for its
// beginning.
struct WaitingLists {
  std::vector<std::uint32_t> begin;  // by 2·operation (+1: its beginning), and the end of all
  std::vector<std::uint32_t> appendix;
  std::vector<std::uint32_t> waits;  // by operation
};

WaitingLists waiting_lists(const GoalRank& rank) {
  WaitingLists lists{std::vector<std::uint32_t>(2 * rank.operations.size() + 1),
                     std::vector<std::uint32_t>(rank.dependencies.size()),
                     std::vector<std::uint32_t>(rank.operations.size())};
  const auto list = [](const GoalDependency& it) { return 2 * std::size_t{it.earlier} + (it.started ? 1 : 0); };
  for (const GoalDependency& it : rank.dependencies) ++lists.begin[list(it) + 1];
  for (std::size_t i = 1; i < lists.begin.size(); ++i) lists.begin[i] += lists.begin[i - 1];
  std::vector<std::uint32_t> next = lists.begin;
  for (const GoalDependency& it : rank.dependencies) {
    lists.appendix[next[list(it)]++] = it.later;
    ++lists.waits[it.later];
  }
  return lists;
}

std::string goal_rank_bytes(const GoalRank& rank) {
  const WaitingLists lists = waiting_lists(rank);
  std::string bytes;
  bytes.reserve(bytes_of_goal_rank(rank));
  put_bytes(bytes, rank.operations.size(), 4);
  put_bytes(bytes, goal_roots(rank), 4);
  for (std::size_t i = 0; i < rank.operations.size(); ++i) {
    if (lists.waits[i] == 0) put_bytes(bytes, i, 4);
  }
  for (std::size_t i = 0; i < rank.operations.size(); ++i) {
    const GoalOperation& it = rank.operations[i];
    put_bytes(bytes, lists.waits[i], 4);
    put_bytes(bytes, static_cast<std::uint64_t>(it.kind), 1);
    put_bytes(bytes, it.peer, 4);
    put_bytes(bytes, it.size, 8);
    put_bytes(bytes, it.tag, 4);
    put_bytes(bytes, it.cpu, 1);
    put_bytes(bytes, it.nic, 1);
    for (std::size_t list = 2 * i; list < 2 * i + 2; ++list) {
      put_bytes(bytes, lists.begin[list + 1] - lists.begin[list], 4);
      put_bytes(bytes, lists.begin[list], 4);
    }
  }
  for (const std::uint32_t later : lists.appendix) put_bytes(bytes, later, 4);
  return bytes;
}

}  // namespace

bool write_goal_binary(const GoalSchedule& schedule, const GoalSink& sink) {
  if (!sink(goal_head(schedule))) return false;
  return std::all_of(schedule.ranks.begin(), schedule.ranks.end(),
                     [&](const GoalRank& rank) { return sink(goal_rank_bytes(rank)); });
}

}  // namespace quadrille::programs
