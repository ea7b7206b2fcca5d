#include <doctest/doctest.h>

#include <random>
#include <string>

#include "formats/crc32c.h"

using namespace quadrille;

TEST_CASE("CRC-32C gives the published checksums") {
  std::string increasing;
  for (int i = 0; i < 32; ++i) increasing += static_cast<char>(i);
  const std::string decreasing(increasing.rbegin(), increasing.rend());
  for (const auto checksum : {crc32c, crc32c_by_tables}) {
    CHECK(checksum("", 0) == 0);
    CHECK(checksum("123456789", 0) == 0xe3069283);
    CHECK(checksum(std::string(32, '\0'), 0) == 0x8a9136aa);  // these four: RFC 3720, B.4
    CHECK(checksum(std::string(32, '\xff'), 0) == 0x62a8ab43);
    CHECK(checksum(increasing, 0) == 0x46dd794e);
    CHECK(checksum(decreasing, 0) == 0x113fdb5c);
  }
}

TEST_CASE("CRC-32C is the same by instruction, by tables and in pieces") {
  std::mt19937 random(1);
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    const std::size_t cut = random() % (bytes.size() + 1);
    const std::uint32_t whole = crc32c(bytes);
    CHECK(crc32c_by_tables(bytes) == whole);
    CHECK(crc32c(bytes.substr(cut), crc32c(bytes.substr(0, cut))) == whole);
    bytes += static_cast<char>(random());
  }
}
