// Each cursor replays the reduction for itself (reduction_replay.h), from the rows of another.
//
// For example, of 1->0 in step 1 and 2->0 in step 2 without a word, both combine; of 0->1 and then 1->0, the second is
// stored, for it contains what 0 holds. Cost: rows · log(rows), and the sets that are joined.
#include "compiler/rows/arrival_rows.h"

#include <new>
#include <utility>
#include <vector>

#include "place/held/reduction_replay.h"

namespace quadrille {
namespace {

class ArrivalCursor final : public RowCursor {
 public:
  explicit ArrivalCursor(std::shared_ptr<const SendTable> table)
      : table_(std::move(table)),
        rows_(table_->rows->open()),
        replay_(table_->fabric, table_->collective, table_->fabric.in_rounds(), work_) {}

  std::optional<StepRows> next() override {
    if (ended_ != Reason::none) return std::nullopt;
    try {
      auto rows = rows_->next();
      if (rows) fill_in(*rows);
      return rows;
    } catch (const std::bad_alloc&) {
      ended_ = Reason::limit;
    } catch (const Ended& ended) {
      ended_ = ended.reason;
    }
    return std::nullopt;
  }

  Reason ended_early() const override { return ended_ != Reason::none ? ended_ : rows_->ended_early(); }

 private:
  // A row of a packet on its way keeps what it says, although that has no effect.
  void fill_in(StepRows& rows) {
    uses_.assign(rows.uses.begin(), rows.uses.end());
    uses_.resize(rows.rows.size());
    said_.clear();
    for (const ReductionUse& use : uses_) said_.push_back({{}, use.sent, use.arrival, {}});
    const auto replayed = replay_.step(rows, said_);
    for (std::size_t i = 0; i < uses_.size(); ++i) {
      if (uses_[i].arrival == Arrival::joined) uses_[i].arrival = replayed[i].arrival;
    }
    rows.uses = uses_;
  }

  std::shared_ptr<const SendTable> table_;
  std::unique_ptr<RowCursor> rows_;
  Limits limits_;
  Work work_{limits_};
  ReductionReplay replay_;
  std::vector<StatedReduction> said_;
  std::vector<ReductionUse> uses_;  // of the step at work
  Reason ended_ = Reason::none;
};

class WithArrivals final : public RowSource {
 public:
  explicit WithArrivals(SendTable table) : table_(std::make_shared<const SendTable>(std::move(table))) {}

  std::unique_ptr<RowCursor> open() const override { return std::make_unique<ArrivalCursor>(table_); }
  std::optional<std::uint64_t> row_count() const override { return table_->rows->row_count(); }
  std::optional<StepId> last_step() const override { return table_->rows->last_step(); }
  bool has_messages() const override { return table_->rows->has_messages(); }
  bool has_partial_reductions() const override { return true; }
  std::unique_ptr<OriginCursor> open_origins() const override { return table_->rows->open_origins(); }

 private:
  std::shared_ptr<const SendTable> table_;
};

}  // namespace

SendTable with_arrivals(SendTable table) {
  if (!table.collective.combining()) return table;
  auto rows = std::make_shared<WithArrivals>(table);
  table.rows = std::move(rows);
  return table;
}

}  // namespace quadrille
