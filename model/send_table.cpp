// Tables with stored rows: sorted by step, channel, lane and packet, and divided into steps, whatever order they came
// in. Rows that are made while they are read are a RowSource elsewhere (compiler/rows/rows.cpp,
// formats/binary_read.cpp).
#include "model/send_table.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace quadrille {

namespace {

auto key_of(const StoredRows::StepRow& it) { return std::tuple(it.step, it.row.channel, it.row.lane, it.row.chunk); }

bool before(const StoredRows::StepRow& a, const StoredRows::StepRow& b) { return key_of(a) < key_of(b); }

}  // namespace

std::vector<RowOrigin> RowSource::origins(std::span<const RowPlace> places) const {
  std::vector<RowOrigin> result(places.size());
  struct Wanted {
    std::vector<std::size_t> indices;  // of rows in the step
    std::vector<std::size_t> at;       // into `places`
  };
  std::map<StepId, Wanted> wanted;
  for (std::size_t i = 0; i < places.size(); ++i) {
    wanted[places[i].step].indices.push_back(places[i].index);
    wanted[places[i].step].at.push_back(i);
  }
  const auto cursor = open_origins();
  while (cursor != nullptr && !wanted.empty()) {
    const auto step = cursor->next();
    if (!step) break;
    const auto found = wanted.find(*step);
    if (found == wanted.end()) continue;
    std::vector<RowOrigin> origins = cursor->origins(found->second.indices);
    for (std::size_t i = 0; i < origins.size(); ++i) result[found->second.at[i]] = std::move(origins[i]);
    wanted.erase(found);
  }
  return result;
}

class StoredRows::Cursor final : public RowCursor {
 public:
  explicit Cursor(const StoredRows& table) : table_(table) {}

  std::optional<StepRows> next() override {
    if (batch_ == table_.batches_.size()) return std::nullopt;
    const Batch& batch = table_.batches_[batch_++];
    const auto part_of = [&](const auto& all) { return std::span(all).subspan(batch.begin, batch.end - batch.begin); };
    StepRows rows{batch.step, part_of(table_.rows_)};
    if (table_.has_messages()) rows.messages = part_of(table_.messages_);
    if (table_.has_partial_reductions()) rows.uses = part_of(table_.uses_);
    return rows;
  }

 private:
  const StoredRows& table_;
  std::size_t batch_ = 0;
};

StoredRows::StoredRows(std::vector<StepRow> rows) {
  if (!std::is_sorted(rows.begin(), rows.end(), before)) std::sort(rows.begin(), rows.end(), before);
  rows_.reserve(rows.size());
  for (const StepRow& it : rows) add(it);
}

StoredRows::StoredRows(std::vector<StepRow> rows, const std::vector<MessageId>& messages)
    : StoredRows(std::move(rows), messages, {}) {}

StoredRows::StoredRows(std::vector<StepRow> rows, const std::vector<MessageId>& messages,
                       const std::vector<ReductionUse>& uses) {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [&](std::size_t i) {
    return std::tuple_cat(key_of(rows[i]), std::tuple(messages.empty() ? MessageId() : messages[i]));
  };
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return std::tuple(key(a), a) < std::tuple(key(b), b); });
  rows_.reserve(rows.size());
  for (const std::size_t index : order) {
    add(rows[index]);
    if (!messages.empty()) messages_.push_back(messages[index]);
    if (!uses.empty()) uses_.push_back(uses[index]);
  }
}

void StoredRows::add(const StepRow& it) {
  if (batches_.empty() || batches_.back().step != it.step) batches_.push_back({it.step, rows_.size(), rows_.size()});
  rows_.push_back(it.row);
  batches_.back().end = rows_.size();
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
