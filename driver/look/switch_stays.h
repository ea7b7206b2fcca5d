// Stays of packets in switches: the steps in which each is buffered, by model/MODEL.md, Queues and Switches.
#pragma once

#include <cstdint>
#include <vector>

#include "model/limits/work.h"
#include "model/send_table.h"
#include "motion/packets_in_switches.h"

namespace quadrille::driver {

// A switch buffers a packet from step `first` to step `last`.
struct BufferedStay {
  NodeId node;
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

// Reads a table step by step. Memory: the packets that are, or have been, in switches.
class SwitchStays {
 public:
  // Keeps references to both.
  SwitchStays(const SendTable& table, Work& work)
      : fabric_(table.fabric), in_switches_(table.fabric, table.collective, work) {}

  // Adds a step. Throws Ended.
  void add(const StepRows& batch);
  // The stays, by node; those of one packet do not overlap. To be called after all steps are added.
  std::vector<BufferedStay> finished();

 private:
  const Fabric& fabric_;
  PacketsInSwitches<BufferedStay> in_switches_;
  std::vector<BufferedStay> stays_;
};

}  // namespace quadrille::driver
