// Each cursor replays the reduction for itself, from the rows of another cursor. Cost: that of reduction_replay.h.
#include "compiler/rows/reduction_rows.h"

#include <utility>
#include <vector>

#include "compiler/plan/plan_reductions.h"
#include "place/held/reduction_replay.h"

namespace quadrille {
namespace {

class ReductionCursor final : public EvaluatedCursor {
 public:
  ReductionCursor(std::shared_ptr<const Plan> plan, std::unique_ptr<EvaluatedCursor> rows)
      : plan_(std::move(plan)),
        rows_(std::move(rows)),
        reductions_of_(*plan_),
        replay_(plan_->fabric(), plan_->collectives.front(), plan_->instance.in_rounds, work_) {}

  std::optional<StepRows> next_rows() override {
    try {
      return replayed();
    } catch (const Ended& ended) {
      fail_at_limit(ended.reason, "working out the words that are sent");
    }
  }

 private:
  std::optional<StepRows> replayed() {
    auto rows = rows_->next();
    if (rows) {
      said_.clear();
      for (const SendSerial serial : rows_->trace()) said_.push_back(said_of(reductions_of_.of(serial)));
      rows->uses = replay_.step(*rows, said_);
    } else if (rows_->ended_early() != Reason::none) {
      throw Ended{rows_->ended_early()};
    }
    return rows;
  }

  std::shared_ptr<const Plan> plan_;
  std::unique_ptr<EvaluatedCursor> rows_;
  PlanReductions reductions_of_;
  Limits limits_;
  Work work_{limits_};
  ReductionReplay replay_;
  std::vector<StatedReduction> said_;  // of the step at work, by row
};

class WithReductions final : public RowSource {
 public:
  WithReductions(std::shared_ptr<const Plan> plan, std::shared_ptr<const PlannedRows> rows)
      : plan_(std::move(plan)), rows_(std::move(rows)) {}

  std::unique_ptr<ReductionCursor> open_with_reductions() const {
    return std::make_unique<ReductionCursor>(plan_, rows_->open_traced());
  }
  std::unique_ptr<RowCursor> open() const override { return open_with_reductions(); }
  std::optional<std::uint64_t> row_count() const override { return rows_->row_count(); }
  std::optional<StepId> last_step() const override { return rows_->last_step(); }
  bool has_messages() const override { return rows_->has_messages(); }
  bool has_partial_reductions() const override { return true; }
  std::unique_ptr<OriginCursor> open_origins() const override { return rows_->open_origins(); }

 private:
  std::shared_ptr<const Plan> plan_;
  std::shared_ptr<const PlannedRows> rows_;
};

}  // namespace

std::shared_ptr<const RowSource> reduction_rows(std::shared_ptr<const Plan> plan,
                                                std::shared_ptr<const PlannedRows> rows) {
  auto worded = std::make_shared<WithReductions>(std::move(plan), std::move(rows));
  const auto cursor = worded->open_with_reductions();
  while (cursor->next_rows()) continue;
  return worded;
}

}  // namespace quadrille
