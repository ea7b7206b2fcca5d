// An execution plan unfolded for tests: for each block of threads what its threads do, unit by unit, turn by turn. It
// is written from the executor's source, apart from the judge.
//
// A unit is the same part of each chunk of all buffers: chunks have as many as shares of operations and turns of
// pipelines need, so that each unit is moved as a whole. A packet takes the room of two units of scratch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "programs/mscclpp/plan.h"
#include "programs/report.h"

namespace quadrille::programs {

// What went wrong in a run.
struct PlanFailure {
  ProgramProperty property = ProgramProperty::structure;
  std::string message = {};
};

// A unit of a buffer; `halved`: of the half of the scratch that the launch uses.
struct UnitPlace {
  std::uint32_t rank = 0;
  Space space = Space::input;
  std::uint32_t unit = 0;
  bool halved = false;
};

// A thread adds what it reads, packets when they come, and writes the sum to all places. Threads are tied to positions
// in the range of an operation.
struct UnitTask {
  std::uint32_t position = 0;
  bool packets = false;  // the position counts packets
  std::vector<UnitPlace> takes = {};
  std::vector<UnitPlace> reads = {};
  std::vector<UnitPlace> writes = {};
  std::vector<UnitPlace> puts = {};  // packets
};

// What one thread does with a channel or a semaphore.
struct LowTask {
  PlanKind kind = PlanKind::signal;
  PlanChannel type = PlanChannel::memory;
  std::uint32_t number = 0;                                 // of the GPU's channel of that type, or semaphore
  std::vector<std::pair<UnitPlace, UnitPlace>> moves = {};  // by a port channel
};

struct UnfoldedStep {
  enum class Kind : std::uint8_t { meet, join, work, low };  // meet: the block's threads; join: blocks
  Kind kind = Kind::meet;
  std::uint32_t barrier = 0;
  std::uint32_t blocks = 0;
  std::vector<UnitTask> tasks = {};
  std::vector<LowTask> lows = {};  // the i-th is the i-th thread's
};

struct UnfoldedBlock {
  std::uint32_t threads = 2;  // the last one stands for all that have no low task
  std::vector<UnfoldedStep> steps = {};
};

struct UnfoldedPlan {
  std::uint32_t units = 2;  // of a chunk
  std::vector<std::vector<UnfoldedBlock>> ranks = {};
  std::optional<PlanFailure> wrong = {};  // a number that names nothing
};

// Unfolds the plan for chunks of such a size that the pipeline with most turns has so many. Sizes in which a part or a
// window is not a whole number of units do not occur.
UnfoldedPlan unfold_plan(const ExecutionPlan& plan, std::uint32_t turns);

// Chunks that a buffer has room for: twice as many in the scratch of packets.
std::uint32_t room_in_chunks(const ExecutionPlan& plan, const PlanRank& rank, Space space);

}  // namespace quadrille::programs
