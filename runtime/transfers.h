// The transfers of a step or round: one for each row, or for each message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/work.h"
#include "model/send_table.h"

namespace quadrille::replaying {

struct Crossing {
  ChannelId channel;
  LaneId lane;
};

// Where a transfer begins or ends, and the crossing there, by its place among the transfer's.
struct TransferEnd {
  NodeId node;
  std::uint32_t crossing = 0;
};

// From one node to one or, along a tree, to several; or from several, whose ways join, to one. Spans live until the
// next call of Transfers::read.
struct Transfer {
  std::span<const Crossing> crossings;     // its channels, by number
  std::span<const TransferEnd> from;       // by crossing
  std::span<const TransferEnd> to;         // by crossing
  std::span<const std::uint32_t> rows;     // of the batch, by index: for each of its packets one for each crossing
  std::span<const std::uint32_t> inwards;  // crossings, those that lead to a node before that out of it
  std::uint32_t packets = 1;
  std::uint32_t longest = 1;  // channels on the longest way

  std::uint32_t row(std::uint32_t packet, std::uint32_t crossing) const {
    return rows[packet * crossings.size() + crossing];
  }
};

class Transfers {
 public:
  // All outlive it.
  Transfers(const Fabric& fabric, const Collective& collective, Work& work);

  // In the order of model/MODEL.md, Rounds; in steps by channel, lane and packet, where that matters. Cost: a sort of
  // the rows. Throws Ended.
  std::span<const Transfer> read(const StepRows& batch);

  // The messages of that batch that are not well formed, each by one of its rows; all their rows are transfers of their
  // own, the last ones.
  std::span<const std::uint32_t> ill_formed() const { return ill_formed_; }

 private:
  struct Extent {  // where the transfer's begin
    std::size_t crossings = 0, from = 0, to = 0, rows = 0, inwards = 0;
    std::uint32_t packets = 1;
    std::uint32_t longest = 1;
  };
  struct Link {  // a crossing, as seen from the root of a tree
    NodeId near;
    NodeId far;
    std::uint32_t crossing = 0;
    std::uint32_t depth = 0;
  };
  enum class Grows { from_sender, from_receiver };

  void divide(const StepRows& batch);
  void add_row(const StepRows& batch, std::uint32_t row);
  bool add_message(const StepRows& batch, std::span<std::uint32_t> rows);
  bool lines_alike(const StepRows& batch, std::span<const std::uint32_t> rows, Grows grows);
  bool follow(Grows grows);
  bool root_of(Grows grows, NodeId& root);
  bool walk(Grows grows, NodeId root);
  std::uint64_t line_of(ChunkId chunk, Grows grows) const;
  Extent here() const;
  void drop_to(const Extent& extent);
  void make_transfers();

  const Fabric& fabric_;
  const Collective& collective_;
  Work& work_;
  bool sorted_;                            // rows that are transfers of their own: where their order matters
  std::pmr::vector<std::uint32_t> order_;  // the batch's rows, by message
  std::pmr::vector<std::uint32_t> alone_;  // of messages that are not well formed
  std::pmr::vector<std::uint32_t> ill_formed_;
  std::pmr::vector<Extent> extents_;
  std::pmr::vector<Crossing> crossings_;
  std::pmr::vector<TransferEnd> from_, to_;
  std::pmr::vector<std::uint32_t> rows_;
  std::pmr::vector<std::uint32_t> inwards_;
  std::pmr::vector<Link> links_;  // of the message at work, by near
  std::pmr::vector<NodeId> entered_;
  std::pmr::vector<const Link*> open_;
  std::pmr::vector<Transfer> transfers_;
};

}  // namespace quadrille::replaying
