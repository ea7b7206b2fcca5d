// Decides whether a program terminates, with messages of a given size.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/limits/work.h"
#include "programs/network.h"
#include "programs/report.h"

namespace quadrille::programs {

enum class AwaitedKind : std::uint8_t { nothing, message, room, flag };

// The state of each block when none can go on.
struct Deadlock {
  std::vector<std::uint32_t> at = {};    // by block: the action that it is at; `none`: it has ended
  std::vector<AwaitedKind> need = {};    // by block
  std::vector<std::uint32_t> whom = {};  // by block: the block that it waits for; `none`: no block can ever help
};

// The deadlock; nothing if every block ends. `together` chunks travel in one message. Cost: linear in the messages.
// Throws Ended.
std::optional<Deadlock> find_deadlock(const Program& program, const ProgramNetwork& network, std::uint32_t together,
                                      Work& work);

// The chain of waits that begins at the block: each block waits for the next one, until one repeats, has ended, or is
// none.
std::vector<std::uint32_t> chain(const Deadlock& at, std::uint32_t block);
// A block on a cycle of waits; or, if there is no cycle, a block at which all waits end.
std::uint32_t knot(const Deadlock& at);

std::vector<Stuck> described(const ProgramNetwork& network, const Deadlock& at,
                             const std::vector<std::uint32_t>& blocks);

// Judges ProgramProperty::deadlock, for all sizes of messages; describes the blocks that wait for one another. Throws
// Ended.
void judge_deadlock(const Program& program, const ProgramNetwork& network, ProgramReport& report, std::size_t listed,
                    Work& work);

}  // namespace quadrille::programs
