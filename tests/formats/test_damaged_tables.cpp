// Damage: a table that is not what was written is refused, or is what its bytes say by the page.
#include <doctest/doctest.h>

#include <cstring>
#include <string>

#include "formats/crc32c.h"
#include "formats/table_io.h"
#include "tests/formats/written.h"
#include "tests/reference/random_tables.h"
#include "tests/reference/table_by_page.h"

using namespace quadrille;
using reference::page_table;
using reference::read_by_page;
using tests::sealed;
using tests::written;

namespace {

// A binary table of version 2 as version 1.
std::string version_1(std::string bytes) {
  bytes.replace(bytes.find('2'), 1, "1");
  bytes.replace(bytes.size() - 12, 4, 4, '\0');
  return bytes;
}

// A few rows of a random table, with what they say of words.
SendTable small_table(std::uint64_t seed) {
  SendTable table = reference::random_table(seed, true);
  std::vector<StoredRows::StepRow> rows;
  std::vector<ReductionUse> words;
  const auto cursor = table.rows->open();
  while (const auto step = cursor->next()) {
    for (std::size_t i = 0; i < step->rows.size() && rows.size() < 4; ++i) {
      rows.push_back({step->step, step->rows[i]});
      if (!step->uses.empty()) words.push_back(step->uses[i]);
    }
  }
  table.rows = std::make_shared<StoredRows>(std::move(rows), std::vector<MessageId>{}, words);
  return table;
}

// What version 1 can say.
SendTable small_table_without_words(std::uint64_t seed) {
  SendTable table = small_table(seed);
  table.rows = std::make_shared<StoredRows>(all_rows(table));
  return table;
}

// Whether the reader and the page agree on these bytes: both refuse, or both read the same.
bool agree(const std::string& bytes) {
  const auto read = read_table({"it", bytes}, 0);
  const auto by_page = read_by_page(bytes);
  return read ? by_page && page_table(*read) == *by_page : !by_page;
}

std::string flipped(std::string bytes, std::size_t bit) {
  bytes[bit / 8] = static_cast<char>(static_cast<unsigned char>(bytes[bit / 8]) ^ (1U << (bit % 8)));
  return bytes;
}

}  // namespace

TEST_CASE("a binary table with any bit flipped is refused") {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const std::string bytes = written(small_table(seed), "binary");
    REQUIRE(read_table({"it", bytes}, 0).ok());
    for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
      CAPTURE(bit);
      REQUIRE_FALSE(read_table({"it", flipped(bytes, bit)}, 0).ok());
    }
  }
}

TEST_CASE(
    "a binary table with any bit flipped, and the checksum that its bytes have, is refused or says what they say") {
  std::size_t worded = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const SendTable table = small_table(seed);
    worded += table.rows->has_partial_reductions() ? 1 : 0;
    const std::string bytes = written(table, "binary");
    for (std::size_t bit = bytes.find("# end") * 8; bit < bytes.size() * 8; ++bit) {
      CAPTURE(seed);
      CAPTURE(bit);
      REQUIRE(agree(sealed(flipped(bytes, bit))));
    }
  }
  CHECK(worded > 2);
}

TEST_CASE("a binary table of version 1 with any bit flipped is refused, or says what its bytes say") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const std::string bytes = version_1(written(small_table_without_words(seed), "binary"));
    REQUIRE(read_table({"it", bytes}, 0).ok());
    for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
      CAPTURE(seed);
      CAPTURE(bit);
      REQUIRE(agree(flipped(bytes, bit)));
    }
  }
}

TEST_CASE("a row with a bit above channel, lane and packet is refused, with its byte") {
  const std::string bytes = written(small_table_without_words(1), "binary");
  const std::size_t rows = bytes.find("# end");
  const std::size_t first = bytes.find('\n', rows) + 1;
  for (const bool old : {false, true}) {
    const std::string damaged = flipped(old ? version_1(bytes) : bytes, first * 8 + 63);
    const auto read = read_table({"it", old ? damaged : sealed(damaged)}, 0);
    REQUIRE_FALSE(read.ok());
    CHECK(read.diagnostics().front().message ==
          "it: byte " + std::to_string(first) + ": bits above channel, lane and packet are not 0");
  }
}

