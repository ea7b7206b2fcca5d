// Reading binary tables in place: first that all bytes are as they were written, then that the counts agree, then that
// every row names something. Cost: one pass for the checksum and one for the rows, some 5 GB a second together. Rows
// and index of a mapped file are used where they are, so each number in them is judged before it is used to find
// another. The closing record (last 32 bytes) has the number of steps, hence where the index begins; the index has the
// rows of each step, whose sizes must fill exactly what lies between it and the head; a row must name a channel and a
// packet, and have no bit beyond them. A step's rows are unpacked when they are asked for.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "formats/binary_layout.h"
#include "formats/crc32c.h"
#include "formats/head.h"
#include "formats/our_tables.h"
#include "formats/packed_rows.h"
#include "formats/passing.h"
#include "formats/row_uses.h"
#include "formats/rows.h"
#include "model/limits/limits.h"
#include "model/send_table.h"
#include "model/text/result.h"

namespace quadrille {
namespace {

// --- partial reductions --------------------------------------------------------------------------------------------

// ReductionsBlock has the words of a binary table's rows, which stand behind all rows.
//
// The block is not used in place: rows with words are kept as StoredRows has them. For example, of a row that sends its
// words 1 and 0, which are kept: 4·2 + 3, 1, 0. Cost: a pass over the block, and a sort of the rows.

struct ReductionsBlock {
  std::span<const std::uint32_t> numbers;
  std::size_t offset = 0;   // of the first, in the file
  const std::string& name;  // of the file
};

class ReductionsReader {
 public:
  ReductionsReader(const ReductionsBlock& block, const TableHead& head, const Limits& limits)
      : block_(block), head_(head), list_(limits, memory_beside(head, limits)) {}

  Result<std::shared_ptr<const RowSource>> read(const RowSource& rows) {
    const auto cursor = rows.open();
    while (const auto step = cursor->next()) {
      for (std::size_t i = 0; i < step->rows.size(); ++i) {
        const auto message = step->messages.empty() ? std::nullopt : std::optional(step->messages[i]);
        if (auto fault = add({step->step, step->rows[i]}, message)) return *fault;
      }
    }
    if (cursor->ended_early() != Reason::none) return not_read(block_.name, cursor->ended_early());
    if (at_ < block_.numbers.size() && block_.numbers.size() % 2 == 0 && block_.numbers[at_] == 0) ++at_;
    if (at_ != block_.numbers.size()) return fault("this is more than the rows say of words");
    std::string found = list_.contradiction(head_.fabric, head_.collective);
    if (!found.empty()) return error_at({}, fmt::format("{}: {}", block_.name, found), Code::syntax);
    return list_.take();
  }

 private:
  Diagnostic fault(std::string_view message) const {
    return error_at({},
                    fmt::format("{}: byte {}: {}", block_.name, block_.offset + at_ * sizeof(std::uint32_t), message),
                    Code::syntax);
  }

  // Nothing if all is well.
  std::optional<Diagnostic> add(const StoredRows::StepRow& row, std::optional<MessageId> message) {
    if (at_ == block_.numbers.size()) return fault("what rows say of words ends before the rows");
    const std::uint32_t first = block_.numbers[at_];
    const std::size_t count = first >> arrival_bits;
    if (count > block_.numbers.size() - at_ - 1) return fault(fmt::format("{} words, which are not there", count));
    const auto sent = block_.numbers.subspan(at_ + 1, count);
    ReductionUse use{{sent.begin(), sent.end()}, static_cast<Arrival>(first & ((1U << arrival_bits) - 1))};
    if (const std::string wrong = use_fault(use, row.row, head_.fabric, head_.collective); !wrong.empty())
      return fault(wrong);
    const Reason reason = list_.add(row, message, std::move(use));
    if (reason != Reason::none) return not_read(block_.name, reason);
    at_ += 1 + count;
    return std::nullopt;
  }

