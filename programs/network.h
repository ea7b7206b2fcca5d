// A program's operations in one list, with what each is tied to: the transmission at the other end of its connection,
// and the flags that it waits for.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "model/limits/work.h"
#include "programs/program.h"
#include "programs/report.h"

namespace quadrille::programs {

inline constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

struct QueuedOperation {
  const ProgramOperation* operation = nullptr;
  std::uint32_t rank = 0;
  std::uint32_t block = 0;   // index into ProgramNetwork::blocks
  std::uint32_t index = 0;   // in its block
  std::uint32_t out = none;  // index into ProgramNetwork::connections
  std::uint32_t in = none;
  std::uint32_t receiver = none;            // the action that receives what this sends
  std::uint32_t sender = none;              // that sends what this receives
  std::vector<std::uint32_t> awaited = {};  // actions of the same rank; `none`: no flag ever ends that wait
};

struct Lane {
  std::uint32_t rank = 0;
  const ThreadBlock* block = nullptr;
  std::uint32_t first = 0;  // of its actions
  std::uint32_t last = 0;   // one after them
};

// From a rank to another, on a channel: the n-th that is sent is the n-th that is received.
struct Connection {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::int64_t channel = 0;
  std::uint32_t sender = none;  // index into ProgramNetwork::blocks: the block that declares that end
  std::uint32_t receiver = none;
  std::vector<std::uint32_t> sends = {};  // actions
  std::vector<std::uint32_t> receives = {};
};

struct ProgramNetwork {
  std::vector<QueuedOperation> actions;
  std::vector<Lane> blocks;
  std::vector<Connection> connections;
};

Location place_of(const ProgramNetwork& network, std::uint32_t action);

// The program must outlive its network. Adds what is wrong to `report`, as structure: transmissions without a peer,
// a declared end of a connection without the other end, two blocks at one end, chunks outside of a buffer; and as
// matching: what is sent is not what is received. Throws Ended.
ProgramNetwork connect(const Program& program, ProgramReport& report, std::size_t listed, Work& work);

}  // namespace quadrille::programs
