// The memory of a plan's GPUs in cells: the least parts of chunks that operations tell apart.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "programs/mscclpp/plan.h"

namespace quadrille::programs {

// The family that the plan's collective is of, by its name; other: what it demands is not known.
ProgramFamily family_of(const ExecutionPlan& plan);

// Whether operations of pipelines read or write scratch.
bool pipelines_use_scratch(const ExecutionPlan& plan);

// How plans divide their chunks: by tbg_info, and by the windows of pipelines.
struct PlanParts {
  std::uint32_t group = 1;  // so many chunks are never told apart
  std::uint32_t parts = 1;  // of each group, nearly equal
  bool mixed = false;       // by divisions that round each in its own way: the parts are right for large messages
};
// `turns` is the number of turns of all pipelines.
PlanParts parts_of(const ExecutionPlan& plan, std::uint32_t turns);

// Cells are numbered rank by rank, from 0: the input and the output (in place: both in one), and the scratch, twice if
// launches use its halves in turn. Packets take twice the room of what they carry: chunk i of them lies where plain
// chunks 2i and 2i + 1 of scratch do. A plan that has packets only in its scratch has a cell for each part of packets.

class PlanMemory {
 public:
  // Keeps the reference.
  PlanMemory(const ExecutionPlan& plan, const PlanParts& parts);

  // How many cells so many chunks have.
  std::uint32_t cells_of(std::uint32_t chunks) const { return chunks / parts_.group * parts_.parts; }
  // Whether two cells of a buffer are parts of the same chunks.
  bool same_chunks(std::uint32_t a, std::uint32_t b) const { return a / parts_.parts == b / parts_.parts; }
  // "part 2 of 7 of chunk 1", "chunks 2..3", of a buffer's cells.
  std::string chunk_name(std::string_view buffer, std::uint32_t cell) const;
  // How many cells a part of packets takes.
  std::uint32_t packet_cells() const { return packet_cells_; }
  // The first cell of the chunk.
  std::uint32_t cell(std::uint32_t rank, Space space, std::uint32_t chunk, bool packets) const;
  // Scratch begins here, with the half of the first launch.
  std::uint32_t scratch(std::uint32_t rank) const { return buffers_[rank]; }
  std::uint32_t half(std::uint32_t rank) const { return halves_[rank]; }
  std::uint32_t cells(std::uint32_t rank) const {
    return buffers_[rank] + (plan_.double_scratch ? 2 : 1) * halves_[rank];
  }
  // "input chunk 3", "part 2 of 7 of scratch chunk 1".
  std::string name(std::uint32_t rank, std::uint32_t cell) const;

 private:
  const ExecutionPlan& plan_;
  ProgramFamily family_;
  PlanParts parts_;
  std::uint32_t packet_cells_ = 1;
  std::vector<std::uint32_t> outputs_ = {};  // by rank: where the output begins, in chunks; in place, the input's place
  std::vector<std::uint32_t> inputs_ = {};
  std::vector<std::uint32_t> buffers_ = {};  // by rank: cells of input and output
  std::vector<std::uint32_t> halves_ = {};
};

}  // namespace quadrille::programs
