// Writing binary tables: head, rows, index and closing, in one pass, with the checksum made on the way. A step's rows
// are packed into 8 bytes each where channel, lane and packet fit, else 16. The index comes after the rows, as their
// number is known only then: memory is that of the largest step, and 16 bytes for each; so does what rows say of words,
// 4 bytes for each row and for each word.
#include <vector>

#include "formats/binary_layout.h"
#include "formats/crc32c.h"
#include "formats/head.h"
#include "formats/row_uses.h"
#include "formats/rows.h"
#include "formats/text.h"

namespace quadrille {

namespace {

template <class T>
std::string_view bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

std::string padded_head(const SendTable& table) {
  std::string head = head_text(table, HeadOf::binary) + std::string(head_end);
  while ((head.size() + 1) % binary_alignment != 0) head += ' ';
  return head + '\n';
}

class BinaryWriter {
 public:
  BinaryWriter(const SendTable& table, const Sink& sink)
      : table_(table), output_(sink), bits_(RowBits::of(table.fabric, table.collective)), packer_(bits_) {}

  Written write() {
    put(padded_head(table_));
    const Reason ended = table_.rows->has_partial_reductions() ? put_worded_rows() : put_rows();
    put(bytes_of(std::span<const StepEntry>(index_)));
    put_closing();
    return {output_.finish(), ended};
  }

 private:
  void put(std::string_view bytes) {
    checksum_ = crc32c(bytes, checksum_);
    output_.put(bytes);
  }

  Reason put_rows() {
    StepOrder order(bits_);
    const auto cursor = table_.rows->open();
    for (auto step = cursor->next(); step && output_.ok(); step = cursor->next()) {
      if (step->rows.empty()) continue;
      if (step->messages.empty()) {
        const auto packed = order.packed(step->rows);
        put(packed ? bytes_of(*packed) : bytes_of(order.sorted(step->rows)));
        index_.push_back({step->step.value, packed ? packed_size : plain_size, step->rows.size()});
      } else {
        put_messages(order.sorted(*step));
      }
      rows_ += step->rows.size();
    }
    return cursor->ended_early();
  }

  // `round` is in order already: StepOrder's copies of it are another's.
  void put_messages(const StepRows& round) {
    const auto packed = packer_.packed(round.rows);
    const std::uint32_t row_size = (packed ? packed_size : plain_size) + message_size;
    put(packed ? bytes_of(*packed) : bytes_of(round.rows));
    put(bytes_of(round.messages));
    const std::uint64_t count = round.rows.size();
    put(std::string(step_bytes(count, row_size) - count * row_size, '\0'));
    index_.push_back({round.step.value, row_size, count});
  }

  // The rows of each step together, in order, and what they say of words; that stands behind all of them.
  Reason put_worded_rows() {
    std::vector<Row> rows;
    std::vector<MessageId> messages;
    StepId at;
    const auto flush = [&] {
      if (!rows.empty()) put_messages_or_rows({at, rows, messages});
      rows.clear();
      messages.clear();
    };
    const Reason ended = each_reduction_row(
        table_, [&](StepId step, const Row& row, std::optional<MessageId> message, const ReductionUse& use) {
          if (step != at) flush();
          at = step;
          rows.push_back(row);
          if (message) messages.push_back(*message);
          note_use(use);
          return output_.ok();
        });
    flush();
    if (uses_.size() % 2 != 0) uses_.push_back(0);
    put(bytes_of(std::span<const std::uint32_t>(uses_)));
    return ended;
  }

  void put_messages_or_rows(const StepRows& step) {
    rows_ += step.rows.size();
    if (!step.messages.empty()) return put_messages(step);
    const auto packed = packer_.packed(step.rows);
    put(packed ? bytes_of(*packed) : bytes_of(step.rows));
    index_.push_back({step.step.value, packed ? packed_size : plain_size, step.rows.size()});
  }

  void note_use(const ReductionUse& use) {
    const auto sent = static_cast<std::uint32_t>(use.sent.size());
    uses_.push_back(sent << arrival_bits | static_cast<std::uint32_t>(use.arrival));
    uses_.insert(uses_.end(), use.sent.begin(), use.sent.end());
  }

  void put_closing() {
    const auto byte = [](unsigned number) { return static_cast<std::uint8_t>(number); };
    Closing closing{rows_,
                    index_.size(),
                    byte(bits_.channel),
                    byte(bits_.lane),
                    byte(bits_.chunk),
                    byte(table_.rows->has_partial_reductions() ? 1 : 0),
                    0,
                    closing_mark};
    const std::string_view bytes = bytes_of(std::span<const Closing>(&closing, 1));
    closing.checksum = crc32c(bytes.substr(0, sizeof(Closing) - not_summed), checksum_);
    output_.put(bytes);
  }

  const SendTable& table_;
  TableOutput output_;
  RowBits bits_;
  StepOrder packer_;
  std::vector<StepEntry> index_;
  std::vector<std::uint32_t> uses_;  // as they stand behind the rows
  std::uint64_t rows_ = 0;
  std::uint32_t checksum_ = 0;
};

}  // namespace

Written write_binary(const SendTable& table, const Sink& sink) { return BinaryWriter(table, sink).write(); }

}  // namespace quadrille