  const ReductionsBlock& block_;
  const TableHead& head_;
  ReductionRowList list_;
  std::size_t at_ = 0;  // index of the next number
};

// The rows with what the block says of them, row by row, in the cursor's order.
Result<std::shared_ptr<const RowSource>> with_reductions(const ReductionsBlock& block, const RowSource& rows,
                                                         const TableHead& head, const Limits& limits) {
  if (!head.collective.combining())
    return error_at({}, fmt::format("{}: words are for collectives that combine", block.name), Code::invalid);
  return ReductionsReader(block, head, limits).read(rows);
}

// Bytes at an address fit for numbers in place: these, or a copy.
SharedBytes aligned(const SharedBytes& file) {
  const bool fits = reinterpret_cast<std::uintptr_t>(file.bytes.data()) % alignof(Row) == 0;
  if (file.owner && fits) return file;
  auto words = std::make_shared<std::vector<std::uint64_t>>((file.bytes.size() + 7) / 8);
  if (!file.bytes.empty()) std::memcpy(words->data(), file.bytes.data(), file.bytes.size());
  const std::string_view copy(reinterpret_cast<const char*>(words->data()), file.bytes.size());
  return {std::move(words), copy, {}};
}

class BinaryReader {
 public:
  BinaryReader(const TableInput& input, bool has_checksum)
      : input_(input), file_(aligned(input.file)), has_checksum_(has_checksum), pulse_(input.limits, 64) {}

  Result<SendTable> read() {
    if (!read_closing()) return failure();
    auto head = read_head(input_, HeadOf::binary);
    if (!head) return head.diagnostics();
    head_ = std::move(*head);
    if (!read_widths() || !read_index() || !check_rows()) return failure();
    const std::uint64_t memory = memory_beside(*head_, input_.limits);
    std::shared_ptr<const RowSource> rows =
        std::make_shared<PackedRows>(file_, rows_, index_, closing_.rows, bits_, memory);
    if (closing_.words != 0) {
      const ReductionsBlock block{words_, offset_of(words_.data()), input_.source.name};
      auto worded = with_reductions(block, *rows, *head_, input_.limits);
      if (!worded) return worded.diagnostics();
      rows = *std::move(worded);
    }
    return SendTable{head_->fabric, head_->collective, head_->schedule, {}, std::move(rows)};
  }

 private:
  Diagnostics failure() const {
    return pulse_.reason() != Reason::none ? Diagnostics{not_read(input_.source.name, pulse_.reason())} : faults_.all();
  }

  std::size_t offset_of(const void* place) const {
    return static_cast<std::size_t>(static_cast<const char*>(place) - file_.bytes.data());
  }

  bool fail(std::size_t offset, std::string_view message) {
    faults_.add({}, fmt::format("{}: byte {}: {}", input_.source.name, offset, message));
    return false;
  }

  bool cut_short() {
    return fail(file_.bytes.size(), "the file ends without the closing record of a table: it has been cut short");
  }

  // As far as the limits allow.
  std::uint32_t checksum(std::string_view bytes) {
    constexpr std::size_t piece = std::size_t{1} << 20;
    Passing passing(file_);
    std::uint32_t sum = 0;
    for (std::size_t at = 0; at < bytes.size() && !pulse_.reached(); at += piece) {
      sum = crc32c(bytes.substr(at, piece), sum);
      passing.at(at);
    }
    return sum;
  }

  // The file's last bytes, and whether all others are as they were written.
  bool read_closing() {
    const std::size_t size = file_.bytes.size();
    const std::size_t head_size = input_.source.text.size();
    if (head_size % binary_alignment != 0) return fail(head_size, "the head does not end at a multiple of 16 bytes");
    if (size < head_size + sizeof(Closing)) return cut_short();
    const std::size_t at = size - sizeof(Closing);
    std::memcpy(&closing_, file_.bytes.data() + at, sizeof(Closing));
    if (closing_.mark != closing_mark || size % packed_size != 0) return cut_short();
    if (!has_checksum_ && closing_.checksum != 0)
      return fail(size - not_summed, "this byte, or one of the next 3, is not 0");
    if (has_checksum_ && closing_.checksum != checksum(file_.bytes.substr(0, size - not_summed)))
      return pulse_.reason() == Reason::none &&
             fail(size - not_summed, "the checksum is another than that of the bytes before it: the file is damaged");
    if (closing_.words > (has_checksum_ ? 1 : 0))
      return fail(at + offsetof(Closing, words), fmt::format("this byte is not 0{}", has_checksum_ ? ", nor 1" : ""));
    // A checksum says that the bytes are those that were written, not that their numbers make sense.
    const std::uint64_t room = (at - head_size) / sizeof(StepEntry);
    if (closing_.steps > room) return fail(at + 8, fmt::format("{} steps, but room for {}", closing_.steps, room));
    const char* entries = file_.bytes.data() + at - closing_.steps * sizeof(StepEntry);
    index_ = {reinterpret_cast<const StepEntry*>(entries), closing_.steps};
    rows_ = file_.bytes.data() + head_size;
    return true;
  }

