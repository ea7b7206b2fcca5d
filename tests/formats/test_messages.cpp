// Tables in rounds: each form keeps which rows are one message, and refuses what is none.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "formats/table_io.h"
#include "tests/formats/written.h"
#include "tests/reference/random_rounds.h"
#include "tests/reference/random_tables.h"

namespace quadrille {
namespace {

using tests::written;

using MessageRows = std::vector<std::tuple<StepId, ChannelId, LaneId, ChunkId, MessageId>>;

MessageRows rows_of(const SendTable& table) {
  MessageRows rows;
  const auto cursor = table.rows->open();
  while (const auto step = cursor->next()) {
    for (std::size_t i = 0; i < step->rows.size(); ++i) {
      const Row& row = step->rows[i];
      rows.emplace_back(step->step, row.channel, row.lane, row.chunk,
                        step->messages.empty() ? MessageId{} : step->messages[i]);
    }
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

// What a reader says of the text.
std::string refusal(const std::string& text) {
  const Sources sources{{"table", text}};
  const auto table = read_table(sources[0], 0);
  return table ? "" : render(table.diagnostics(), sources).substr(0, 200);
}

const std::string rounds_head = "# quadrille-table 1\n# fabric: line:3,timing=rounds\n# collective: allgather\n";

TEST_CASE("messages are written and read alike in every form") {
  const std::uint64_t first = reference::first_seed();
  for (std::uint64_t seed = first; seed < first + 400; ++seed) {
    const SendTable table = reference::random_rounds_table(seed);
    const MessageRows rows = rows_of(table);
    for (const char* form : {"csv", "json", "binary"}) {
      CAPTURE(seed);
      CAPTURE(form);
      const std::string text = written(table, form);
      const auto back = read_table({"table", text}, 0);
      REQUIRE(back.ok());
      CHECK(rows_of(*back) == rows);
      CHECK((rows.empty() || back->rows->has_messages() == table.rows->has_messages()));
      CHECK((rows.empty() || written(*back, form) == text));
    }
  }
}

TEST_CASE("messages stand in tables in rounds only, in all rows or in none") {
  const std::string rounds_columns = "step,from,to,lane,origin,target,part,message\n";
  CHECK(refusal(rounds_head + rounds_columns + "1,0,1,0,0,*,0,0\n").empty());
  CHECK(refusal("# quadrille-table 1\n# fabric: line:3\n# collective: allgather\n" + rounds_columns)
            .find("messages are for a fabric with `timing=rounds`") != std::string::npos);
  CHECK(refusal(rounds_head + rounds_columns + "1,0,1,0,0,*,0\n").find("7 fields in this row; expected 8") !=
        std::string::npos);
  CHECK(refusal(rounds_head + rounds_columns + "1,0,1,0,0,*,0,4294967296\n").find("message 4294967296 is not") !=
        std::string::npos);
  CHECK(refusal(rounds_head + rounds_columns + "1,0,1,0,0,*,0,01\n").find("message `01` begins with a 0") !=
        std::string::npos);
  const std::string json =
      R"({"quadrille_table":1,"fabric":"line:3,timing=rounds","collective":"allgather","schedule":"","rows":[)";
  CHECK(refusal(json + R"([1,"0","1",0,0,"*",0,5],[1,"1","2",0,1,"*",0,6]]})").empty());
  CHECK(refusal(json + R"([1,"0","1",0,0,"*",0,5],[1,"1","2",0,1,"*",0]]})").find("row 2: 7 fields; expected 8") !=
        std::string::npos);
  CHECK(refusal(json + R"([1,"0","1",0,0,"*",0],[1,"1","2",0,1,"*",0,1]]})").find("row 2: 8 fields; expected 7") !=
        std::string::npos);
}

TEST_CASE("no bit of a binary table of messages can be changed unseen") {
  const SendTable table = reference::random_rounds_table(2);
  const std::string text = written(table, "binary");
  reference::Dice dice(reference::first_seed());
  for (int i = 0; i < 2000; ++i) {
    std::string damaged = text;
    damaged[dice.below(text.size())] ^= static_cast<char>(1U << dice.below(8));
    CHECK_FALSE(read_table({"table", damaged}, 0).ok());
  }
}

}  // namespace
}  // namespace quadrille
