// Private to formats/: rows packed into one number each, rows put in order, rows checked against the head.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/limits/limits.h"
#include "model/send_table.h"

namespace quadrille {

// How many bits of a 64-bit number each field of a row takes: channel first (highest), then lane, then chunk.
// Packed rows are in the same order as rows.
struct RowBits {
  unsigned channel = 1;
  unsigned lane = 1;
  unsigned chunk = 1;

  // The fewest bits for every channel, existing lane and packet.
  static RowBits of(const Fabric& fabric, const Collective& collective);

  bool usable() const {
    const auto in = [](unsigned bits, unsigned most) { return bits >= 1 && bits <= most; };
    return in(channel, 32) && in(lane, 32) && in(chunk, 62) && channel + lane + chunk <= 64;
  }

  // The following require usable().
  bool fits(const Row& row) const {
    return ((row.channel.value >> (channel - 1) >> 1) | (row.lane.value >> (lane - 1) >> 1) |
            (row.chunk.value >> (chunk - 1) >> 1)) == 0;
  }
  std::uint64_t pack(const Row& row) const {
    return std::uint64_t{row.channel.value} << (lane + chunk) | std::uint64_t{row.lane.value} << chunk |
           row.chunk.value;
  }
  Row unpack(std::uint64_t packed) const {
    return {channel_of(packed), LaneId(static_cast<std::uint32_t>((packed >> chunk) & mask(lane))), chunk_of(packed)};
  }
  ChannelId channel_of(std::uint64_t packed) const {
    return ChannelId(static_cast<std::uint32_t>((packed >> (lane + chunk)) & mask(channel)));
  }
  ChunkId chunk_of(std::uint64_t packed) const { return ChunkId(packed & mask(chunk)); }
  static std::uint64_t mask(unsigned bits) { return ~std::uint64_t{0} >> (64 - bits); }
};

// Puts the rows of one step in order: by channel (that is, from and to), lane, chunk.
class StepOrder {
 public:
  explicit StepOrder(RowBits bits) : bits_(bits) {}

  // The rows packed and in order, or nothing if one of them does not fit. Both results live until the next call.
  std::optional<std::span<const std::uint64_t>> packed(std::span<const Row> rows);
  std::span<const Row> sorted(std::span<const Row> rows);

  // The same with the rows' messages, if they have any: rows alike in all else are in the order of these.
  StepRows sorted(const StepRows& step);

 private:
  RowBits bits_;
  std::vector<std::uint64_t> packed_;
  std::vector<Row> rows_;
  std::vector<MessageId> messages_;
};

// One row as a text says it, its numbers read but not judged.
struct RowWords {
  std::uint64_t step = 0;
  std::string_view from;
  std::string_view to;
  std::uint64_t lane = 0;
  std::uint64_t origin = 0;
  std::optional<std::uint64_t> target;
  std::uint64_t part = 0;
  std::uint64_t message = 0;  // tables of messages only
};

// Fields of a row; tables of messages have one more.
inline constexpr std::size_t row_fields = 7;
inline constexpr std::size_t message_fields = row_fields + 1;
inline constexpr const char* field_names[message_fields] = {"step",   "from",   "to",   "lane",
                                                            "origin", "target", "part", "message"};

// The fault of a row, and the fields concerned.
struct RowFault {
  std::size_t first_field = 0;
  std::size_t last_field = 0;
  std::string message;
  Code code = Code::range;
};

// The row that the words say; nothing if there is no such step, node, channel or packet: `fault` then says why.
std::optional<StoredRows::StepRow> row_of(const RowWords& words, const Fabric& fabric, const Collective& collective,
                                          RowFault& fault);

// Reads a whole number as text has it: digits, without a sign, and without zeros before the first other one. The fault
// of a text that is none, "lane `01` begins with a 0", where `name` is the field's; empty if there is none.
std::string number_fault(std::string_view name, std::string_view text, std::uint64_t& result);

// The node of that name, quickly for processors.
std::optional<NodeId> node_of(const Fabric& fabric, std::string_view name);

}  // namespace quadrille
