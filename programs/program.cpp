// Defines which operations send, receive, read and write, and where buffers share memory. In place, the smaller
// buffer of a rank lies in the larger: an allgather's input is part `rank` of its output, a reduce-scatter's output
// is part `rank` of its input, and otherwise the two are the same.
#include "programs/program.h"

#include <algorithm>
#include <array>

namespace quadrille::programs {

std::string_view to_string(Space space) {
  constexpr std::array<std::string_view, 3> names = {"input", "output", "scratch"};
  return names[static_cast<std::size_t>(space)];
}

std::string_view to_string(Kind kind) {
  constexpr std::array<std::string_view, 8> names = {
      "send", "receive", "receive_copy_send", "receive_reduce_send", "receive_reduce_copy", "receive_reduce_copy_send",
      "copy", "reduce"};
  return names[static_cast<std::size_t>(kind)];
}

bool sends(Kind kind) {
  return kind == Kind::send || kind == Kind::receive_copy_send || kind == Kind::receive_reduce_send ||
         kind == Kind::receive_reduce_copy_send;
}

bool receives(Kind kind) { return kind != Kind::send && kind != Kind::copy && kind != Kind::reduce; }

bool reads_source(Kind kind) { return kind != Kind::receive && kind != Kind::receive_copy_send; }

bool writes_target(Kind kind) { return kind != Kind::send && kind != Kind::receive_reduce_send; }

std::string_view to_string(ProgramFamily family) {
  constexpr std::array<std::string_view, 7> names = {"allreduce", "allgather", "reducescatter", "alltoall",
                                                     "broadcast", "reduce",    "other"};
  return names[static_cast<std::size_t>(family)];
}

const ThreadBlock* block_of(const Rank& rank, std::uint32_t id) {
  const auto found = std::lower_bound(rank.blocks.begin(), rank.blocks.end(), id,
                                      [](const ThreadBlock& block, std::uint32_t wanted) { return block.id < wanted; });
  return found == rank.blocks.end() || found->id != id ? nullptr : &*found;
}

const ProgramOperation* awaited(const Rank& rank, const FlagWait& wait) {
  const ThreadBlock* block = block_of(rank, wait.block);
  if (block == nullptr) return nullptr;
  const auto found =
      std::find_if(block->operations.begin(), block->operations.end(),
                   [&](const ProgramOperation& each) { return each.flags && each.number >= wait.number; });
  return found == block->operations.end() ? nullptr : &*found;
}

std::uint64_t chunks_in_buffers(const Program& program) {
  std::uint64_t chunks = 0;
  for (const Rank& rank : program.ranks) chunks += std::uint64_t{rank.input} + rank.output + rank.scratch;
  return chunks;
}

Cells::Cells(const Program& program) : program_(program) {}

// The cells of input, output and scratch, one after another. If buffers share memory, the smaller one has cells of
// its own that stay unused.
std::optional<std::uint32_t> Cells::cell(std::size_t rank, Space space, std::int64_t offset) const {
  const Rank& it = program_.ranks[rank];
  const std::uint32_t size = space == Space::input ? it.input : space == Space::output ? it.output : it.scratch;
  if (offset < 0 || offset >= size) return std::nullopt;
  const auto chunk = static_cast<std::uint32_t>(offset);
  if (space == Space::scratch) return it.input + it.output + chunk;
  if (!program_.in_place) return space == Space::input ? chunk : it.input + chunk;
  const auto part = static_cast<std::uint32_t>(rank);
  if (program_.family == ProgramFamily::allgather && space == Space::input) return it.input + part * it.input + chunk;
  if (program_.family == ProgramFamily::reducescatter && space == Space::output) return part * it.output + chunk;
  if (program_.family == ProgramFamily::allgather) return it.input + chunk;
  return chunk;
}

std::uint32_t Cells::count(std::size_t rank) const {
  const Rank& it = program_.ranks[rank];
  return it.input + it.output + it.scratch;
}

}  // namespace quadrille::programs
