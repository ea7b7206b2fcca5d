// A program's operations in one list, each tied to the transmission at the other end of its connection, and to the
// flags that it waits for.
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
  std::uint32_t receiver = none;            // the action that receives what this one sends
  std::uint32_t sender = none;              // the action that sends what this one receives
  std::vector<std::uint32_t> awaited = {};  // actions of the same rank; `none`: no flag ever ends that wait
};

struct Lane {
  std::uint32_t rank = 0;
  const ThreadBlock* block = nullptr;
  std::uint32_t first = 0;  // of its actions
  std::uint32_t last = 0;   // one after them
};

// A connection from a rank to another, on a channel: the n-th message sent is the n-th received.
struct Connection {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::int64_t channel = 0;
  std::uint32_t sender = none;  // index into ProgramNetwork::blocks: the block that declares this end
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

// The network of a program, which must outlive it. Adds findings to `report`. Structure: transmissions without a
// peer, a declared end of a connection without the other end, two blocks at one end, chunks outside of a buffer.
// Matching: a reception that does not fit its send. Throws Ended.
ProgramNetwork connect(const Program& program, ProgramReport& report, std::size_t listed, Work& work);

}  // namespace quadrille::programs
