// Where the rows of a table do not fit into the memory that they may take, only one step of them is kept, and each pass
// over the table reads its text again. That takes a reader's time for each pass, and needs rows in order of steps, as
// writers put them. Pages of the text that have been passed are let go.
#include "formats/csv_again.h"

#include "formats/csv_row.h"
#include "formats/passing.h"
#include "formats/row_list.h"

namespace quadrille {

class CsvAgain::Cursor final : public RowCursor {
 public:
  Cursor(const CsvAgain& table, const Limits& limits, TableFaults* faults)
      : table_(table),
        limits_(limits),
        faults_(faults != nullptr ? *faults : own_faults_),
        text_(table.text_.file.bytes),
        reader_(text_, table.text_.source, table.head_, table.text_.fields),
        at_(table.text_.begin),
        passing_(table.text_.file) {
    advance();
  }

  std::optional<StepRows> next() override {
    if (!ahead_ || ended_early_ != Reason::none) return std::nullopt;
    const StepId step = ahead_->row.step;
    RowList rows(limits_, table_.limits_.memory, RowBits::of(table_.head_.fabric, table_.head_.collective));
    while (ahead_ && ahead_->row.step == step && ended_early_ == Reason::none) {
      ended_early_ =
          reader_.fields() == message_fields ? rows.add(ahead_->row, ahead_->message) : rows.add(ahead_->row);
      advance();
    }
    if (ahead_ && ahead_->row.step < step && ended_early_ == Reason::none) ended_early_ = Reason::limit;
    if (ended_early_ != Reason::none) return std::nullopt;
    step_ = rows.take();
    cursor_ = step_->open();
    const auto result = cursor_->next();
    ended_early_ = cursor_->ended_early();
    return result;
  }

  Reason ended_early() const override { return ended_early_; }

 private:
  // Reads the next row that is one. After the first pass has found no fault, one says that the file has changed.
  void advance() {
    ahead_.emplace();
    while (at_ < text_.size() && !faults_.full()) {
      passing_.at(at_);
      if (reader_.read(at_, *ahead_, faults_)) return;
      if (&faults_ == &own_faults_) ended_early_ = Reason::unsupported;
      if (ended_early_ != Reason::none) break;
    }
    ahead_.reset();
  }

  const CsvAgain& table_;
  const Limits& limits_;
  TableFaults own_faults_;
  TableFaults& faults_;
  std::string_view text_;
  CsvRowReader reader_;
  std::size_t at_;
  Passing passing_;
  std::optional<PlainRow> ahead_;  // the row before `at_`, if there is one
  Reason ended_early_ = Reason::none;
  std::shared_ptr<const RowSource> step_;  // the rows that next() gave
  std::unique_ptr<RowCursor> cursor_;
};

CsvAgain::CsvAgain(const CsvText& text, const TableHead& head, std::uint64_t memory) : text_(text), head_(head) {
  limits_.memory = memory;
}

std::shared_ptr<const CsvAgain> CsvAgain::make(const CsvText& text, const TableHead& head, const Limits& limits,
                                               std::uint64_t memory, TableFaults& faults, Reason& stopped) {
  std::shared_ptr<CsvAgain> table(new CsvAgain(text, head, memory));
  Cursor cursor(*table, limits, &faults);
  while (const auto step = cursor.next()) {
    table->rows_ += step->rows.size();
    table->last_step_ = step->step;
  }
  stopped = cursor.ended_early();
  return stopped != Reason::none || faults.any() ? nullptr : table;
}

std::unique_ptr<RowCursor> CsvAgain::open() const { return std::make_unique<Cursor>(*this, limits_, nullptr); }

}  // namespace quadrille
