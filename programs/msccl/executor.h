// The executors that run MSCCL XML, and their differences. PROGRAMS.md gives the place of each rule in their sources.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "programs/program.h"

namespace quadrille::programs {

enum class Protocol : std::uint8_t { simple, ll, ll128 };
std::string_view to_string(Protocol protocol);
std::optional<Protocol> protocol_of(std::string_view name);  // with the names of files

struct Executor {
  std::string_view name;        // most steps of a block
  std::uint32_t steps;          // most blocks of a rank
  std::uint32_t blocks;         // of a rank
  std::uint32_t channels;       // MAXCHANNELS
  std::uint32_t fusion_table;   // operands of one fused reduction; 0: only the block's are counted
  std::uint64_t ll_buffer;      // of a connection, in bytes, unless the environment says otherwise
  std::uint64_t ll128_buffer;   // likewise
  std::uint64_t simple_buffer;  // likewise
  std::uint32_t ll128_line;     // of so many words, all but one are data
  bool checks_ranges;           // whether it checks minBytes <= maxBytes, and chunks of buffers against nchunksperloop
  bool needs_ranges;            // whether minBytes, maxBytes and outofplace must be written
  bool adds_channels;           // whether a communicator always gets as many channels as the file wants
};

std::span<const Executor> executors();
const Executor* executor_named(std::string_view name);  // null if there is none

// The most bytes of data in a message.
std::uint64_t effective_chunk(const Executor& executor, Protocol protocol, ProgramFamily family, std::uint64_t buffer);
std::uint64_t default_buffer(const Executor& executor, Protocol protocol);
// The least buffer of a connection with which a message holds so much.
std::uint64_t buffer_for(const Executor& executor, Protocol protocol, ProgramFamily family, std::uint64_t effective);

ExecutorRules rules_of(const Executor& executor, Protocol protocol);

// How many chunks travel together, by message size, for the sizes from..to (0: no limit) that are a multiple of
// `chunks`. Empty if there is no such size.
std::vector<Regime> regimes(std::uint64_t effective, std::uint32_t chunks, std::uint64_t from, std::uint64_t to);

inline constexpr std::uint32_t most_together = 71;  // most chunks in a message, and largest cnt of a step

}  // namespace quadrille::programs
