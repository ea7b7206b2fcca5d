// The transfers of a step or round: one for each row, or for each message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/fabric.h"
#include "model/send_table.h"
#include "runtime/channel_times.h"

namespace quadrille::replaying {

struct Crossing {
  ChannelId channel;
  LaneId lane;
};

// From one node to one or, along a tree, to several. Spans live until the next call of Transfers::read.
struct Transfer {
  NodeId from;
  std::span<const Crossing> crossings;  // its channels
  std::span<const NodeId> to;
  std::span<const ChunkId> chunks;
  double way = 0;      // seconds that the slowest way's channels add (ChannelTimes::hop)
  double slowest = 0;  // seconds for a chunk, of the slowest channel
  // What its rows say of words, by chunk: out of `from`, and into the one that it goes to. None: they say nothing.
  std::span<const WordUse* const> leaving = {};
  std::span<const WordUse* const> arriving = {};
};

class Transfers {
 public:
  // Both outlive it.
  Transfers(const Fabric& fabric, const ChannelTimes& times) : fabric_(fabric), times_(times) {}

  // Requires well formed messages. Cost: a sort of the rows.
  std::span<const Transfer> read(const StepRows& batch);

 private:
  struct Extent {
    std::size_t crossings, to, chunks;  // where the transfer's begin
    NodeId from;
    double way;
    double slowest;
  };

  void add(std::span<const Row> rows, std::span<const WordUse* const> uses);
  void add_uses(const Extent& extent, std::span<const WordUse* const> uses);
  double follow(std::span<const Crossing> crossings, NodeId sender);

  const Fabric& fabric_;
  const ChannelTimes& times_;
  std::vector<std::uint32_t> order_;  // the batch's rows, by message
  std::vector<Row> rows_;             // likewise
  std::vector<const WordUse*> uses_;  // likewise
  std::vector<Extent> extents_;
  std::vector<Crossing> crossings_;
  std::vector<NodeId> to_;
  std::vector<ChunkId> chunks_;
  std::vector<const WordUse*> leaving_;   // by chunk
  std::vector<const WordUse*> arriving_;  // likewise
  std::vector<Transfer> transfers_;
};

}  // namespace quadrille::replaying
