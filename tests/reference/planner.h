// Sends packets over a fabric, so that few rules are broken: the carpenter of the random tables.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "model/send_table.h"
#include "tests/reference/random_tables.h"

namespace quadrille::reference {

// Keeps every rule of lanes and ports, except when it is impatient (rarely). If it is lazy, packets wait on the way.
class Planner {
 public:
  Planner(Dice& dice, const Fabric& fabric, bool lazy) : dice_(dice), fabric_(fabric), lazy_(lazy) {}

  // Moves the packet along a shortest path, leaving after step `ready`. Returns, for each node on the way, the step in
  // which it gets there; nothing if there is no way.
  std::vector<std::pair<NodeId, std::uint32_t>> travel(ChunkId packet, NodeId from, NodeId to, std::uint32_t ready);
  // Likewise along so many random channels.
  std::vector<std::pair<NodeId, std::uint32_t>> wander(ChunkId packet, NodeId from, std::uint32_t hops,
                                                       std::uint32_t ready);

  std::vector<StoredRows::StepRow>& rows() { return rows_; }

 private:
  std::vector<ChannelId> path(NodeId from, NodeId to);
  std::vector<std::pair<NodeId, std::uint32_t>> follow(ChunkId packet, const std::vector<ChannelId>& path,
                                                       std::uint32_t ready);
  bool all_free(const std::vector<ChannelId>& path, std::uint32_t first) const;
  bool is_free(ChannelId channel, std::uint32_t step) const;
  void cross(ChunkId packet, ChannelId channel, std::uint32_t step);
  std::uint32_t count(const std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>& counts,
                      std::uint32_t number, std::uint32_t step) const;

  Dice& dice_;
  const Fabric& fabric_;
  bool lazy_;
  std::vector<StoredRows::StepRow> rows_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> on_channel_, sent_, received_;  // (number, step)
};

}  // namespace quadrille::reference
