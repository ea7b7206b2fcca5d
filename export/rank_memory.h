// A processor's program on the buffers of an executor: input, output and scratch, as MPI and NCCL calls have them.
#pragma once

#include <cstdint>
#include <vector>

#include "export/program.h"
#include "model/send_table.h"
#include "model/text/result.h"
#include "programs/program.h"

namespace quadrille::exporting {

// A chunk of a rank's buffers.
struct BufferCell {
  programs::Space space = programs::Space::input;
  std::int64_t offset = 0;
  bool operator==(const BufferCell&) const = default;
  auto operator<=>(const BufferCell&) const = default;
};

// What a rank does with one chunk; in the order of the list, but for the sends of a step, which come first and in any
// order. Nothing ever writes to the input.
struct ChunkOperation {
  programs::Kind kind = programs::Kind::send;  // send, receive, receive_reduce_copy or copy
  StepId step;                                 // 0: before all steps; of the last copies: the maximum
  NodeId peer;                                 // not of copies
  LaneId lane;                                 // in steps
  MessageId message;
  ChunkId chunk;
  BufferCell source;  // not of receive
  BufferCell target;  // not of send
};

struct RankProgram {
  std::uint64_t input = 0;  // chunks of each buffer
  std::uint64_t output = 0;
  std::uint64_t scratch = 0;
  std::vector<ChunkOperation> operations;
};

// The family of calls that the collective is; other: none of theirs, and rank_program is not for it.
programs::ProgramFamily family_of(const Collective& collective);

// Chunks of the whole message of such a call.
std::uint64_t call_chunks(const Collective& collective);

// The buffers are those of MPI's and NCCL's calls: an all-gather's output has the part of rank r at r·parts, an
// all-to-all's input that for rank r, and so on. What a send of a step reads is not overwritten in that step: what
// arrives there goes to a cell beside it. Or what cannot be said so: partial reductions that are kept, operations that
// do not commute; or the limit that was reached.
Result<RankProgram> rank_program(const ProcessorProgram& program, const SendTable& table, const Limits& limits);

}  // namespace quadrille::exporting
