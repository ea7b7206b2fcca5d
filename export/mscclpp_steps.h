// What the ranks of a plan send one another and add up, step by step, and where that lies in their memory.
#pragma once

#include <cstdint>
#include <vector>

#include "export/program.h"
#include "export/targets.h"
#include "model/text/result.h"

namespace quadrille::exporting {

// Chunks that go from neighbouring slots of a rank to neighbouring slots of another one. What arrives in scratch is in
// Buffer::kept here, and what a rank itself puts there in Buffer::scratch.
struct PlanPiece {
  BufferSlot from;
  BufferSlot to;
  std::uint64_t count = 1;
};

struct PlanMessage {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::vector<PlanPiece> pieces = {};
};

// The target becomes the sum of the sources, in their order; of one source, a copy.
struct PlanSum {
  std::vector<BufferSlot> sources;
  BufferSlot target;
  std::uint64_t count = 1;
  bool replaces = false;  // nothing reads its first source any more
};

// All messages of a step are sent, and have arrived, before its sums are made.
struct PlanStep {
  std::vector<PlanMessage> messages = {};
  std::vector<std::vector<PlanSum>> sums = {};  // by rank, in order
};

struct PlanSteps {
  std::vector<PlanStep> steps = {};
  std::vector<std::uint64_t> arrivals = {};  // by rank: slots of Buffer::kept
  std::vector<std::uint64_t> scratch = {};   // likewise
  bool overwrites = false;                   // in place: sums take the place of what ports have sent
};

// The steps of the ranks' programs. What is next to each other is one piece, or one sum, if there is one instance; with
// packets all that arrives is in scratch, and nothing else is. Where nothing is sent as packets, each slot but those of
// the input is written once in a run: so nothing waits until what it takes the place of has been read. Or what packets,
// or calls in place, have no room for, what does not fit together, or the limit that was reached.
Result<PlanSteps> plan_steps(std::vector<ProcessorProgram> ranks, const PlanChoices& choices, const Limits& limits);

}  // namespace quadrille::exporting