TEST_CASE("what the page demands of a binary table's ends is demanded") {
  const std::string bytes = written(small_table_without_words(2), "binary");
  REQUIRE(read_table({"it", bytes}, 0).ok());
  const std::size_t end = bytes.find("# end");
  for (const std::string other : {"# end(", "# endi", "# end\r", "# end\t"}) {
    std::string changed = bytes;
    if (changed[end + 5] != ' ') continue;
    changed.replace(end, 6, other);
    CHECK_FALSE(read_table({"it", sealed(changed)}, 0).ok());
    CHECK_FALSE(read_table({"it", version_1(changed)}, 0).ok());
  }
  for (std::size_t byte = 16; byte < 20; ++byte) {  // the widths, and the byte that is 0
    std::string changed = bytes;
    ++changed[bytes.size() - 32 + byte];
    CAPTURE(byte);
    CHECK_FALSE(read_table({"it", sealed(changed)}, 0).ok());
    CHECK_FALSE(read_table({"it", version_1(changed)}, 0).ok());
  }
}

TEST_CASE("a mutated table is refused, or is what the page says") {
  const std::string inserted = "0123456789,+-.*#\"{}[]: \n\r\t\x80x";
  int read_all_the_same = 0;
  for (std::uint64_t seed = reference::first_seed(); seed < reference::first_seed() + 3000; ++seed) {
    reference::Dice dice(seed);
    const char* form = dice.pick(std::vector<const char*>{"csv", "json", "binary", "binary"});
    const bool binary = form == std::string("binary");
    const bool old = binary && dice.one_in(2);
    std::string text = written(old ? small_table_without_words(1 + seed % 50) : small_table(1 + seed % 50), form);
    if (old) text = version_1(text);
    for (std::uint32_t changes = dice.from_to(1, 2); changes > 0; --changes) {
      const std::size_t at = dice.below(text.size());
      switch (dice.below(binary ? 2 : 6)) {
        case 0:
          text = flipped(text, at * 8 + dice.below(8));
          break;
        case 1:
          text[at] = inserted[dice.below(inserted.size())];
          break;
        case 2:
          text.erase(at, 1);
          break;
        case 3: {
          const char c = inserted[dice.below(inserted.size())];
          const bool in_head = text[0] == '#' ? at < text.find("\nstep,") : at < text.find("\"rows\"");
          if (!in_head || c < '0' || c > '9') text.insert(at, 1, c);  // no fabrics of millions
          break;
        }
        case 4:
          text.insert(at, text.substr(text.rfind('\n', at) + 1, text.find('\n', at) - text.rfind('\n', at)));
          break;
        default: {
          const std::size_t line = text.rfind('\n', at) + 1;
          text.insert(line, text.substr(line, text.find('\n', at) - line + 1));
        }
      }
    }
    if (binary && dice.one_in(2) && text.starts_with("# quadrille-table 2")) text = sealed(text);
    CAPTURE(seed);
    CAPTURE(text);
    REQUIRE(agree(text));
    read_all_the_same += read_table({"it", text}, 0).ok() ? 1 : 0;
  }
  CHECK(read_all_the_same > 100);
}

TEST_CASE("readers refuse a second key, needless zeros, signs, and lines that are no comments") {
  const auto refuses = [](const std::string& text) { return !read_table({"it", text}, 0).ok() && !read_by_page(text); };
  const std::string head = "# quadrille-table 1\n# fabric: ring:4\n# collective: gather:root=0\n";
  const std::string columns = "step,from,to,lane,origin,target,part\n";
  CHECK_FALSE(refuses(head + columns + "1,1,0,0,1,0,0\n"));
  for (const std::string row :
       {"01,1,0,0,1,0,0", "+1,1,0,0,1,0,0", "1,01,0,0,1,0,0", "1,1,00,0,1,0,0", "1,1,0,00,1,0,0", "1,1,0,-0,1,0,0",
        "1,1,0,0,01,0,0", "1,1,0,0,1,00,0", "1,1,0,0,1,0,-0", "1,1,0,0,1,0,00"}) {
    CAPTURE(row);
    CHECK(refuses(head + columns + row + "\n"));
  }
  CHECK_FALSE(refuses(head + "# end(\n# endless\n" + columns));  // in CSV, comments
  CHECK(refuses(head + "# \xC3(\n" + columns));
  const auto json = [](const std::string& more) {
    return R"({"quadrille_table":1,"fabric":"ring:4","collective":"gather","rows":[])" + more + "}";
  };
  CHECK_FALSE(refuses(json("")));
  CHECK(refuses(json(R"(,"quadrille_table":1)")));
  CHECK(refuses(json(R"(,"note":1,"note":2)")));
  CHECK(refuses(json(R"(,"rows":[])")));
}
