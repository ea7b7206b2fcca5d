// A step's rows are unpacked when they are asked for, all at once. For example, on a fabric of 12 channels with 2 lanes
// and 30 packets, the row 0x1e3 is channel 7, lane 1, packet 3 (4, 1 and 5 bits). Cost: a row's 8 bytes read, 16
// written.
#include "formats/packed_rows.h"

#include <vector>

#include "formats/passing.h"

namespace quadrille {

class PackedRows::Cursor final : public RowCursor {
 public:
  explicit Cursor(const PackedRows& table)
      : table_(table),
        at_(table.rows_),
        rows_passing_(table.bytes_, table.place_of(table.rows_)),
        index_passing_(table.bytes_, table.place_of(table.index_.data())) {}

  std::optional<StepRows> next() override {
    if (entry_ == table_.index_.size() || ended_early_ != Reason::none) return std::nullopt;
    rows_passing_.at(table_.place_of(at_));
    index_passing_.at(table_.place_of(&table_.index_[entry_]));
    const StepEntry entry = table_.index_[entry_++];
    const char* rows = std::exchange(at_, at_ + step_bytes(entry.rows, entry.row_size));
    const std::uint32_t row_size = entry.row_size / packed_size * packed_size;
    if (!table_.has_room_for(entry.rows, row_size)) {
      ended_early_ = Reason::limit;
      return std::nullopt;
    }
    StepRows result{StepId(entry.step), {}};
    if (has_messages(entry))
      result.messages = {reinterpret_cast<const MessageId*>(rows + entry.rows * row_size), entry.rows};
    if (row_size == plain_size) {
      result.rows = {reinterpret_cast<const Row*>(rows), entry.rows};
      return result;
    }
    const std::span packed(reinterpret_cast<const std::uint64_t*>(rows), entry.rows);
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
  Passing rows_passing_;
  Passing index_passing_;
  Reason ended_early_ = Reason::none;
  std::size_t entry_ = 0;
  std::vector<Row> unpacked_;
};

std::size_t PackedRows::place_of(const void* address) const {
  return static_cast<std::size_t>(static_cast<const char*>(address) - bytes_.bytes.data());
}

// For where they are unpacked, and for where they are, if that is not in memory anyhow.
bool PackedRows::has_room_for(std::uint64_t rows, std::uint32_t row_size) const {
  const std::uint64_t each = (row_size == plain_size ? 0 : sizeof(Row)) + (bytes_.passed ? row_size + message_size : 0);
  return each == 0 || rows <= memory_ / each;
}

std::unique_ptr<RowCursor> PackedRows::open() const { return std::make_unique<Cursor>(*this); }

}  // namespace quadrille
