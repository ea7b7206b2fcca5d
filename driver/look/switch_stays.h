// Stays of packets in switches: when each is buffered, by the rules of model/MODEL.md, Switches.
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
  // Departures first: what arrives in a step departs in a later one.
  void add(const StepRows& batch);
  // Once all has been added: by node, then by the first step.
  std::vector<BufferedStay> finished();

 protected:
  explicit SwitchStays(const Fabric& fabric) : fabric_(fabric) {}
  void keep(NodeId node, std::uint32_t arrival, std::uint32_t departure);

 private:
  virtual void depart(NodeId node, ChunkId chunk, std::uint32_t step) = 0;
  virtual void departed() {}  // all of this step have
  virtual void arrive(NodeId node, ChunkId chunk, std::uint32_t step) = 0;
  virtual void end() {}

  const Fabric& fabric_;
  std::vector<BufferedStay> stays_;
};

// As the table's fabric says that switches work: copy, forward or reduce. The table must outlive it. Memory: what is in
// switches, or has been.
std::unique_ptr<SwitchStays> switch_stays(const SendTable& table);

}  // namespace quadrille::driver
