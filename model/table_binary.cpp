// Tables in binary, to be read in place: TABLE_FORMAT.md says what every byte is.
#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>
#include <utility>
#include <vector>

#include "model/table_forms.h"
#include "model/table_head.h"
#include "model/table_rows.h"
#include "model/table_text.h"

namespace quadrille {

namespace {

static_assert(std::endian::native == std::endian::little, "binary tables are used in place and little-endian");
static_assert(sizeof(Row) == 16 && alignof(Row) == 8);

constexpr std::size_t alignment = 16;  // of the head's end
constexpr std::uint32_t packed_size = 8;
constexpr std::uint32_t plain_size = sizeof(Row);

// One step of the index.
struct StepEntry {
  std::uint32_t step;
  std::uint32_t row_size;  // packed_size or plain_size
  std::uint64_t rows;
};

// The file's last bytes.
struct Closing {
  std::uint64_t rows;
  std::uint64_t steps;
  std::uint8_t channel_bits, lane_bits, chunk_bits;
  std::array<std::uint8_t, 5> zero;
  std::array<char, 8> mark;
};
static_assert(sizeof(StepEntry) == 16 && sizeof(Closing) == 32);

constexpr std::array<char, 8> closing_mark = {'q', 'd', '-', 't', 'a', 'b', 'l', 'e'};

template <class T>
std::string_view bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

// --- the table in place --------------------------------------------------------------------------------------------

class BinaryRows final : public RowSource {
 public:
  BinaryRows(SharedBytes file, const char* rows, std::span<const StepEntry> index, std::uint64_t count, RowBits bits)
      : file_(std::move(file)), rows_(rows), index_(index), count_(count), bits_(bits) {}

  std::unique_ptr<RowCursor> open() const override { return std::make_unique<Cursor>(*this); }
  std::optional<std::uint64_t> row_count() const override { return count_; }
  std::optional<StepId> last_step() const override { return StepId(index_.empty() ? 0 : index_.back().step); }

 private:
  class Cursor final : public RowCursor {
   public:
    explicit Cursor(const BinaryRows& table) : table_(table), at_(table.rows_) {}

    std::optional<StepRows> next() override {
      if (entry_ == table_.index_.size()) return std::nullopt;
      const StepEntry& entry = table_.index_[entry_++];
      const char* rows = std::exchange(at_, at_ + entry.rows * entry.row_size);
      if (entry.row_size == plain_size)
        return StepRows{StepId(entry.step), {reinterpret_cast<const Row*>(rows), entry.rows}};
      const std::span packed(reinterpret_cast<const std::uint64_t*>(rows), entry.rows);
      if (unpacked_.size() < packed.size()) unpacked_.resize(packed.size());
      const RowBits bits = table_.bits_;
      for (std::size_t i = 0; i < packed.size(); ++i) unpacked_[i] = bits.unpack(packed[i]);
      return StepRows{StepId(entry.step), std::span(unpacked_).first(packed.size())};
    }

   private:
    const BinaryRows& table_;
    const char* at_;
    std::size_t entry_ = 0;
    std::vector<Row> unpacked_;
  };

  SharedBytes file_;
  const char* rows_;
  std::span<const StepEntry> index_;
  std::uint64_t count_;
  RowBits bits_;
};

// --- reading --------------------------------------------------------------------------------------------------------

class BinaryReader {
 public:
  BinaryReader(SharedBytes file, std::string name, TableHead head)
      : file_(std::move(file)), name_(std::move(name)), head_(std::move(head)) {}

  Result<SendTable> read() {
    if (!read_closing() || !read_index() || !check_rows()) return faults_.all();
    auto rows = std::make_shared<BinaryRows>(file_, rows_, index_, closing_.rows, bits_);
    return SendTable{head_.fabric, head_.collective, head_.schedule, {}, std::move(rows)};
  }

 private:
  std::size_t offset_of(const void* place) const {
    return static_cast<std::size_t>(static_cast<const char*>(place) - file_.bytes.data());
  }

  bool fail(std::size_t offset, std::string_view message) {
    faults_.add({}, fmt::format("{}: byte {}: {}", name_, offset, message));
    return false;
  }

  bool cut_short() {
    return fail(file_.bytes.size(), "the file ends without the closing record of a table: it has been cut short");
  }

  bool read_closing() {
    const std::size_t size = file_.bytes.size();
    if (head_.size % alignment != 0) return fail(head_.size, "the head does not end at a multiple of 16 bytes");
    if (size < head_.size + sizeof(Closing)) return cut_short();
    const std::size_t at = size - sizeof(Closing);
    std::memcpy(&closing_, file_.bytes.data() + at, sizeof(Closing));
    if (closing_.mark != closing_mark || size % packed_size != 0) return cut_short();
    bits_ = {closing_.channel_bits, closing_.lane_bits, closing_.chunk_bits};
    const std::uint64_t room = (at - head_.size) / sizeof(StepEntry);
    if (closing_.steps > room) return fail(at + 8, fmt::format("{} steps, but room for {}", closing_.steps, room));
    const char* entries = file_.bytes.data() + at - closing_.steps * sizeof(StepEntry);
    index_ = {reinterpret_cast<const StepEntry*>(entries), closing_.steps};
    rows_ = file_.bytes.data() + head_.size;
    return true;
  }

  // What is said where a row's size is wrong.
  std::string row_sizes() const {
    if (bits_.usable()) return fmt::format("; expected {} or {}", packed_size, plain_size);
    return fmt::format("; expected {}: no {} are packed from {} + {} + {} bits", plain_size, packed_size,
                       closing_.channel_bits, closing_.lane_bits, closing_.chunk_bits);
  }

