// A program: what each rank of a communicator does, as an executor of another system runs it. Per rank, blocks that run
// side by side; in a block, operations one after another, on chunks of three buffers; between ranks, connections that
// hold so many messages; between blocks of a rank, flags that an operation sets and others wait for. PROGRAMS.md says
// what each executor makes of a file.
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
  receive_copy_send,         // what arrives is stored in the target, and sent on
  receive_reduce_send,       // what arrives and the source are added, and sent on; nothing is stored
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

// The first flag of `block` (of the same rank) that is numbered `number` or more.
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
  std::vector<FlagWait> waits = {};  // before it begins
  bool flags = false;                // sets its block's flag to `number` when it has ended
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

// The blocks are in the order of their numbers.
struct Rank {
  std::uint32_t input = 0;  // chunks that the buffers really have
  std::uint32_t output = 0;
  std::uint32_t scratch = 0;
  std::vector<ThreadBlock> blocks = {};
};

// Null if there is none of that number.
const ThreadBlock* block_of(const Rank& rank, std::uint32_t id);
// The operation whose flag ends that wait; null: none does.
const ProgramOperation* awaited(const Rank& rank, const FlagWait& wait);

enum class ProgramFamily : std::uint8_t { allreduce, allgather, reducescatter, alltoall, broadcast, reduce, other };
std::string_view to_string(ProgramFamily family);

// So many chunks travel in one message when a call moves that many bytes; bytes_to 0: no limit.
struct Regime {
  std::uint32_t together = 1;
  std::uint64_t bytes_from = 0;
  std::uint64_t bytes_to = 0;
};

struct ExecutorRules {
  std::uint32_t depth = 2;   // messages that a connection holds
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
  // Index t: with a buffer of so many bytes or more at least t chunks travel together, whatever the message. Empty
  // where the buffer is given, or there is no largest message.
  std::vector<std::uint64_t> buffers = {};
};

// Chunks of a rank's buffers as cells, from 0: two chunks are the same memory where their cells are one.
class Cells {
 public:
  explicit Cells(const Program& program);
  // The cell of that chunk; nothing if it lies outside of the buffer.
  std::optional<std::uint32_t> cell(std::size_t rank, Space space, std::int64_t offset) const;
  std::uint32_t count(std::size_t rank) const;

 private:
  const Program& program_;
};

}  // namespace quadrille::programs
