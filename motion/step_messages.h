// StepMessages shows the rows of a step or round as messages (model/MODEL.md, Rounds). In steps each row is a
// message.
//
// This is the single view of a table as messages, for compiler, simulator and exporters. The checker
// (verifier/checker/rows) and the references of the tests read rows by themselves.
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

namespace quadrille {

// A message from one node to one other or, along a tree, to several; or from several nodes, whose paths join, to one.
// Spans are valid until the next call of StepMessages::read.
struct Message {
  struct Hop {
    ChannelId channel;
    LaneId lane;
  };
  // A node where the message begins or ends, and the index of its hop there.
  struct End {
    NodeId node;
    std::uint32_t hop = 0;
  };

  std::span<const Hop> hops;            // by channel
  std::span<const End> from;            // by hop
  std::span<const End> to;              // by hop
  std::span<const std::uint32_t> rows;  // of the batch, by index: for each packet, one for each hop
  // Hops, from the leaves of the tree to its root. The root is the sender or, where paths join, the receiver.
  std::span<const std::uint32_t> inwards;
  std::uint32_t packets = 1;
  std::uint32_t longest = 1;  // channels on the longest path

  bool joins() const { return from.size() > 1; }
  std::uint32_t row(std::uint32_t packet, std::uint32_t hop) const { return rows[packet * hops.size() + hop]; }
};

class StepMessages {
 public:
  // Keeps references to all arguments. `in_order`: the order matters to the reader, whatever the table is.
  StepMessages(const Fabric& fabric, const Collective& collective, Work& work, bool in_order = false);

  // The messages of a step, in the order of model/MODEL.md, Rounds; in steps by channel, lane and packet, if the
  // order matters. Cost: a sort of the rows. Throws Ended.
  std::span<const Message> read(const StepRows& batch);

  // The messages of the last batch that are not well formed, each by one of its rows. All their rows become messages
  // of their own, which come last.
  std::span<const std::uint32_t> ill_formed() const { return ill_formed_; }

 private:
  struct Extent {  // where the message's begin
    std::size_t hops = 0, from = 0, to = 0, rows = 0, inwards = 0;
    std::uint32_t packets = 1;
    std::uint32_t longest = 1;
  };
  struct Link {  // a hop, as seen from the root of a tree
    NodeId near;
    NodeId far;
    std::uint32_t hop = 0;
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
  void make_messages();

  const Fabric& fabric_;
  const Collective& collective_;
  Work& work_;
  bool sorted_;                            // whether rows that are messages of their own are sorted
  std::pmr::vector<std::uint32_t> order_;  // the batch's rows, by message
  std::pmr::vector<std::uint32_t> alone_;  // of messages that are not well formed
  std::pmr::vector<std::uint32_t> ill_formed_;
  std::pmr::vector<Extent> extents_;
  std::pmr::vector<Message::Hop> hops_;
  std::pmr::vector<Message::End> from_, to_;
  std::pmr::vector<std::uint32_t> rows_;
  std::pmr::vector<std::uint32_t> inwards_;
  std::pmr::vector<Link> links_;  // of the current message, by near
  std::pmr::vector<NodeId> entered_;
  std::pmr::vector<const Link*> open_;
  std::pmr::vector<Message> messages_;
};

}  // namespace quadrille
