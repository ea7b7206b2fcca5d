// An MSCCL++ execution plan, as its JSON says it: what each block of threads of each GPU does, and with whom.
// (PROGRAMS.md says how the executor reads a plan.)
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/limits/limits.h"
#include "model/text/result.h"
#include "programs/program.h"

namespace quadrille::programs {

enum class PlanChannel : std::uint8_t { memory, port, by_switch };
inline constexpr std::size_t plan_channels = 3;  // types
std::string_view to_string(PlanChannel type);    // "memory", "port", "switch"

enum class PlanKind : std::uint8_t {
  nop,
  barrier,
  copy,
  put,
  put_signal,        // pws
  put_signal_flush,  // pwsf
  get,
  reduce,                    // re
  reduce_send,               // res
  read_reduce,               // rre
  read_reduce_send,          // rres
  put_packets,               // ppkt
  pass_packets,              // rppkt: packets that have come to the own scratch are forwarded
  copy_packets,              // cpkt
  unpack_packets,            // upkt
  reduce_packets,            // repkt
  reduce_send_packets,       // respkt
  reduce_copy_packets,       // recpkt
  reduce_copy_send_packets,  // recspkt
  group_load_reduce,         // glre
  group_load_reduce_store,   // glres
  group_store,               // gstore
  group_store_packets,       // gstorepkt
  signal,
  wait,
  relaxed_signal,
  relaxed_wait,
  flush,
  release,  // sem_release
  acquire,  // sem_acquire
  pipeline
};
std::string_view to_string(PlanKind kind);  // with the names of files: "rppkt"
std::optional<PlanKind> plan_kind_of(std::string_view name);

// The chunks that an operation reads or writes. Of its own GPU if it names a space; else `id` is an index into the
// block's list of remote buffers, or of switch channels.
struct PlanChunks {
  std::optional<Space> space = {};
  std::uint32_t id = 0;
  bool by_switch = false;
  std::uint32_t index = 0;
  std::uint32_t size = 1;
};

// The part of its chunks that an operation does: part `number` of `parts` nearly equal ones.
struct PlanShare {
  std::uint32_t number = 0;
  std::uint32_t parts = 1;
  bool operator==(const PlanShare&) const = default;
};

struct PlanOperation {
  PlanKind kind = PlanKind::nop;
  std::optional<PlanChannel> channel = {};
  std::vector<std::uint32_t> channels = {};  // indices into the block's list of that type
  std::vector<PlanChunks> sources = {};
  std::vector<PlanChunks> targets = {};
  PlanShare share = {};
  std::uint32_t barrier = 0;
  std::uint32_t barrier_blocks = 0;
  std::vector<std::uint32_t> semaphores = {};
  std::string reduction = {};             // "sum"; empty: nothing is said
  std::uint64_t unit_bytes = 0;           // of a pipeline: what a turn moves of each buffer
  std::uint32_t pipeline_chunks = 0;      // likewise: what all turns move
  std::vector<PlanOperation> inner = {};  // likewise: what a turn does
};

struct PlanBlock {
  std::uint32_t id = 0;
  std::vector<PlanOperation> operations = {};
  std::array<std::vector<std::uint32_t>, plan_channels> channels = {};  // by type: the GPU's channels that it uses
  std::array<std::vector<std::uint32_t>, plan_channels> remote_buffers = {};  // by type of access: the GPU's
};

// Switch channels: a buffer of all ranks of a group, as one.
struct PlanGroups {
  Space space = Space::input;
  std::vector<std::vector<std::uint32_t>> groups = {};  // ranks
};

struct PlanRemoteBuffer {
  std::uint32_t rank = 0;
  Space space = Space::input;
  std::vector<PlanChannel> access = {};
};

struct PlanRank {
  std::uint32_t id = 0;
  std::uint32_t input = 0;  // chunks
  std::uint32_t output = 0;
  std::uint32_t scratch = 0;
  std::array<std::vector<std::uint32_t>, 2> peers =
      {};  // by type, memory and port: of each channel, in the file's order
  std::vector<PlanGroups> switches = {};
  std::vector<PlanRemoteBuffer> remote_buffers = {};
  std::vector<std::uint32_t> semaphores = {};  // their first values
  std::vector<PlanBlock> blocks = {};
};

struct ExecutionPlan {
  std::string name = {};
  std::string collective = {};
  std::string protocol = {};  // "LL"; any other word is Simple
  bool in_place = false;
  bool reuses = false;          // resources of earlier plans
  bool double_scratch = false;  // launches use the halves of the scratch in turn
  std::uint64_t alignment = 16;
  std::uint64_t threads = 1024;  // of a block
  std::uint64_t bytes_from = 0;
  std::uint64_t bytes_to = 0;  // 0: no limit
  std::vector<PlanRank> ranks = {};

  bool packets() const { return protocol == "LL"; }
};

// Whether the text is a plan rather than another system's JSON: it has GPUs with blocks of threads.
bool is_execution_plan(std::string_view text);

// Reads a plan. Errors name the place in the file: "gpus[3].threadblocks[0].ops[2].channel_ids[0]". Whether numbers are
// in range is not judged here. Cost: linear. Throws Ended.
Result<ExecutionPlan> read_execution_plan(std::string_view text, const Limits& limits);

}  // namespace quadrille::programs
