// Finds the crossing that brought a packet to the node where its next crossing begins.
#pragma once

#include <cstdint>
#include <map>
#include <memory_resource>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "driver/look/step_range.h"
#include "model/fabric.h"
#include "model/limits/work.h"
#include "model/send_table.h"

namespace quadrille::driver {

// A row as an event on its link's track.
struct CrossingEvent {
  std::uint32_t track = 0;
  std::int64_t begin = 0;  // in nanoseconds
};

// A crossing is forgotten when no more rows of its packet follow. Memory: a number for each chunk that is sent, and
// an entry for each packet on its way, and each node that it has reached.
class PacketRoutes {
 public:
  // Counts the rows of the steps of that range. Requires that the work outlives it. Throws Ended.
  PacketRoutes(const SendTable& table, const StepRange& steps, Work& work);

  // By row of the batch: the crossing before it on its packet's path, if there is one. To be called with each step of
  // the range, in order. `events`: by row.
  std::vector<std::optional<CrossingEvent>> before(const StepRows& batch, const std::vector<CrossingEvent>& events);

 private:
  using Reached = std::pair<ChunkId, NodeId>;
  void note(const StepRows& batch, const std::vector<CrossingEvent>& events);
  void forget(ChunkId chunk);

  const Fabric& fabric_;
  bool rounds_;
  std::pmr::unordered_map<ChunkId, std::uint64_t> to_come_;  // number of rows to come, by chunk
  std::pmr::map<Reached, CrossingEvent> reached_;
};

}  // namespace quadrille::driver
