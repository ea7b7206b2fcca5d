// Private to formats/: the rows that a reader of a text has found so far.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "formats/binary_layout.h"
#include "formats/rows.h"
#include "model/limits/limits.h"
#include "model/send_table.h"

namespace quadrille {

class RowList {
 public:
  // Within the limits' time and `memory` bytes; `bits` are those of the table's fabric and collective. `rows`: how many
  // there may be, if something is known of that.
  RowList(const Limits& limits, std::uint64_t memory, RowBits bits, std::uint64_t rows = 0);

  // Why no more rows can be taken; none if this one was. All rows of a table have a message, or none has.
  [[gnu::always_inline]] Reason add(const StoredRows::StepRow& row) {
    auto& words = packed_.words;
    if (row.step.value != step_ || spilled_ || plain_ || words.size() == words.capacity() || !bits_.fits(row.row))
      return add_any(row, std::nullopt);
    const std::uint64_t packed = bits_.pack(row.row);
    sorted_ = sorted_ && (words.size() == begin_ || words.back() <= packed);
    words.push_back(packed);
    ++count_;
    return pulse_.reached() ? pulse_.reason() : Reason::none;
  }
  Reason add(const StoredRows::StepRow& row, std::optional<MessageId> message) { return add_any(row, message); }

  // The rows of another list after those of this one. Why they cannot be taken; none if they were.
  Reason append(RowList&& other);

  // An empty list for rows of the same table, within the same limits.
  RowList another() const { return RowList(pulse_.limits(), memory_, bits_); }

  // All of them. The list is empty afterwards.
  std::shared_ptr<const RowSource> take();

 private:
  struct Packed {
    std::vector<std::uint64_t> words;
    std::vector<StepEntry> index;
  };

  Reason add_any(const StoredRows::StepRow& row, std::optional<MessageId> message);
  bool room(std::size_t rows);
  Reason append_step(const StepEntry& step, const std::uint64_t* words);
  void begin_step(StepId step);
  void end_step();
  void put(const Row& row, std::optional<MessageId> message);
  void make_plain();
  void sort_step();
  std::span<Row> plain_rows();
  void spill();
  Reason keep(const StoredRows::StepRow& row, std::optional<MessageId> message);

  Pulse pulse_;
  std::uint64_t memory_;
  RowBits bits_;
  bool spilled_ = false;  // they are not in order of steps

  Packed packed_;
  std::uint64_t count_ = 0;  // of packed rows
  std::uint32_t step_ = 0;   // the last one that has begun
  std::size_t begin_ = 0;    // where its rows begin
  bool plain_ = false;       // a row of it does not fit into 8 bytes
  bool sorted_ = true;
  std::vector<MessageId> step_messages_;  // of its rows

  std::vector<StoredRows::StepRow> rows_;  // when spilled
  std::vector<MessageId> messages_;        // likewise
};

}  // namespace quadrille
