// FollowedMoves are what processors send one another in a table: a packet is followed through the switches between
// them.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "model/limits/work.h"
#include "model/send_table.h"
#include "motion/held_reductions.h"
#include "motion/moves.h"
#include "motion/packets_in_switches.h"

namespace quadrille {

// Reads a table step by step. Where switches join packets, in a combining collective on a fabric whose switches reduce,
// packets are not followed through them: all moves, as rows and messages say them, have a number as departure, of those
// of their step; an arrival is the one into the processor.
class FollowedMoves {
 public:
  // Keeps references to both. `keep`: a packet that has left a switch may leave it once more in a later step, which the
  // model allows where switches copy; else it is forgotten then, which takes less memory.
  // `values`: of a combining collective, the values whose packets are followed; nothing: all are.
  FollowedMoves(const SendTable& table, Work& work, bool keep, std::optional<ValueRange> values = std::nullopt);

  // Or what is wrong with the step: StepMoves::read, or a switch that sends what it does not have. Throws Ended.
  std::optional<StepFault> read(const StepRows& step);

  // The step's moves as rows and messages say them; those out of processors have numbers (ChunkMove::departure).
  std::span<const ChunkMove> moves() const { return moves_; }
  // The moves that reach processors in the step, from the processor that they left, perhaps in a step before. In the
  // order of arrivals; the caller may reorder them.
  std::vector<ChunkMove>& arrivals() { return arrivals_; }

  bool joins() const { return joins_; }                        // what passes switches is joined there
  bool through_switches() const { return through_switches_; }  // some move begins or ends in one
  std::uint64_t copied() const;  // departures into switches that have reached several processors
  std::uint64_t lost() const;    // and those that have reached none

 private:
  // A packet in a switch: how it left its processor.
  struct Passing {
    NodeId from;
    StepId leaves;
    ChannelId channel;
    LaneId lane;
    std::uint64_t departure = 0;
  };

  std::optional<StepFault> follow(StepId step, ChunkMove& move);

  const SendTable& table_;
  std::optional<ValueRange> values_;
  bool switches_;
  bool joins_;
  StepMoves step_moves_;
  std::vector<ChunkMove> moves_;
  std::vector<ChunkMove> arrivals_;
  PacketsInSwitches<Passing> in_switches_;
  std::vector<std::pair<const ChunkMove*, Passing>> entered_;  // switches, in this step
  std::pmr::vector<std::uint8_t> reached_;  // by departure, where there are switches: how many processors, 2 for more
  bool through_switches_ = false;
};

}  // namespace quadrille
