// One cursor at a time keeps what it reads; the others pass on what the source gives. A cursor that is given up before
// the end, or meets too many rows, keeps nothing. Cost: of a reader after the first, none for making rows; memory for
// the rows.
#include "driver/search/kept_rows.h"

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace quadrille::driver {
namespace {

struct KeptStep {
  StepId step;
  std::size_t end = 0;  // of its rows
};

struct RowStore {
  std::vector<Row> rows;
  std::vector<MessageId> messages;
  std::vector<ReductionUse> uses;
  std::vector<KeptStep> steps;
  bool whole = false;
  bool at_work = false;  // some cursor is filling it
  bool too_many = false;

  void clear() { rows = {}, messages = {}, uses = {}, steps = {}; }
};

class KeptCursor final : public RowCursor {
 public:
  explicit KeptCursor(std::shared_ptr<const RowStore> kept) : kept_(std::move(kept)) {}

  std::optional<StepRows> next() override {
    if (step_ == kept_->steps.size()) return std::nullopt;
    const KeptStep& step = kept_->steps[step_++];
    const std::size_t begin = std::exchange(begin_, step.end);
    const auto part = [&](const auto& all) {
      return all.empty() ? std::span(all) : std::span(all).subspan(begin, step.end - begin);
    };
    return StepRows{step.step, part(kept_->rows), part(kept_->messages), part(kept_->uses)};
  }

 private:
  std::shared_ptr<const RowStore> kept_;
  std::size_t step_ = 0;
  std::size_t begin_ = 0;
};

class KeepingCursor final : public RowCursor {
 public:
  KeepingCursor(std::unique_ptr<RowCursor> cursor, std::shared_ptr<RowStore> kept, std::uint64_t most)
      : cursor_(std::move(cursor)), kept_(std::move(kept)), most_(most) {
    kept_->at_work = true;
  }
  KeepingCursor(const KeepingCursor&) = delete;
  KeepingCursor& operator=(const KeepingCursor&) = delete;
  ~KeepingCursor() override {
    if (kept_->whole) return;
    kept_->clear();
    kept_->at_work = false;
  }

  std::optional<StepRows> next() override {
    auto step = cursor_->next();
    if (kept_->too_many || kept_->whole) return step;
    if (!step) {
      kept_->whole = cursor_->ended_early() == Reason::none;
    } else if (kept_->rows.size() + step->rows.size() > most_) {
      kept_->too_many = true;
      kept_->clear();
    } else {
      keep(*step);
    }
    return step;
  }
  Reason ended_early() const override { return cursor_->ended_early(); }

 private:
  void keep(const StepRows& step) {
    kept_->rows.insert(kept_->rows.end(), step.rows.begin(), step.rows.end());
    kept_->messages.insert(kept_->messages.end(), step.messages.begin(), step.messages.end());
    kept_->uses.insert(kept_->uses.end(), step.uses.begin(), step.uses.end());
    kept_->steps.push_back({step.step, kept_->rows.size()});
  }

  std::unique_ptr<RowCursor> cursor_;
  std::shared_ptr<RowStore> kept_;
  std::uint64_t most_;
};

class KeptRows final : public RowSource {
 public:
  KeptRows(std::shared_ptr<const RowSource> rows, std::uint64_t most) : rows_(std::move(rows)), most_(most) {}

  std::unique_ptr<RowCursor> open() const override {
    if (kept_->whole) return std::make_unique<KeptCursor>(kept_);
    auto cursor = rows_->open();
    if (kept_->at_work || kept_->too_many) return cursor;
    return std::make_unique<KeepingCursor>(std::move(cursor), kept_, most_);
  }
  std::optional<std::uint64_t> row_count() const override { return rows_->row_count(); }
  std::optional<StepId> last_step() const override { return rows_->last_step(); }
  bool has_messages() const override { return rows_->has_messages(); }
  bool has_partial_reductions() const override { return rows_->has_partial_reductions(); }

 private:
  std::shared_ptr<const RowSource> rows_;
  std::uint64_t most_;
  std::shared_ptr<RowStore> kept_ = std::make_shared<RowStore>();
};

}  // namespace

std::shared_ptr<const RowSource> kept_rows(std::shared_ptr<const RowSource> rows, std::uint64_t most) {
  return std::make_shared<KeptRows>(std::move(rows), most);
}

}  // namespace quadrille::driver
