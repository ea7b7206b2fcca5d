// Private to formats/: what stands where in a binary table. TABLE_FORMAT.md says what every byte is.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "formats/formats.h"
#include "model/send_table.h"

namespace quadrille {

static_assert(std::endian::native == std::endian::little, "binary tables are used in place and little-endian");
static_assert(sizeof(Row) == 16 && alignof(Row) == 8);

inline constexpr std::size_t binary_alignment = 16;  // of the head's end
inline constexpr std::uint32_t packed_size = 8;      // bytes of a row
inline constexpr std::uint32_t plain_size = sizeof(Row);
inline constexpr std::uint32_t message_size = sizeof(MessageId);  // more, in tables of messages

// What a row says of words: its arrival in the lowest bits, the number of words that it sends in those above, and then
// these, 4 bytes each.
inline constexpr unsigned arrival_bits = 2;

// The bytes of a step: its rows, then their messages, if there are any, filled up to a multiple of 8.
constexpr std::uint64_t step_bytes(std::uint64_t rows, std::uint32_t row_size) {
  return row_size % packed_size == 0 ? rows * row_size
                                     : (rows * row_size + packed_size - 1) / packed_size * packed_size;
}

// One step of the index.
struct StepEntry {
  std::uint32_t step;
  std::uint32_t row_size;  // packed_size or plain_size, and message_size more
  std::uint64_t rows;
};

// The file's last bytes.
struct Closing {
  std::uint64_t rows;
  std::uint64_t steps;
  std::uint8_t channel_bits, lane_bits, chunk_bits;
  std::uint8_t words;      // 1: rows say something of words, behind all of them; else 0
  std::uint32_t checksum;  // CRC-32C of all bytes before it; version 1: 0
  std::array<char, 8> mark;
};
static_assert(sizeof(StepEntry) == 16 && sizeof(Closing) == 32);

inline constexpr std::array<char, 8> closing_mark = {'q', 'd', '-', 't', 'a', 'b', 'l', 'e'};

// Bytes at the file's end that the checksum does not cover: itself and the mark.
inline constexpr std::size_t not_summed = sizeof(Closing::checksum) + sizeof(Closing::mark);

Result<SendTable> read_binary(const TableInput& input);
Written write_binary(const SendTable& table, const Sink& sink);

}  // namespace quadrille
