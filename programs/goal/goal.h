// A schedule in GOAL, the language of the simulator LogGOPSim. Each rank has sends, receptions and calculations, some
// of which begin only after others have ended or begun. The schedule says how many bytes move, but not which.
// PROGRAMS.md describes how the simulator runs it.
#pragma once

#include <cstdint>
#include <vector>

#include "model/text/source.h"

namespace quadrille::programs {

// Numbered as in binary files.
enum class GoalKind : std::uint8_t { send = 1, receive = 2, calculate = 3 };

// `from -1` and `tag -1`: from any rank, with any tag.
inline constexpr std::uint32_t goal_any = 0xffffffff;
// The simulator counts the processors and network interfaces of a rank in 8 bits, and its count includes the last
// one.
inline constexpr std::uint32_t most_goal_unit = 254;

struct GoalOperation {
  std::uint64_t size = 0;  // bytes; of a calculation, its time
  std::uint32_t peer = 0;
  std::uint32_t tag = 0;
  GoalKind kind = GoalKind::calculate;
  std::uint8_t cpu = 0;
  std::uint8_t nic = 0;
  Span span = {};  // its label in the file; without a label, the operation
};

// Operation `later` begins after `earlier` has ended; if `started`, after `earlier` has begun (irequires).
struct GoalDependency {
  std::uint32_t later = 0;  // indices in their rank
  std::uint32_t earlier = 0;
  bool started = false;
};

struct GoalRank {
  std::vector<GoalOperation> operations = {};
  std::vector<GoalDependency> dependencies = {};
};

struct GoalSchedule {
  std::vector<GoalRank> ranks = {};
};

}  // namespace quadrille::programs