  // Whether the widths of a row's parts are those that fabric and collective need.
  bool read_widths() {
    bits_ = {closing_.channel_bits, closing_.lane_bits, closing_.chunk_bits};
    const RowBits needed = RowBits::of(head_->fabric, head_->collective);
    if (bits_.channel == needed.channel && bits_.lane == needed.lane && bits_.chunk == needed.chunk) return true;
    return fail(file_.bytes.size() - sizeof(Closing) + offsetof(Closing, channel_bits),
                fmt::format("widths of {}, {} and {} bits; this fabric and collective have {}, {} and {}",
                            bits_.channel, bits_.lane, bits_.chunk, needed.channel, needed.lane, needed.chunk));
  }

  bool may_have_messages() const { return head_->fabric.in_rounds(); }

  // The end of the message where a row's size is wrong.
  std::string row_sizes() const {
    if (bits_.usable()) return fmt::format("; expected {} or {}", packed_size, plain_size);
    return fmt::format("; expected {}: no {} are packed from {} + {} + {} bits", plain_size, packed_size,
                       closing_.channel_bits, closing_.lane_bits, closing_.chunk_bits);
  }

  // Whether the index agrees with the sizes of file and table.
  bool read_index() {
    std::uint64_t room = offset_of(index_.data()) - offset_of(rows_);
    std::uint64_t rows = 0;
    std::uint32_t last = 0;
    Passing passing(file_, offset_of(index_.data()));
    for (const StepEntry& entry : index_) {
      const std::size_t at = offset_of(&entry);
      passing.at(at);
      if (entry.step <= last || entry.step > max_step)
        return fail(at, fmt::format("step {} after step {}: steps increase, up to {}", entry.step, last, max_step));
      if (entry.row_size % packed_size != index_[0].row_size % packed_size)
        return fail(at + 4, "some rows have messages, and some have none");
      const bool messages = entry.row_size % packed_size == message_size && may_have_messages();
      const std::uint32_t row_size = entry.row_size - (messages ? message_size : 0);
      const bool packed = row_size == packed_size && bits_.usable();
      if (!packed && row_size != plain_size)
        return fail(at + 4, fmt::format("rows of {} bytes{}", entry.row_size, row_sizes()));
      if (entry.rows == 0 || entry.rows > room / entry.row_size || step_bytes(entry.rows, entry.row_size) > room)
        return fail(at + 8, fmt::format("{} rows in step {}, with {} bytes left", entry.rows, entry.step, room));
      last = entry.step;
      rows += entry.rows;
      room -= step_bytes(entry.rows, entry.row_size);
    }
    if (closing_.words != 0) {
      const char* end = reinterpret_cast<const char*>(index_.data());
      words_ = {reinterpret_cast<const std::uint32_t*>(end - room), room / sizeof(std::uint32_t)};
      room = 0;
    }
    if (room != 0)
      return fail(offset_of(index_.data()) - room, fmt::format("{} bytes between the rows and the index", room));
    if (rows != closing_.rows)
      return fail(file_.bytes.size() - sizeof(Closing),
                  fmt::format("{} rows, but the steps have {}", closing_.rows, rows));
    return true;
  }

