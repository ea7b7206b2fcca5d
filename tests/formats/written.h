// Tables as the bytes of a form, and bytes with the checksum that fits them.
#pragma once

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <string_view>

#include "formats/crc32c.h"
#include "formats/table_io.h"

namespace quadrille::tests {

// The table in that form: csv, json or binary.
inline std::string written(const SendTable& table, const std::string& form) {
  std::string text;
  REQUIRE(write_table(table, form, [&text](std::string_view piece) { return text += piece, true; }));
  return text;
}

// A binary table with the checksum that its other bytes have. Requires 12 bytes.
inline std::string sealed(std::string bytes) {
  const std::uint32_t checksum = crc32c(std::string_view(bytes).substr(0, bytes.size() - 12));
  std::memcpy(bytes.data() + bytes.size() - 12, &checksum, sizeof(checksum));
  return bytes;
}

}  // namespace quadrille::tests
