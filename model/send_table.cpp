// Tables whose rows are stored: sorted by step, channel, lane and packet, and cut into steps, whatever order they came
// in. Rows that are made as they are read are a RowSource elsewhere (compiler/rows.cpp, formats/binary_read.cpp).
#include "model/send_table.h"

#include <algorithm>
#include <tuple>

namespace quadrille {

namespace {

auto key_of(const StoredRows::StepRow& it) { return std::tuple(it.step, it.row.channel, it.row.lane, it.row.chunk); }

bool before(const StoredRows::StepRow& a, const StoredRows::StepRow& b) { return key_of(a) < key_of(b); }

}  // namespace

std::vector<RowOrigin> RowSource::origins(std::span<const RowPlace> places) const {
  return std::vector<RowOrigin>(places.size());
}

class StoredRows::Cursor final : public RowCursor {
 public:
  explicit Cursor(const StoredRows& table) : table_(table) {}

  std::optional<StepRows> next() override {
    if (batch_ == table_.batches_.size()) return std::nullopt;
    const Batch& batch = table_.batches_[batch_++];
    return StepRows{batch.step, std::span(table_.rows_).subspan(batch.begin, batch.end - batch.begin)};
  }

 private:
  const StoredRows& table_;
  std::size_t batch_ = 0;
};

StoredRows::StoredRows(std::vector<StepRow> rows) {
  if (!std::is_sorted(rows.begin(), rows.end(), before)) std::sort(rows.begin(), rows.end(), before);
  rows_.reserve(rows.size());
  for (const auto& [step, row] : rows) {
    if (batches_.empty() || batches_.back().step != step) batches_.push_back({step, rows_.size(), rows_.size()});
    rows_.push_back(row);
    batches_.back().end = rows_.size();
  }
}

std::unique_ptr<RowCursor> StoredRows::open() const { return std::make_unique<Cursor>(*this); }

std::optional<std::uint64_t> StoredRows::row_count() const { return rows_.size(); }

std::optional<StepId> StoredRows::last_step() const { return batches_.empty() ? StepId(0) : batches_.back().step; }

std::vector<StoredRows::StepRow> all_rows(const SendTable& table) {
  std::vector<StoredRows::StepRow> result;
  const auto cursor = table.rows->open();
  while (const auto batch = cursor->next()) {
    const auto begin = static_cast<std::ptrdiff_t>(result.size());
    for (const Row& row : batch->rows) result.push_back({batch->step, row});
    std::sort(result.begin() + begin, result.end(), before);
  }
  return result;
}

}  // namespace quadrille