  // Whether every row names a channel and a packet.
  bool check_rows() {
    const char* at = rows_;
    Passing of_rows(file_, offset_of(rows_));
    Passing of_index(file_, offset_of(index_.data()));
    for (const StepEntry& entry : index_) {
      of_rows.at(offset_of(at));
      of_index.at(offset_of(&entry));
      const bool fine = entry.row_size / packed_size * packed_size == packed_size
                            ? check_step(
                                  std::span(reinterpret_cast<const std::uint64_t*>(at), entry.rows),
                                  [shift = bits_.lane + bits_.chunk](std::uint64_t row) { return row >> shift; },
                                  [bits = bits_](std::uint64_t row) { return bits.chunk_of(row); })
                            : check_step(
                                  std::span(reinterpret_cast<const Row*>(at), entry.rows),
                                  [](const Row& row) { return std::uint64_t{row.channel.value}; },
                                  [](const Row& row) { return row.chunk; });
      if (!fine) return false;
      const char* end = at + step_bytes(entry.rows, entry.row_size);
      for (at += entry.rows * entry.row_size; at < end; ++at) {
        if (*at != 0) return fail(offset_of(at), "this byte, which fills up the messages of a round, is not 0");
      }
    }
    return true;
  }

  // `channel_of` gives all bits above lane and packet: a row with one above its channel names none.
  template <class Stored, class ChannelOf, class ChunkOf>
  bool check_step(std::span<const Stored> rows, ChannelOf channel_of, ChunkOf chunk_of) {
    constexpr std::size_t block_size = 1024;
    const std::uint64_t channels = head_->fabric.channels();
    std::array<ChunkId, block_size> chunks;
    for (std::size_t begin = 0; begin < rows.size(); begin += block_size) {
      if (pulse_.reached()) return false;
      const auto block = rows.subspan(begin, std::min(block_size, rows.size() - begin));
      bool unknown_channel = false;
      for (std::size_t i = 0; i < block.size(); ++i) {
        unknown_channel |= channel_of(block[i]) >= channels;
        chunks[i] = chunk_of(block[i]);
      }
      // A block is judged as a whole; only where something is wrong in it is the row looked for.
      const std::size_t unknown = head_->collective.first_unknown(std::span(chunks).first(block.size()));
      if (!unknown_channel && unknown == block.size()) continue;
      for (const Stored& row : block) {
        if (channel_of(row) >= channels) return fail(offset_of(&row), channel_fault(channel_of(row), channels));
      }
      return fail(offset_of(&block[unknown]),
                  fmt::format("packet {} is not one of the collective's", chunks[unknown].value));
    }
    return true;
  }

  std::string channel_fault(std::uint64_t channel, std::uint64_t channels) const {
    if (bits_.usable() && channel > RowBits::mask(bits_.channel)) {
      return "bits above channel, lane and packet are not 0";
    }
    return fmt::format("channel {}: the fabric has {}", channel, channels);
  }

  const TableInput& input_;
  SharedBytes file_;
  bool has_checksum_;
  Pulse pulse_;
  std::optional<TableHead> head_;
  TableFaults faults_;
  Closing closing_{};
  RowBits bits_;
  const char* rows_ = nullptr;
  std::span<const StepEntry> index_;
  std::span<const std::uint32_t> words_;  // what rows say of words
};

// The bytes of the head; all of them, if it does not end.
std::size_t head_size(std::string_view bytes) {
  for (std::size_t begin = 0; begin < bytes.size() && bytes[begin] == '#';) {
    const Line line = line_at(bytes, begin);
    if (bytes.substr(line.begin).starts_with(head_end)) return line.next;
    begin = line.next;
  }
  return bytes.size();
}

Match recognise_binary(std::string_view beginning) { return binary_version_in(beginning) ? Match::yes : Match::no; }

}  // namespace

Result<SendTable> read_binary(const TableInput& input) {
  const Source& head = input.source;
  const auto version = binary_version_in(head.text);
  if (!version || version_fault(*version, HeadOf::binary)) {
    auto refused = read_head(input, HeadOf::binary);
    if (!refused) return refused.diagnostics();
  }
  if (head.text.size() == input.file.bytes.size()) {
    return error_at({},
                    fmt::format("{}: the head has no last line `{}`: the file has been cut short", head.name, head_end),
                    Code::syntax);
  }
  return BinaryReader(input, *version != "1").read();
}

Format binary_format() {
  return {.name = "binary",
          .summary = "numbers, read in place: for large tables",
          .extensions = {"bin"},
          .recognise = recognise_binary,
          .text_size = head_size,
          .read = read_binary,
          .write = write_binary,
          .partial_reductions = true};
}

}  // namespace quadrille
