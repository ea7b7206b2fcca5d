// SentReductions works out what sends must say of partial reductions to make the rows of a table again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/limits/work.h"
#include "model/send_table.h"
#include "motion/contribution_set.h"
#include "place/held/reduction_replay.h"

namespace quadrille {

// What the send of a row may say. A row that does not leave its packet's origin is sent without a word.
struct ReductionToSay {
  bool held = true;                    // it may say nothing: the one held is sent
  std::optional<ContributionSet> sum;  // it may say `carrying sum`
  bool keeping = false;                // requires a row into its packet's target
};

// Requires a table of a combining collective, which outlives it.
class SentReductions {
 public:
  explicit SentReductions(const SendTable& table)
      : table_(table), replay_(table.fabric, table.collective, table.fabric.in_rounds(), work_) {}

  // Reads the rows of the next step; returns whether sends can say what they say. Throws EvaluationError of rows that
  // are alike and cannot be said; throws Ended at a limit. Cost: that of reduction_replay.h and sum_choice.h.
  bool read(const StepRows& rows);

  // By row of that step.
  const std::vector<ReductionToSay>& to_say() const { return to_say_; }
  const std::string& why_not() const { return why_; }

 private:
  bool read_departure(const Row& row, std::span<const std::uint32_t> named, ReductionToSay& said);
  bool read_arrival(const Row& row, Arrival stated, Arrival joined);
  bool refuse(std::string why) {
    why_ = std::move(why);
    return false;
  }

  const SendTable& table_;
  Limits limits_;
  Work work_{limits_};
  ReductionReplay replay_;
  std::vector<StatedReduction> stated_;
  std::vector<ReductionToSay> to_say_;
  std::string why_;
};

}  // namespace quadrille
