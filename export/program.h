// What one processor does of a table: its sends and receptions in order, and where in its buffers their chunks lie.
// formats/PROGRAM_FORMAT.md says what the buffers and the instructions mean.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "model/limits/limits.h"
#include "model/send_table.h"
#include "model/text/result.h"

namespace quadrille::exporting {

enum class Action : std::uint8_t {
  send,
  store,           // what arrives takes the place of what the slot held
  combine,         // the slot's content and what arrives become one
  combine_before,  // likewise, of an operation that does not commute: what arrives stands before
  combine_after,
  keep,     // what arrives gets a slot of its own
  discard,  // what arrives is not needed
  copy,     // from a slot of the processor to another one
  append    // likewise, and what the other one held stands before: both become one
};
std::string_view to_string(Action action);

// The node at a transmission's other end. neighbour: in steps the one at the channel's other end, perhaps a switch, and
// the channel's lane; in rounds the node at the message's other end. processor: the one that the packet comes from, or
// goes to, whatever switches it passes. Where there are switches, what two processors send one another by one lane
// arrives in the order in which it leaves, and lanes are as few as that allows; elsewhere they are those of the channel
// (in rounds 0).
enum class Peers : std::uint8_t { neighbour, processor };

// One chunk that leaves or reaches a processor.
struct Transmission {
  StepId step;
  StepId there;  // the step at the other end: in which a send arrives, or what is received has left
  NodeId peer;   // as Peers says
  LaneId lane;   // likewise
  ChunkId chunk;
  MessageId message;  // in rounds
  Action action = Action::send;
  std::uint32_t words = 0;  // combining, sends: index into TableReductions::sent
  std::uint32_t order = 0;  // among the sends of a step, or its receptions (put_values_in_order)
};

// What a table says of partial reductions (model/MODEL.md, Words), of those processors whose transmissions have been
// read.
struct TableReductions {
  std::vector<std::vector<std::uint32_t>> sent = {
      {}};  // lists of partial reductions in the order in which they are combined; [0]: 0 alone
  // The partial reductions that make up a processor's result for a value, likewise.
  std::map<std::pair<NodeId, std::uint32_t>, std::vector<std::uint32_t>> results = {};
};

enum class Buffer : std::uint8_t { none, input, output, values, kept, scratch };
std::string_view to_string(Buffer buffer);

struct BufferSlot {
  Buffer buffer = Buffer::none;
  std::uint64_t slot = 0;
  bool operator==(const BufferSlot&) const = default;
  auto operator<=>(const BufferSlot&) const = default;
};

// A transmission, or what is local, of `count` chunks from neighbouring slots to neighbouring ones.
struct Instruction {
  Transmission what;
  BufferSlot source;  // sends, what is local and what combines read it
  BufferSlot target;  // what is local and receptions write it; buffer none: what arrives is not needed
  std::vector<BufferSlot> others = {};  // sends: what these hold is combined with the source, in this order
  std::uint64_t count = 1;

  bool sends() const { return what.action == Action::send; }
  bool local() const { return what.action == Action::copy || what.action == Action::append; }  // nothing is sent
  bool combines() const { return what.action >= Action::combine && what.action <= Action::combine_after; }
  StepId leaves() const { return sends() ? what.step : what.there; }
  StepId arrives() const { return sends() ? what.there : what.step; }
  // What it reads or writes in a processor's own buffers, where these are one place.
  const BufferSlot& place() const { return sends() ? source : target; }
};

struct ProcessorProgram {
  NodeId processor;
  std::uint64_t input = 0;   // slots of each buffer
  std::uint64_t output = 0;  // copying collectives have both,
  std::uint64_t values = 0;  // combining ones this
  std::uint64_t kept = 0;    // where the table says something of partial reductions
  std::uint64_t scratch = 0;
  std::vector<std::uint32_t> wanted = {};  // combining: the values whose result this processor gets
  std::vector<std::vector<BufferSlot>> results =
      {};  // where partial reductions are spoken of: of each of these, what makes it up
  std::vector<Instruction> instructions = {};
};

// The program of a processor whose transmissions are these, in order: of each step the sends, then the receptions; or
// what the processor does not have when it should send it, or the limit that was reached. `words`: as they were read
// with them. Cost: linear but for the logarithm of the chunks.
Result<ProcessorProgram> program_of(const SendTable& table, NodeId processor,
                                    const std::vector<Transmission>& transmissions, const TableReductions& words,
                                    const Limits& limits);

// "the programs have not been made: timeout".
Diagnostic programs_ended(Reason reason);

}  // namespace quadrille::exporting
