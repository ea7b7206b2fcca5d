// Moves of chunks. As rows say them, a move leaves one node and reaches another when the step ends: in steps each row
// is one; in rounds each (message, chunk, receiver). Where packets are followed through switches (followed_moves.h), it
// goes from a processor to another one, and may take several steps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "model/limits/work.h"
#include "model/send_table.h"
#include "motion/step_messages.h"

namespace quadrille {

struct ChunkMove {
  NodeId from;
  NodeId to;
  NodeId last_from;         // where its last row or message begins; `from` but for what waited in a switch
  ChannelId first_channel;  // out of `from`
  ChannelId channel;        // into `to`
  LaneId first_lane;
  LaneId lane;
  ChunkId chunk;
  MessageId message;  // in rounds
  StepId leaves;
  StepId arrives;
  std::uint32_t first_row = 0;  // of its step's, by index: out of `from`, if it begins in this step
  std::uint32_t last_row = 0;   // likewise: into `to`
  std::uint32_t number = 0;     // its place among the moves of its step
  std::uint64_t departure = 0;  // its number among those out of processors; of such that arrive at once, in their step
  // A message that joins makes moves out of its senders, and one into its receiver. That one has the message,
  // and the packet's number in it.
  bool leaves_to_join = false;
  const Message* joining = nullptr;
  std::uint32_t packet = 0;
  std::uint32_t chunks = 1;  // where a message's chunks are put together; `chunk` is the first
  // The partial reductions that its rows name: out of `from`, and into `to`; null: nothing.
  const ReductionUse* leaving = nullptr;
  const ReductionUse* arriving = nullptr;
};

// A fault in a step. The least place is what a reader of the whole step finds first.
struct StepFault {
  enum class FaultPlace : std::uint8_t { message, in_switch, departure, at_switch, arrival };
  StepId step;
  FaultPlace place = FaultPlace::message;
  std::uint32_t move = 0;  // but for message and arrival: the move's number
  std::string why = {};

  bool operator<(const StepFault& other) const {
    return std::tie(step, place, move) < std::tie(other.step, other.place, other.move);
  }
};

// Whether packets of a combining collective for one processor and value become one packet in the table's switches, so
// that an arrival has no one sender.
inline bool joins_in_switches(const SendTable& table) {
  return table.collective.combining() && table.fabric.switches_reduce() && table.fabric.has_switches();
}

class StepMoves {
 public:
  // Both outlive it. `joins`: messages may join.
  StepMoves(const SendTable& table, Work& work, bool joins)
      : fabric_(table.fabric), joins_(joins), messages_(table.fabric, table.collective, work) {}

  // The moves of the step's messages, in the order of arrivals in model/MODEL.md; or what is wrong with a message: it
  // is not well formed, or joins and must not. `moves` is overwritten; it points into the step, and here, until the
  // next call. Throws Ended.
  std::optional<StepFault> read(const StepRows& step, std::vector<ChunkMove>& moves);

 private:
  MessageId number_of(const StepRows& step, std::uint32_t row) const;
  void append_joining(const StepRows& step, const Message& message, std::vector<ChunkMove>& moves) const;
  ChunkMove move_of(const StepRows& step, std::uint32_t leaves, std::uint32_t arrives) const;
  void append(const StepRows& step, const Message& message, std::uint32_t last, std::vector<ChunkMove>& moves) const;

  const Fabric& fabric_;
  bool joins_;
  StepMessages messages_;
};

}  // namespace quadrille
