// Tracker: follows the packets of a table from step to step and judges causality, delivery, queues and redundancy.
//
// Three trackers share the work: SingleTargets (single-target chunks that go straight from their start to their
// target), Copies (any copying collective, nothing forgotten) and ReductionTracker (combining collectives:
// contribution sets).
#pragma once

#include "model/send_table.h"
#include "verifier/checker/rows/bits.h"
#include "verifier/checker/rows/findings.h"
#include "verifier/checker/rows/queues.h"

namespace quadrille::checker {

class Tracker {
 public:
  virtual ~Tracker() = default;
  // The rows of the next step. May throw OverBudget or Ended; then the tracker is of no further use.
  virtual void step(const StepRows& batch) = 0;
  // What is only known when the table has ended. May throw the same.
  virtual void finish() = 0;
};

// What every tracker of one pass works with.
struct Pass {
  const SendTable& table;
  Findings& findings;
  Queues& queues;
  Budget& budget;
  const Limits& limits;
};

// How far ahead of the row at work the tables are fetched into the cache.
inline constexpr std::size_t rows_ahead = 12;

// Counts a causality violation: the row at `index` is sent by a node, `from`, that does not have its packet; `known`
// (which may be empty) says more.
template <class Known>
void add_causal(Pass& pass, const StepRows& batch, std::size_t index, NodeId from, Known&& known) {
  pass.findings.add(Property::causal, batch.step.value, [&] {
    const Row& row = batch.rows[index];
    const bool in_rounds = pass.table.fabric.in_rounds();
    std::string text = pass.table.collective.label(row.chunk) + " is not at " + place_name(pass.table.fabric, from) +
                       " when " + (in_rounds ? "round " : "step ") + std::to_string(batch.step.value) + " begins" +
                       known();
    return BlamedViolation{
        {.step = batch.step, .channel = row.channel, .node = from, .chunk = row.chunk, .message = std::move(text)},
        RowPlace{batch.step, index}};
  });
}

// Counts a redundant hop: `chunk` reached switch `at` in step `arrival` and never left it.
inline void add_lost(Pass& pass, ChunkId chunk, NodeId at, std::uint32_t arrival) {
  pass.findings.add(Property::non_redundant, arrival, [&] {
    std::string text = pass.table.collective.label(chunk) + " arrives at switch " + pass.table.fabric.name(at) +
                       " in step " + std::to_string(arrival) + " and is not sent on";
    return BlamedViolation{
        {.step = StepId{arrival}, .node = at, .chunk = chunk, .message = std::move(text)}, std::nullopt, true};
  });
}

}  // namespace quadrille::checker
