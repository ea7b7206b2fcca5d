// Private to formats/: rows in the layout of binary tables (binary_layout.h), wherever their bytes are.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "formats/binary_layout.h"
#include "formats/formats.h"
#include "formats/rows.h"
#include "model/send_table.h"

namespace quadrille {

class PackedRows final : public RowSource {
 public:
  // `bytes` owns the rows, which begin at `rows`, and the index, if that has a file's pages; `memory`: bytes that a
  // step's rows may take, unpacked, and in pages of a file. Each row names an existing channel and packet.
  PackedRows(SharedBytes bytes, const char* rows, std::span<const StepEntry> index, std::uint64_t count, RowBits bits,
             std::uint64_t memory)
      : bytes_(std::move(bytes)), rows_(rows), index_(index), count_(count), bits_(bits), memory_(memory) {}

  std::unique_ptr<RowCursor> open() const override;
  std::optional<std::uint64_t> row_count() const override { return count_; }
  std::optional<StepId> last_step() const override { return StepId(index_.empty() ? 0 : index_.back().step); }
  bool has_messages() const override { return !index_.empty() && has_messages(index_.front()); }

 private:
  class Cursor;
  std::size_t place_of(const void* address) const;  // in the bytes
  bool has_room_for(std::uint64_t rows, std::uint32_t row_size) const;
  static bool has_messages(const StepEntry& entry) { return entry.row_size % packed_size != 0; }

  SharedBytes bytes_;
  const char* rows_;
  std::span<const StepEntry> index_;
  std::uint64_t count_;
  RowBits bits_;
  std::uint64_t memory_;
};

}  // namespace quadrille
