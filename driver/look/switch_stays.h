// Stays of packets in switches: the steps in which each is buffered, by model/MODEL.md, Switches.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/send_table.h"

namespace quadrille::driver {

// A switch buffers a packet from step `first` to step `last`.
struct BufferedStay {
  NodeId node;
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

// Reads a table step by step.
class SwitchStays {
 public:
  virtual ~SwitchStays() = default;
  // Adds a step. Departures come first: a packet that arrives in a step departs in a later one.
  void add(const StepRows& batch);
  // The stays, by node, then by the first step. To be called after all steps are added.
  std::vector<BufferedStay> finished();

 protected:
  explicit SwitchStays(const Fabric& fabric) : fabric_(fabric) {}
  void keep(NodeId node, std::uint32_t arrival, std::uint32_t departure);

 private:
  virtual void depart(NodeId node, ChunkId chunk, std::uint32_t step) = 0;
  virtual void departed() {}  // to be called after all departures of a step
  virtual void arrive(NodeId node, ChunkId chunk, std::uint32_t step) = 0;
  virtual void end() {}

  const Fabric& fabric_;
  std::vector<BufferedStay> stays_;
};

// The stays by the fabric's switch rule: copy, forward or reduce. Requires that the table outlives it. Memory: the
// packets that are, or have been, in switches.
std::unique_ptr<SwitchStays> switch_stays(const SendTable& table);

}  // namespace quadrille::driver