  // Whether the index agrees with the sizes of file and table.
  bool read_index() {
    std::uint64_t room = offset_of(index_.data()) - head_.size;
    std::uint64_t rows = 0;
    std::uint32_t last = 0;
    for (const StepEntry& entry : index_) {
      const std::size_t at = offset_of(&entry);
      if (entry.step <= last || entry.step > max_step)
        return fail(at, fmt::format("step {} after step {}: steps increase, up to {}", entry.step, last, max_step));
      const bool packed = entry.row_size == packed_size && bits_.usable();
      if (!packed && entry.row_size != plain_size)
        return fail(at + 4, fmt::format("rows of {} bytes{}", entry.row_size, row_sizes()));
      if (entry.rows == 0 || entry.rows > room / entry.row_size)
        return fail(at + 8, fmt::format("{} rows in step {}, with {} bytes left", entry.rows, entry.step, room));
      last = entry.step;
      rows += entry.rows;
      room -= entry.rows * entry.row_size;
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
    for (const StepEntry& entry : index_) {
      const bool fine = entry.row_size == packed_size
                            ? check_step(
                                  std::span(reinterpret_cast<const std::uint64_t*>(at), entry.rows),
                                  [bits = bits_](std::uint64_t row) { return bits.channel_of(row); },
                                  [bits = bits_](std::uint64_t row) { return bits.chunk_of(row); })
                            : check_step(
                                  std::span(reinterpret_cast<const Row*>(at), entry.rows),
                                  [](const Row& row) { return row.channel; }, [](const Row& row) { return row.chunk; });
      if (!fine) return false;
      at += entry.rows * entry.row_size;
    }
    return true;
  }

  template <class Stored, class ChannelOf, class ChunkOf>
  bool check_step(std::span<const Stored> rows, ChannelOf channel_of, ChunkOf chunk_of) {
    constexpr std::size_t block_size = 1024;
    const std::uint32_t channels = head_.fabric.channels();
    std::array<ChunkId, block_size> chunks;
    for (std::size_t begin = 0; begin < rows.size(); begin += block_size) {
      const auto block = rows.subspan(begin, std::min(block_size, rows.size() - begin));
      bool unknown_channel = false;
      for (std::size_t i = 0; i < block.size(); ++i) {
        unknown_channel |= channel_of(block[i]).value >= channels;
        chunks[i] = chunk_of(block[i]);
      }
      const std::size_t unknown = head_.collective.first_unknown(std::span(chunks).first(block.size()));
      if (!unknown_channel && unknown == block.size()) continue;
      for (const Stored& row : block) {
        if (channel_of(row).value >= channels)
          return fail(offset_of(&row), fmt::format("channel {}: the fabric has {}", channel_of(row).value, channels));
      }
      return fail(offset_of(&block[unknown]),
                  fmt::format("packet {} is not one of the collective's", chunks[unknown].value));
    }
    return true;
  }

  SharedBytes file_;
  std::string name_;
  TableHead head_;
  TableFaults faults_;
  Closing closing_{};
  RowBits bits_;
  const char* rows_ = nullptr;
  std::span<const StepEntry> index_;
};

}  // namespace

std::size_t binary_head_size(std::string_view bytes) {
  for (std::size_t begin = 0; begin < bytes.size() && bytes[begin] == '#';) {
    const Line line = line_at(bytes, begin);
    if (bytes.substr(line.begin).starts_with(head_end)) return line.next;
    begin = line.next;
  }
  return bytes.size();
}

Result<SendTable> read_binary(SharedBytes file, const Source& head, std::uint32_t source_number) {
  const bool no_end = head.text.size() == file.bytes.size();
  if (no_end && head.text.starts_with(fmt::format("# quadrille-table {} ", table_version))) {
    return error_at(
        {}, fmt::format("{}: the head has no last line `{}`: the file has been cut short", head.name, head_end));
  }
  auto read = read_head(head, source_number);
  if (!read) return read.diagnostics();
  return BinaryReader(std::move(file), head.name, std::move(*read)).read();
}

// --- writing --------------------------------------------------------------------------------------------------------

bool write_binary(const SendTable& table, const Sink& sink) {
  TableOutput output(sink);
  std::string head = head_text(table, " binary") + std::string(head_end);
  while ((head.size() + 1) % alignment != 0) head += ' ';
  output.put(head + '\n');

  const RowBits bits = RowBits::of(table.fabric, table.collective);
  StepOrder order(bits);
  std::vector<StepEntry> index;
  std::uint64_t rows = 0;
  const auto cursor = table.rows->open();
  for (auto step = cursor->next(); step && output.ok(); step = cursor->next()) {
    if (step->rows.empty()) continue;
    const auto packed = order.packed(step->rows);
    output.put(packed ? bytes_of(*packed) : bytes_of(order.sorted(step->rows)));
    index.push_back({step->step.value, packed ? packed_size : plain_size, step->rows.size()});
    rows += step->rows.size();
  }
  output.put(bytes_of(std::span<const StepEntry>(index)));
  const auto byte = [](unsigned number) { return static_cast<std::uint8_t>(number); };
  const Closing closing{rows, index.size(), byte(bits.channel), byte(bits.lane), byte(bits.chunk), {}, closing_mark};
  output.put(bytes_of(std::span(&closing, 1)));
  return output.finish();
}

}  // namespace quadrille
