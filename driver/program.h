// What one processor does of a table: its sends and receptions in order, and where in its buffers their chunks lie.
// formats/PROGRAM_FORMAT.md says what the buffers and the instructions mean.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/result.h"
#include "model/send_table.h"

namespace quadrille::driver {

enum class Action : std::uint8_t {
  send,
  store,           // what arrives takes the place of what the slot held
  combine,         // the slot's content and what arrives become one
  combine_before,  // likewise, of an operation that does not commute: what arrives stands before
  combine_after,
  discard  // what arrives is not needed
};
std::string_view to_string(Action action);

// One chunk that leaves or reaches a processor.
struct Transmission {
  StepId step;
  NodeId peer;  // in steps the neighbour, perhaps a switch; in rounds the processor at the message's other end
  ChunkId chunk;
  LaneId lane;        // of the channel to or from the neighbour
  MessageId message;  // in rounds
  Action action = Action::send;
};

enum class Buffer : std::uint8_t { none, input, output, values, scratch };
std::string_view to_string(Buffer buffer);

struct Instruction {
  Transmission what;
  Buffer buffer = Buffer::none;
  std::uint64_t slot = 0;
};

struct ProcessorProgram {
  NodeId processor;
  std::uint64_t input = 0;   // slots of each buffer
  std::uint64_t output = 0;  // copying collectives have both,
  std::uint64_t values = 0;  // combining ones this
  std::uint64_t scratch = 0;
  std::vector<std::uint32_t> wanted = {};  // combining: the values whose result this processor gets
  std::vector<Instruction> instructions = {};
};

// The program of a processor whose transmissions are these, in order: of each step the sends, then the receptions; or
// what the processor does not have when it should send it. Cost: linear but for the logarithm of the chunks.
Result<ProcessorProgram> program_of(const SendTable& table, NodeId processor,
                                    const std::vector<Transmission>& transmissions);

}  // namespace quadrille::driver
