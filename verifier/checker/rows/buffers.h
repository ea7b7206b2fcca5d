// Buffers: how many chunks a processor has received and has still to send on (`max_buffer` in claims).
#pragma once

#include <cstdint>
#include <vector>

#include "model/send_table.h"
#include "verifier/checker/rows/budget.h"
#include "verifier/checker/rows/messages.h"

namespace quadrille::checker {

class Buffers {
 public:
  Buffers(const SendTable& table, Budget& budget, const Limits& limits)
      : table_(table), limits_(limits), share_(budget) {}

  // `messages`: in rounds, those of the batch; otherwise null. May throw OverBudget or Ended; so may largest().
  void step(const StepRows& batch, const Messages* messages);
  // The most that any processor has after a step (round). Call once, at the end.
  std::uint64_t largest();

 private:
  // That the processor receives a chunk, or sends it.
  struct Event {
    std::uint32_t processor;
    std::uint64_t chunk;  // where contributions are combined: the value
    std::uint32_t step;
    bool sent;
  };
  struct Change {
    std::uint32_t processor;
    std::uint32_t step;
    std::int32_t more;
  };

  void add(NodeId node, ChunkId chunk, StepId step, bool sent);
  void add_change(const Change& change);

  const SendTable& table_;
  const Limits& limits_;
  Share share_;
  std::vector<Event> events_;
  std::vector<Change> changes_;
};

}  // namespace quadrille::checker
