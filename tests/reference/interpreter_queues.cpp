#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

#include "tests/reference/interpreter.h"

namespace quadrille::reference {
namespace {

// A row that is to be served: when it may be, and what comes before what.
struct Task {
  std::optional<std::size_t> follows;  // the row that brings the packet; none: it is where the send begins
  std::uint32_t ready = 0;             // the first step in which it may be served, once that is known
  std::tuple<std::int64_t, std::uint32_t, std::uint32_t, std::uint64_t, std::size_t> rank;  // the least goes first
  bool known = false;
  bool served = false;
};

}  // namespace

std::vector<InterpretedRow> served_in_turn(std::vector<InterpretedRow> rows, const Fabric& fabric,
                                           bool farthest_first) {
  std::vector<Task> tasks(rows.size());
  std::map<std::uint64_t, std::int64_t> lengths;
  for (const InterpretedRow& row : rows) ++lengths[row.send];
  const auto rank = [&](std::size_t i, std::uint32_t arrived, std::uint32_t came_by) {
    return std::tuple(farthest_first ? -lengths[rows[i].send] : 0, arrived, came_by, rows[i].send, i);
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const NodeId from = fabric.channel(rows[i].channel).from;
    for (std::size_t j = 0; j < i && from != rows[i].source; ++j) {
      if (rows[j].send == rows[i].send && fabric.channel(rows[j].channel).to == from) tasks[i].follows = j;
    }
    if (tasks[i].follows) continue;
    tasks[i].known = true;
    tasks[i].ready = rows[i].step;
    tasks[i].rank = rank(i, rows[i].step - 1, 0);
  }
  std::size_t left = rows.size();
  for (std::uint32_t step = 1; left > 0; ++step) {
    std::uint32_t soonest = std::numeric_limits<std::uint32_t>::max();
    for (const Task& task : tasks) {
      if (task.known && !task.served) soonest = std::min(soonest, task.ready);
    }
    step = std::max(step, soonest);
    std::map<ChannelId, std::vector<std::size_t>> queues;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (tasks[i].known && !tasks[i].served && tasks[i].ready <= step) queues[rows[i].channel].push_back(i);
    }
    for (auto& [channel, queue] : queues) {
      std::sort(queue.begin(), queue.end(), [&](auto a, auto b) { return tasks[a].rank < tasks[b].rank; });
      queue.resize(std::min<std::size_t>(queue.size(), fabric.channel(channel).capacity));
      for (const std::size_t i : queue) {
        rows[i].step = step;
        tasks[i].served = true;
        --left;
      }
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (tasks[i].known || !tasks[*tasks[i].follows].served) continue;
      tasks[i].known = true;
      tasks[i].ready = step + 1;
      tasks[i].rank = rank(i, step, rows[*tasks[i].follows].channel.value + 1);
    }
  }
  return rows;
}

}  // namespace quadrille::reference
