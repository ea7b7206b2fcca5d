// PortRules: the half-duplex and single-port rules. Fabrics without these rules pay nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/per_channel.h"
#include "model/send_table.h"
#include "verifier/checker/rows/budget.h"
#include "verifier/checker/rows/findings.h"

namespace quadrille::checker {

class PortRules {
 public:
  // Counters for each channel (half duplex) and processor (single port). May throw OverBudget.
  PortRules(const SendTable& table, Findings& findings, Budget& budget);

  void step(const StepRows& batch);

 private:
  // How many rows one channel, or one processor's side, has in this step, and the last of them.
  struct Count {
    std::uint32_t rows = 0;
    std::uint32_t latest = 0;
  };

  void judge_links(const StepRows& batch);
  void judge_processors(const StepRows& batch);
  void judge_processor(const StepRows& batch, NodeId processor);

  const SendTable& table_;
  Findings& findings_;
  Share share_;
  bool half_;
  bool single_;
  PerChannel<Count> on_channel_;  // in this step
  std::size_t most_rows_ = 0;     // of a step, so far
  std::vector<Count> sent_;
  std::vector<Count> received_;
};

}  // namespace quadrille::checker
