// CRC-32C, eight bytes at a time.
//
// Idea: the bytes are the coefficients of a polynomial over {0, 1}, and the checksum is its remainder by x^32 + x^28 +
// x^27 + … + 1. A table has the remainders of every byte's value with 0, 1 … 7 bytes after it; the remainder of eight
// bytes is the sum (exclusive or) of eight entries ("slicing by eight"). Example: the checksum of the text "123456789"
// is e3069283. x86 processors since 2008 have an instruction for eight bytes; what this file computes both ways is the
// same. It takes three clocks from one to the next, so three thirds of a large piece would be quicker still; reading
// a table's rows takes longer than this as it is.
//
// Source: G. Castagnoli, S. Bräuer, M. Herrmann: Optimization of Cyclic Redundancy-Check Codes with 24 and 32 Parity
// Bits, 1993 (polynomial 1edc6f41); M. Kounavis, F. Berry: A Systematic Approach to Building High Performance
// Software-Based CRC Generators, 2005 (tables); RFC 3720, appendix B.4 (test vectors).
#include "formats/crc32c.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

namespace quadrille {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::uint32_t polynomial = 0x82f63b78;  // 1edc6f41 with its bits in reverse: the lowest bit is x^31
constexpr std::size_t slices = 8;

using Tables = std::array<std::array<std::uint32_t, 256>, slices>;

constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest & 1) != 0 ? rest >> 1 ^ polynomial : rest >> 1;
    tables[0][byte] = rest;
  }
  for (std::size_t slice = 1; slice < slices; ++slice) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t shorter = tables[slice - 1][byte];
      tables[slice][byte] = shorter >> 8 ^ tables[0][shorter & 0xff];
    }
  }
  return tables;
}

constexpr Tables crc_tables = make_tables();

std::uint64_t eight_bytes(const char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof(word));
  return word;
}

#ifdef __x86_64__
[[gnu::target("sse4.2")]] std::uint32_t by_instruction(std::string_view bytes, std::uint32_t before) {
  std::uint64_t rest = ~before;
  while (bytes.size() >= 8) {
    rest = __builtin_ia32_crc32di(rest, eight_bytes(bytes.data()));
    bytes.remove_prefix(8);
  }
  auto last = static_cast<std::uint32_t>(rest);
  for (const char byte : bytes) last = __builtin_ia32_crc32qi(last, static_cast<unsigned char>(byte));
  return ~last;
}
#endif

}  // namespace

std::uint32_t crc32c_by_tables(std::string_view bytes, std::uint32_t before) {
  std::uint32_t rest = ~before;
  while (bytes.size() >= slices) {
    const std::uint64_t word = eight_bytes(bytes.data()) ^ rest;
    rest = 0;
    for (std::size_t byte = 0; byte < slices; ++byte) rest ^= crc_tables[slices - 1 - byte][word >> (8 * byte) & 0xff];
    bytes.remove_prefix(slices);
  }
  for (const char byte : bytes) rest = rest >> 8 ^ crc_tables[0][(rest ^ static_cast<unsigned char>(byte)) & 0xff];
  return ~rest;
}

std::uint32_t crc32c(std::string_view bytes, std::uint32_t before) {
#ifdef __x86_64__
  static const bool has_instruction = __builtin_cpu_supports("sse4.2") != 0;
  if (has_instruction) return by_instruction(bytes, before);
#endif
  return crc32c_by_tables(bytes, before);
}

}  // namespace quadrille
