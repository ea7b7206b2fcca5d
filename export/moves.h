// A step's moves: what leaves one node and reaches another when the step ends. In steps each row is one; in rounds each
// (message, chunk, receiver).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "export/program.h"
#include "model/send_table.h"

namespace quadrille::exporting {

struct Move {
  NodeId from;
  NodeId to;
  ChannelId first_channel;  // out of `from`
  ChannelId channel;        // into `to`
  LaneId first_lane;
  LaneId lane;
  ChunkId chunk;
  MessageId message;
  Action action = Action::store;  // what becomes of it where it arrives
  // What its rows say of words: out of `from`, and into `to`; null: nothing.
  const WordUse* leaving = nullptr;
  const WordUse* arriving = nullptr;
};

// The moves of the step's messages, in the order of arrivals in model/MODEL.md; or what is wrong with a message.
// `moves` is overwritten.
std::optional<std::string> moves_of_round(const StepRows& step, const SendTable& table, std::vector<Move>& moves);

}  // namespace quadrille::exporting
