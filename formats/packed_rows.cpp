// A step's rows are unpacked when they are asked for, all at once. For example, on a fabric of 12 channels with 2 lanes
// and 30 packets, the row 0x1e3 is channel 7, lane 1, packet 3 (4, 1 and 5 bits). Cost: a row's 8 bytes read, 16
// written.
#include "formats/packed_rows.h"

#include <vector>

namespace quadrille {

class PackedRows::Cursor final : public RowCursor {
 public:
  explicit Cursor(const PackedRows& table) : table_(table), at_(table.rows_) {}

  std::optional<StepRows> next() override {
    if (entry_ == table_.index_.size() || ended_early_ != Reason::none) return std::nullopt;
    const StepEntry& entry = table_.index_[entry_++];
    const char* rows = std::exchange(at_, at_ + step_bytes(entry.rows, entry.row_size));
    const std::uint32_t row_size = entry.row_size / packed_size * packed_size;
    StepRows result{StepId(entry.step), {}};
    if (has_messages(entry))
      result.messages = {reinterpret_cast<const MessageId*>(rows + entry.rows * row_size), entry.rows};
    if (row_size == plain_size) {
      result.rows = {reinterpret_cast<const Row*>(rows), entry.rows};
      return result;
    }
    const std::span packed(reinterpret_cast<const std::uint64_t*>(rows), entry.rows);
    if (packed.size() > table_.memory_ / sizeof(Row)) {
      ended_early_ = Reason::limit;
      return std::nullopt;
    }
    if (unpacked_.size() < packed.size()) unpacked_.resize(packed.size());
    const RowBits bits = table_.bits_;
    for (std::size_t i = 0; i < packed.size(); ++i) unpacked_[i] = bits.unpack(packed[i]);
    result.rows = std::span(unpacked_).first(packed.size());
    return result;
  }

  Reason ended_early() const override { return ended_early_; }

 private:
  const PackedRows& table_;
  const char* at_;
  Reason ended_early_ = Reason::none;
  std::size_t entry_ = 0;
  std::vector<Row> unpacked_;
};

std::unique_ptr<RowCursor> PackedRows::open() const { return std::make_unique<Cursor>(*this); }

}  // namespace quadrille
