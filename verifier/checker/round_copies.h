// RoundCopies: copying collectives in rounds: for every chunk and node, when it came. Copies (copies.h) for the moves
// of messages in place of rows; nothing is said of queues.
#pragma once

#include <optional>

#include "verifier/checker/copies.h"
#include "verifier/checker/forwarding.h"
#include "verifier/checker/rows/bits.h"
#include "verifier/checker/rows/messages.h"
#include "verifier/checker/tracker.h"

namespace quadrille::checker {

class RoundCopies final : public Tracker {
 public:
  // `messages`: those of the batch that step() is given next.
  RoundCopies(Pass pass, const Messages& messages, Bits& delivered);

  void step(const StepRows& batch) override;
  void finish() override;

 private:
  void judge_departures(const StepRows& batch);
  void depart(const StepRows& batch, const Move& move);
  void arrive(const StepRows& batch, const Move& move);
  void reach_processor(const StepRows& batch, const Move& move);

  Pass pass_;
  const Messages& messages_;
  Bits& delivered_;
  Stays stays_;
  std::optional<Forwarding> forwarding_;  // in place of stays_ at switches, under `switches: forward`
};

}  // namespace quadrille::checker
