// Movers process each batch of rows: a step row by row, a round message by message.
#pragma once

#include <fmt/format.h>

#include <cstdint>

#include "model/send_table.h"
#include "model/text/counted.h"
#include "motion/step_messages.h"
#include "runtime/context.h"
#include "runtime/link_guard.h"
#include "runtime/replay.h"
#include "runtime/round_meter.h"

namespace quadrille::replaying {

template <class Carrier>
class StepMover {
 public:
  explicit StepMover(const ReplayContext& context) : guard_(context.fabric, context.faults), carrier_(context) {}

  // Processes a step. False if the carrier cannot move some packet. Throws Ended, like all functions below.
  bool move(const StepRows& step) {
    guard_.step(step);
    return carrier_.step(step);
  }
  Carrier& carrier() { return carrier_; }
  void note_measures(Measurements& result) const { result.messages = guard_.messages(); }

 private:
  LinkGuard guard_;
  Carrier carrier_;
};

template <class Carrier>
class RoundMover {
 public:
  explicit RoundMover(const ReplayContext& context)
      : context_(context),
        messages_(context.fabric, context.collective, context.work),
        guard_(context.fabric, context.faults),
        meter_(context.fabric),
        carrier_(context) {}

  bool move(const StepRows& batch) {
    const auto messages = messages_.read(batch);
    for (const std::uint32_t row : messages_.ill_formed()) add_ill_formed(batch, row);
    guard_.round(batch, messages);
    meter_.round(batch, messages);
    carrier_.round(batch, messages);
    return true;
  }
  Carrier& carrier() { return carrier_; }
  void note_measures(Measurements& result) const {
    result.messages = guard_.messages();
    result.volume = meter_.volume();
    result.load = meter_.load();
    result.hops = meter_.hops();
  }

 private:
  void add_ill_formed(const StepRows& batch, std::uint32_t at) {
    const Row& row = batch.rows[at];
    context_.faults.add(batch.step, row.channel, row.chunk, [&] {
      return fmt::format(
          "message {} of round {} is none: its packets do not cross the same channels, or these are no tree",
          batch.messages[at].value, batch.step.value);
    });
  }

  ReplayContext context_;
  StepMessages messages_;
  LinkGuard guard_;
  RoundMeter meter_;
  Carrier carrier_;
};

}  // namespace quadrille::replaying
