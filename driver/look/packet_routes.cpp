// In steps, a row continues a row of an earlier step. In rounds a message crosses all its channels in one round, so
// the row before may belong to the same message. For example, 0->2 by way of 1 on ring:4 has the rows 0->1 and 1->2,
// and the first is before the second. Cost: look-ups in ordered maps.
#include "driver/look/packet_routes.h"

#include <tuple>

namespace quadrille::driver {

PacketRoutes::PacketRoutes(const SendTable& table, const StepRange& steps, Work& work)
    : fabric_(table.fabric), rounds_(table.fabric.in_rounds()), to_come_(&work), reached_(&work) {
  const auto cursor = table.rows->open();
  while (const auto batch = cursor->next()) {
    work.spend(batch->rows.size());
    if (batch->step.value > steps.last) return;
    if (batch->step.value < steps.first) continue;
    for (const Row& row : batch->rows) ++to_come_[row.chunk];
  }
  if (const Reason reason = cursor->ended_early(); reason != Reason::none) throw Ended{reason};
}

std::vector<std::optional<CrossingEvent>> PacketRoutes::before(const StepRows& batch,
                                                               const std::vector<CrossingEvent>& events) {
  std::vector<std::optional<CrossingEvent>> result(batch.rows.size());
  std::map<std::tuple<MessageId, ChunkId, NodeId>, std::size_t> within;  // rows of messages, by where they lead
  const bool messages = rounds_ && !batch.messages.empty();
  for (std::size_t i = 0; messages && i < batch.rows.size(); ++i) {
    within.try_emplace({batch.messages[i], batch.rows[i].chunk, fabric_.channel(batch.rows[i].channel).to}, i);
  }
  for (std::size_t i = 0; i < batch.rows.size(); ++i) {
    const Row& row = batch.rows[i];
    const NodeId from = fabric_.channel(row.channel).from;
    if (messages) {
      const auto found = within.find({batch.messages[i], row.chunk, from});
      if (found != within.end()) {
        // With shared paths, a packet may have its turn on a channel before its turn on the one that leads there.
        if (events[found->second].begin <= events[i].begin) result[i] = events[found->second];
        continue;
      }
    }
    const auto found = reached_.find({row.chunk, from});
    if (found != reached_.end()) result[i] = found->second;
  }
  note(batch, events);
  return result;
}

void PacketRoutes::note(const StepRows& batch, const std::vector<CrossingEvent>& events) {
  for (std::size_t i = 0; i < batch.rows.size(); ++i) {
    const Row& row = batch.rows[i];
    reached_.try_emplace({row.chunk, fabric_.channel(row.channel).to}, events[i]);
  }
  for (const Row& row : batch.rows) {
    if (--to_come_[row.chunk] == 0) forget(row.chunk);
  }
}

void PacketRoutes::forget(ChunkId chunk) {
  to_come_.erase(chunk);
  reached_.erase(reached_.lower_bound({chunk, NodeId(0)}), reached_.upper_bound({chunk, NodeId(0xffffffff)}));
}

}  // namespace quadrille::driver
