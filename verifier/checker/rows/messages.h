// Messages: the rows of one round as messages, and what they move (model/MODEL.md, Rounds). A reading of the judge's
// own: compiler, simulator and exporters share another (motion), and a mistake there must not be made here as
// well.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/send_table.h"
#include "verifier/checker/rows/budget.h"
#include "verifier/checker/rows/findings.h"

namespace quadrille::checker {

struct CheckedMessage;

// One packet brought from one node to another within a step or round.
struct Move {
  NodeId from;
  NodeId to;
  ChannelId channel;  // the last one, into `to`
  LaneId lane;        // of that one
  ChunkId chunk;
  std::uint32_t row = 0;                   // the row across `channel`, by its index among the step's
  std::uint32_t first_row = 0;             // likewise that out of `from`
  const CheckedMessage* joined = nullptr;  // the message, if ways join in it; `from` and `first_row` then say nothing
  std::uint32_t line = 0;                  // likewise: which one of its packets
};

// The moves of a step's rows: one for each.
void moves_of_rows(const StepRows& batch, const Fabric& fabric, std::vector<Move>& moves);

struct CheckedMessage {
  std::uint32_t chunks = 0;    // its length
  std::uint32_t channels = 0;  // of its path or tree
  std::uint32_t longest = 0;   // channels on its longest way
  std::size_t first = 0;       // its rows in Messages::rows(): those of its first chunk, then of the next …
  std::size_t first_end = 0;   // of its receivers, in Messages::ends()
  std::uint32_t ends = 0;
  std::size_t first_start = 0;   // of its senders, in Messages::starts()
  std::uint32_t starts = 0;      // one, unless ways join in it
  std::size_t first_inward = 0;  // if so: of its channels in Messages::inwards()

  bool joins() const { return starts > 1; }
};

class Messages {
 public:
  Messages(const SendTable& table, Findings& findings, Budget& budget, const Limits& limits);

  // Divides the rows of a round. A message that is not well formed is counted, and its rows divided. May throw
  // OverBudget or Ended.
  void read(const StepRows& batch);

  // In the order of their numbers. Indices are those of the batch's rows.
  std::span<const CheckedMessage> all() const { return messages_; }
  std::span<const std::uint32_t> rows(const CheckedMessage& message) const {
    return std::span(order_).subspan(message.first, std::size_t{message.chunks} * message.channels);
  }
  // Its rows that stand for its channels: those of its first chunk.
  std::span<const std::uint32_t> path(const CheckedMessage& message) const {
    return rows(message).first(message.channels);
  }
  // Of each receiver, the place in path() of the channel into it.
  std::span<const std::uint32_t> ends(const CheckedMessage& message) const {
    return std::span(ends_).subspan(message.first_end, message.ends);
  }
  // Likewise of each sender, of a channel out of it.
  std::span<const std::uint32_t> starts(const CheckedMessage& message) const {
    return std::span(starts_).subspan(message.first_start, message.starts);
  }
  // Of a message in which ways join: the places of its channels, those that lead to a node before that out of it.
  std::span<const std::uint32_t> inwards(const CheckedMessage& message) const {
    return std::span(inwards_).subspan(message.first_inward, message.channels);
  }
  std::span<const Move> moves() const { return moves_; }

 private:
  struct PathChannel {
    NodeId from;
    NodeId to;
    std::uint32_t at = 0;     // its place in path()
    std::uint32_t depth = 0;  // channels from the sender to its end
  };

  void sort(const StepRows& batch);
  void divide(const StepRows& batch);
  void add_ill_formed(const StepRows& batch, std::size_t first, std::size_t last);
  bool read_message(const StepRows& batch, std::size_t first, std::size_t last);
  void sort_by_wanted(const StepRows& batch, std::size_t first, std::size_t last);
  bool read_lines(const StepRows& batch, std::size_t first, std::size_t last, bool joins);
  std::uint64_t line_of(ChunkId chunk, bool joins) const;
  bool alike(const StepRows& batch, const CheckedMessage& message, bool joins) const;
  bool follow_routes(const StepRows& batch, CheckedMessage& message, bool joins);
  bool reach_all(NodeId root, CheckedMessage& message, bool joins);
  void add_single(std::size_t place);
  void add_moves(const StepRows& batch, const CheckedMessage& message);

  const SendTable& table_;
  Findings& findings_;
  const Limits& limits_;
  Share share_;
  std::vector<std::uint32_t> order_;  // row indices by message, chunk, channel; those of ill-formed ones by channel
  std::vector<CheckedMessage> messages_;
  std::vector<std::uint32_t> ends_;  // by message; so with the next two
  std::vector<std::uint32_t> starts_;
  std::vector<std::uint32_t> inwards_;
  std::vector<Move> moves_;
  std::vector<PathChannel> path_channels_;  // of the message being read, by from; where ways join, the other way round
  std::vector<std::size_t> single_;         // places in order_ of ill-formed messages' rows
};

}  // namespace quadrille::checker
