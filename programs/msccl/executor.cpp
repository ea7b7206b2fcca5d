// The executors' numbers. A message of b bytes has `chunks` chunks of b/chunks bytes. As many travel together as fit
// into a connection's effective chunk, at least one and at most 71:
//   LL in rccl: a buffer of 262144 bytes has 8 slots of 32768, half of them flags: 16384. Of 9216 bytes in 8 chunks,
//   ⌊16384 / 1152⌋ = 14 travel together.
#include "programs/msccl/executor.h"

#include <algorithm>
#include <array>
#include <limits>

namespace quadrille::programs {
namespace {

constexpr std::uint64_t slots = 8;               // of a connection's buffer, each protocol
constexpr std::uint64_t simple_chunk_slots = 4;  // that one message takes under Simple

constexpr std::array<Executor, 3> three_executors = {{
    {"msccl", 256, 216, 32, 16, 524288, 4915200, 4194304, 16, true, false, true},
    {"azure", 64, 1024, 32, 16, 524288, 4915200, 4194304, 16, false, true, false},
    {"rccl", 64, 64, 128, 0, 262144, 458752, 4194304, 8, false, true, false},
}};

std::uint64_t steps_of_chunk(Protocol protocol, ProgramFamily family) {
  if (protocol != Protocol::simple) return 1;
  return family == ProgramFamily::broadcast || family == ProgramFamily::reduce ? 1 : simple_chunk_slots;
}

}  // namespace

std::string_view to_string(Protocol protocol) {
  constexpr std::array<std::string_view, 3> names = {"Simple", "LL", "LL128"};
  return names[static_cast<std::size_t>(protocol)];
}

std::optional<Protocol> protocol_of(std::string_view name) {
  for (const Protocol protocol : {Protocol::simple, Protocol::ll, Protocol::ll128}) {
    if (to_string(protocol) == name) return protocol;
  }
  return std::nullopt;
}

std::span<const Executor> executors() { return three_executors; }

const Executor* executor_named(std::string_view name) {
  const auto found =
      std::find_if(three_executors.begin(), three_executors.end(), [&](const Executor& it) { return it.name == name; });
  return found == three_executors.end() ? nullptr : &*found;
}

std::uint64_t effective_chunk(const Executor& executor, Protocol protocol, ProgramFamily family, std::uint64_t buffer) {
  const std::uint64_t chunk = buffer / slots * steps_of_chunk(protocol, family);
  if (protocol == Protocol::ll) return chunk / 2;
  if (protocol == Protocol::ll128) return chunk / executor.ll128_line * (executor.ll128_line - 1);
  return chunk;
}

std::uint64_t default_buffer(const Executor& executor, Protocol protocol) {
  if (protocol == Protocol::ll) return executor.ll_buffer;
  return protocol == Protocol::ll128 ? executor.ll128_buffer : executor.simple_buffer;
}

std::uint64_t buffer_for(const Executor& executor, Protocol protocol, ProgramFamily family, std::uint64_t effective) {
  std::uint64_t chunk = effective;
  if (protocol == Protocol::ll) chunk = effective * 2;
  if (protocol == Protocol::ll128) {
    const std::uint64_t data = executor.ll128_line - 1;
    chunk = (effective + data - 1) / data * executor.ll128_line;
  }
  const std::uint64_t steps = steps_of_chunk(protocol, family);
  return (chunk + steps - 1) / steps * slots;
}

ExecutorRules rules_of(const Executor& executor, Protocol protocol) {
  const bool rccl = executor.name == "rccl";
  ExecutorRules rules;
  rules.depth = protocol == Protocol::simple ? 2 : 8;
  rules.early_reads = protocol != Protocol::simple;
  rules.leaky_sends = rccl && protocol == Protocol::ll;
  rules.target_last = !rccl && protocol != Protocol::ll;
  rules.relaxed_scratch = rccl;
  rules.fence_by_transport = !rccl;
  return rules;
}

std::vector<Regime> regimes(std::uint64_t effective, std::uint32_t chunks, std::uint64_t from, std::uint64_t to) {
  // These are bytes of a chunk.
  const std::uint64_t least = std::max<std::uint64_t>(1, from / chunks + (from % chunks != 0));
  const std::uint64_t most = to == 0 ? std::numeric_limits<std::uint64_t>::max() / chunks : to / chunks;
  std::vector<Regime> result;
  for (std::uint32_t together = most_together; together >= 1; --together) {
    const std::uint64_t above = together == most_together ? 0 : effective / (together + 1);
    const std::uint64_t upto = together == 1 ? std::numeric_limits<std::uint64_t>::max() : effective / together;
    const std::uint64_t low = std::max(least, above + 1);
    const std::uint64_t high = std::min(most, upto);
    if (low > high) continue;
    const bool endless = to == 0 && together == 1;
    result.push_back({together, low * chunks, endless ? 0 : high * chunks});
  }
  return result;
}

}  // namespace quadrille::programs
