// A program: the work of each rank of a communicator, as an executor of another system runs it. Each rank has blocks
// that run side by side. Each block runs operations one after another, on chunks of three buffers. Connections
// between ranks hold a limited number of messages. Between the blocks of a rank, an operation sets flags that others
// wait for. PROGRAMS.md describes how each executor reads a file.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/text/source.h"

namespace quadrille::programs {

enum class Space : std::uint8_t { input, output, scratch };
std::string_view to_string(Space space);

enum class Kind : std::uint8_t {
  send,
  receive,
  receive_copy_send,         // the arriving chunk is stored in the target, and sent on
  receive_reduce_send,       // the arriving chunk and the source are added, and sent on; nothing is stored
  receive_reduce_copy,       // likewise, and stored in the target
  receive_reduce_copy_send,  // both
  copy,
  reduce  // target += each source in turn
};
std::string_view to_string(Kind kind);  // "receive_reduce_send"
bool sends(Kind kind);
bool receives(Kind kind);
bool reads_source(Kind kind);
bool writes_target(Kind kind);

// A wait for the first flag of `block` (of the same rank) with a number of at least `number`.
struct FlagWait {
  std::uint32_t block = 0;
  std::int64_t number = 0;
};

struct ProgramOperation {
  Kind kind = Kind::send;
  std::uint32_t count = 0;  // chunks, of the source and of the target
  Space source = Space::input;
  Space target = Space::input;
  std::vector<std::int64_t> sources = {};  // where each source begins; several: a fused reduction
  std::int64_t target_offset = 0;
  std::vector<FlagWait> waits = {};  // waits before it begins
  bool flags = false;                // it sets its block's flag to `number` when it has ended
  std::int64_t number = 0;           // at run time
  std::int64_t written = 0;          // the step's number in the file
  Span span = {};
};

struct ThreadBlock {
  std::uint32_t id = 0;
  std::int64_t send_peer = -1;  // a rank; -1: none
  std::int64_t receive_peer = -1;
  std::int64_t channel = 0;
  std::vector<ProgramOperation> operations = {};
  Span span = {};
};

// A rank. Its blocks are in the order of their numbers.
struct Rank {
  std::uint32_t input = 0;  // number of chunks that the buffers really have
  std::uint32_t output = 0;
  std::uint32_t scratch = 0;
  std::vector<ThreadBlock> blocks = {};
};

// The block with this number; null if there is none.
const ThreadBlock* block_of(const Rank& rank, std::uint32_t id);
// The operation whose flag ends the wait; null if none does.
const ProgramOperation* awaited(const Rank& rank, const FlagWait& wait);

enum class ProgramFamily : std::uint8_t { allreduce, allgather, reducescatter, alltoall, broadcast, reduce, other };
std::string_view to_string(ProgramFamily family);

// The number of chunks that travel in one message when a call moves so many bytes; bytes_to 0: no limit.
struct Regime {
  std::uint32_t together = 1;
  std::uint64_t bytes_from = 0;
  std::uint64_t bytes_to = 0;
};

struct ExecutorRules {
  std::uint32_t depth = 2;   // number of messages that a connection holds
  bool early_reads = false;  // a reduction reads its source before the message arrives
  bool leaky_sends = false;  // a send ends while other threads of its block still read
  bool target_last = false;  // a fused reduction may also add its target last
  bool relaxed_scratch =
      false;  // flags order memory only where the target is not scratch, and the source is the output
  bool fence_by_transport = false;  // flags order memory only where a transport other than peer-to-peer is in use
};

struct Program {
  ProgramFamily family = ProgramFamily::other;
  bool in_place = false;
  std::uint32_t root = 0;    // of broadcast and reduce
  std::uint32_t chunks = 1;  // of the whole message
  std::vector<Rank> ranks = {};
  ExecutorRules rules = {};
  std::vector<Regime> regimes = {};  // by message size, all that may occur; never empty
  // Index t: with a buffer of at least so many bytes, at least t chunks travel together, whatever the message is.
  // Empty if the buffer is given, or if there is no largest message.
  std::vector<std::uint64_t> buffers = {};
};

// The chunks of all buffers, and how many of them are followed at most: a file says their number in a few digits,
// whatever its steps reach; executors keep offsets in 16 bits.
std::uint64_t chunks_in_buffers(const Program& program);
inline constexpr std::uint64_t most_followed = std::uint64_t{1} << 22;

// Numbers the memory of a rank's buffers in cells, from 0. Two chunks are the same memory if their cells are equal.
class Cells {
 public:
  explicit Cells(const Program& program);
  // The cell of the chunk; nothing if it is outside of the buffer.
  std::optional<std::uint32_t> cell(std::size_t rank, Space space, std::int64_t offset) const;
  std::uint32_t count(std::size_t rank) const;

 private:
  const Program& program_;
};

}  // namespace quadrille::programs
