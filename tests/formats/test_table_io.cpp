// The three forms of a send table: what is written, that it is read again, and what is said about faulty files.
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "formats/crc32c.h"
#include "formats/table_io.h"
#include "model/fabric_notation.h"
#include "tests/formats/written.h"

using namespace quadrille;
using tests::sealed;
using tests::written;

namespace {

using StepRow = StoredRows::StepRow;
constexpr const char* forms[] = {"csv", "json", "binary"};

SendTable table(const char* fabric, const char* collective, std::vector<StepRow> rows) {
  const auto on = parse_fabric({"on", fabric}, 0);
  REQUIRE(on.ok());
  const auto what = parse_collective({"collective", collective}, 0, on->processors());
  REQUIRE(what.ok());
  return {*on, *what, "made up L=2", {}, std::make_shared<StoredRows>(std::move(rows))};
}

Row hop(const SendTable& in, const char* from, const char* to, std::uint32_t lane, ChunkName name) {
  const auto channel = in.fabric.channel_between(*in.fabric.node_named(from), *in.fabric.node_named(to));
  return {channel.value(), LaneId(lane), in.collective.chunk(name).value()};
}

// Two hops of a total exchange, given in the wrong order.
SendTable small_table() {
  auto it = table("fat_tree:levels=2", "total_exchange", {});
  const Row first = hop(it, "0", "1.0", 0, {0, 1, 0});
  const Row second = hop(it, "1.0", "1", 0, {0, 1, 0});
  it.rows = std::make_shared<StoredRows>(std::vector<StepRow>{{StepId(2), second}, {StepId(1), first}});
  return it;
}

bool same(const SendTable& a, const SendTable& b) {
  return a.fabric.notation() == b.fabric.notation() && a.collective.notation() == b.collective.notation() &&
         a.schedule == b.schedule && all_rows(a) == all_rows(b);
}

const std::string head =
    "# quadrille-table 1\n# fabric: fat_tree:levels=2,capacity=constant\n# collective: total_exchange\n"
    "# schedule: made up L=2\n";
const std::string columns = "step,from,to,lane,origin,target,part\n";

// "line:column message" of every fault in the text.
std::vector<std::string> faults_in(const std::string& text) {
  const auto result = read_table({"it", text}, 0);
  std::vector<std::string> lines;
  if (result.ok()) return lines;
  for (const auto& fault : result.diagnostics()) {
    const auto place = position_of(text, fault.span.begin);
    const std::string at = std::to_string(place.line) + ":" + std::to_string(place.column) + " ";
    lines.push_back((fault.span.known() ? at : "") + fault.message);
  }
  return lines;
}

std::string fault_in(const std::string& text) {
  const auto faults = faults_in(text);
  return faults.empty() ? "none" : faults.front();
}

std::string json(const std::string& rows) {
  return R"({"quadrille_table":1,"fabric":"fat_tree:levels=2","collective":"total_exchange","schedule":"s","rows":[)" +
         rows + "]}";
}

template <class T>
void overwrite(std::string& bytes, std::size_t at, T value) {
  REQUIRE(at + sizeof(T) <= bytes.size());
  std::memcpy(bytes.data() + at, &value, sizeof(T));
}

}  // namespace

TEST_CASE("CSV is exactly this") {
  CHECK(written(small_table(), "csv") == head + columns + "1,0,1.0,0,0,1,0\n2,1.0,1,0,0,1,0\n");
}

TEST_CASE("JSON is exactly this") {
  CHECK(written(small_table(), "json") ==
        "{\"quadrille_table\":1,\"fabric\":\"fat_tree:levels=2,capacity=constant\",\"collective\":\"total_exchange\","
        "\"schedule\":\"made up L=2\",\"rows\":[\n"
        "[1,\"0\",\"1.0\",0,0,1,0],\n[2,\"1.0\",\"1\",0,0,1,0]\n]}\n");
}

TEST_CASE("binary is exactly this") {
  const auto bytes = written(small_table(), "binary");
  const std::string text =
      "# quadrille-table 2 binary\n# fabric: fat_tree:levels=2,capacity=constant\n# collective: total_exchange\n"
      "# schedule: made up L=2\n# end";
  REQUIRE(bytes.starts_with(text));
  const std::size_t rows = (text.size() / 16 + 1) * 16;
  CHECK(bytes[rows - 1] == '\n');
  REQUIRE(bytes.size() == rows + 2 * 8 + 2 * 16 + 32);
  std::uint64_t row = 0;
  std::memcpy(&row, bytes.data() + rows, 8);
  const auto channel = small_table().fabric.channel_between(NodeId(0), NodeId(4));
  CHECK(row == (std::uint64_t{channel->value} << 5 | 0 << 4 | 1));  // 12 channels, one lane, 16 packets
  CHECK(bytes.substr(rows + 16, 16) == std::string("\1\0\0\0\x8\0\0\0\1\0\0\0\0\0\0\0", 16));
  CHECK(bytes.substr(rows + 48, 20) == std::string("\2\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\4\1\4\0", 20));
  CHECK(bytes == sealed(bytes));
  CHECK(bytes.ends_with("qd-table"));
}

TEST_CASE("a chunk for everyone has the target *") {
  auto it = table("fat_tree:levels=1", "broadcast:root=1,parts=3", {});
  const Row first = hop(it, "1", "1.0", 0, {1, {}, 2});
  it.rows = std::make_shared<StoredRows>(std::vector<StepRow>{{StepId(1), first}});
  CHECK(written(it, "csv").ends_with("\n1,1,1.0,0,1,*,2\n"));
  CHECK(written(it, "json").ends_with("[\n[1,\"1\",\"1.0\",0,1,\"*\",2]\n]}\n"));
}

TEST_CASE("tables without rows are tables") {
  const auto it = table("fat_tree:levels=1", "broadcast:root=0", {});
  for (const auto form : forms) {
    const auto text = written(it, form);
    const auto again = read_table({"it", text}, 0);
    REQUIRE(again.ok());
    CHECK(same(it, *again));
    CHECK(again->rows->row_count() == 0);
    CHECK(again->rows->last_step() == StepId(0));
  }
}

TEST_CASE("what is written is read again, in every form, lanes out of range included") {
  CHECK(rc::check([] {
    const auto fabric = *rc::gen::element("fat_tree:levels=3,capacity=exponential", "ring:8", "complete:8", "star:8");
    const auto collective = *rc::gen::element("total_exchange:parts=3", "broadcast:root=2", "allgather", "scan:parts=2",
                                              "custom:{\"chunks\":[{\"origin\":3},{\"origin\":1,\"target\":2}]}");
    auto it = table(fabric, collective, {});
    std::vector<StepRow> rows;
    const auto count = *rc::gen::inRange(0, 400);
    for (int i = 0; i < count; ++i) {
      const ChunkId chunk(*rc::gen::inRange<std::uint64_t>(0, it.collective.chunk_ids()));
      const auto lane = *rc::gen::weightedElement<std::uint32_t>({{400, 0}, {30, 1}, {1, 5}, {1, 0xffffffff}});
      const ChannelId channel(*rc::gen::inRange(0U, it.fabric.channels()));
      const StepId step(*rc::gen::weightedElement<std::uint32_t>({{50, 1}, {9, 2}, {1, 70}, {1, max_step}}));
      if (it.collective.has(chunk)) rows.push_back({step, {channel, LaneId(lane), chunk}});
    }
    it.rows = std::make_shared<StoredRows>(rows);
    for (const auto form : forms) {
      const auto text = written(it, form);
      RC_ASSERT(recognise_format(standard_formats(), text.substr(0, 30))->name == form);
      const auto again = read_table({"it", text}, 0);
      RC_ASSERT(again.ok());
      RC_ASSERT(same(it, *again));
      RC_ASSERT(written(*again, form) == text);
      RC_ASSERT(again->rows->row_count() == rows.size());
      RC_ASSERT(again->rows->last_step() == it.rows->last_step());
    }
  }));
}

TEST_CASE("readers of CSV take other line ends, comments and orders") {
  const auto plain = read_table({"it", head + columns + "1,0,1.0,0,0,1,0\n2,1.0,1,0,0,1,0\n"}, 0);
  REQUIRE(plain.ok());
  const std::string variants[] = {
      head + columns + "2,1.0,1,0,0,1,0\n1,0,1.0,0,0,1,0",
      head + "# made by hand\n" + columns + "1,0,1.0,0,0,1,0\n2,1.0,1,0,0,1,0\n",
      "# quadrille-table 1\r\n#\r\n# schedule: made up L=2\r\n# collective: alltoall\r\n# fabric: fat_tree:levels=2\r\n"
      "step,from,to,lane,origin,target,part\r\n1,0,1.0,0,0,1,0\r\n2,1.0,1,0,0,1,0\r\n"};
  for (const auto& text : variants) {
    const auto result = read_table({"it", text}, 0);
    REQUIRE(result.ok());
    CHECK(same(*plain, *result));
  }
}

TEST_CASE("what is meant for a table and is none is told from a schedule") {
  for (const std::string text :
       {"{}", " [1]", "# my table\n", "step,from,to,lane,origin,target,part\n", "\xEF\xBB\xBF# quadrille-table 1\n"}) {
    CHECK(is_table(text));
    CHECK_FALSE(read_table({"it", text}, 0).ok());
  }
  for (const std::string text : {"", "\n", "// comment", "fabric ring(4)", "step(1)",
                                 "\xEF\xBB\xBF"
                                 "at 1: f()"}) {
    CHECK_FALSE(is_table(text));
  }
  CHECK(fault_in("{}") == "1:1 the table has no \"quadrille_table\": 1");
  CHECK(fault_in("step,from,to,lane,origin,target,part\n") ==
        "1:1 this is not a send table: the first line of one is `# quadrille-table 1`");
  CHECK(fault_in("\xEF\xBB\xBF# quadrille-table 1\n") ==
        "1:1 a byte order mark stands before the table; save it as UTF-8 without one");
}

TEST_CASE("a fabric and a collective that are long are written in lines, and read from them") {
  std::string graph = "graph:{\"name\":\"big\",\"processors\":40,\"links\":[";
  for (int i = 1; i < 40; ++i) graph += (i > 1 ? ",[0," : "[0,") + std::to_string(i) + "]";
  const std::string notation = graph + "]},timing=rounds,ports=single";
  std::string chunks = "custom:{\"chunks\":[";
  for (int i = 1; i < 40; ++i) chunks += (i > 1 ? "," : "") + ("{\"origin\":0,\"target\":" + std::to_string(i)) + "}";
  auto it = table(notation.c_str(), (chunks + "]}").c_str(), {});
  it.rows = std::make_shared<StoredRows>(std::vector<StepRow>{{StepId(1), hop(it, "0", "7", 0, {0, 7, 0})}});
  for (const char* form : forms) {
    CAPTURE(form);
    const std::string text = written(it, form);
    const auto again = read_table({"it", text}, 0);
    REQUIRE(again.ok());
    CHECK(same(it, *again));
    if (form == std::string("json")) CHECK(text.find("\"fabric\":{\"graph\":{") != text.npos);
    std::istringstream lines(text.substr(0, text.find(form == std::string("binary") ? "# end" : "\"rows\"")));
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
      const bool custom = form == std::string("json") && line.find("custom:") != line.npos;
      CHECK((line.size() <= 150 || custom));
    }
    CHECK(count > 5);
  }
}

TEST_CASE("a product with a graph is written in JSON as a list of its factors") {
  for (const char* fabric :
       {"product(graph:{\"name\":\"a (b,c\",\"processors\":2,\"links\":[[0,1,3]]},torus:2x3,capacity=2),ports=single",
        "product(ring:3,product(graph:{\"processors\":2,\"links\":[[0,1]]},ring:2)),timing=rounds"}) {
    CAPTURE(fabric);
    auto it = table(fabric, "allgather", {});
    it.rows = std::make_shared<StoredRows>(std::vector<StepRow>{});
    const std::string text = written(it, "json");
    CHECK(text.find("\"fabric\":{\"product\":[") != text.npos);
    CHECK(text.find("\"graph\":{\"") != text.npos);
    const auto again = read_table({"it", text}, 0);
    REQUIRE(again.ok());
    CHECK(again->fabric == it.fabric);
    CHECK(again->fabric.notation() == it.fabric.notation());
  }
}

TEST_CASE("a line goes on only behind one that it can go on with, and an object is a fabric only with a graph") {
  const std::string first = "# quadrille-table 1\n";
  const std::string ring = "# fabric: graph:{\"processors\":2,\n#| \"links\":[[0,\n#| 1]]}\n";
  CHECK(read_table({"it", first + ring + "# collective: allgather\n" + columns}, 0).ok());
  CHECK(read_table({"it", first + "#| of no use\n# fabric: ring:4\n# a note\n#| of no use\n# collective: allgather\n" +
                              columns},
                   0)
            .ok());
  CHECK_FALSE(read_table({"it", first + "# fabric: ring:4\n#| 5\n#| x\n# collective: allgather\n" + columns}, 0).ok());
  const auto fault = [](const std::string& fabric) {
    return fault_in("{\"quadrille_table\":1,\"fabric\":" + fabric + ",\"collective\":\"allgather\",\"rows\":[]}");
  };
  CHECK(fault(R"({"graph":{"processors":2,"links":[[0,1]]}})") == "none");
  CHECK(fault(R"({"timing":"rounds","graph":{"processors":2,"links":[[0,1]]}})") == "none");
  CHECK(fault("{}") == "1:31 \"fabric\" is an object without a \"graph\" or a \"product\", or a rule is no text");
  CHECK(fault(R"({"graph":{"processors":2,"links":[[0,1]]},"queue":3})").starts_with("1:31 \"fabric\" is an object"));
  CHECK(fault(R"({"graph":{"processors":2,"links":[[0,5]]}})") != "none");
  const std::string pair = R"({"graph":{"processors":2,"links":[[0,1]]}})";
  CHECK(fault("{\"product\":[" + pair + ",\"ring:4,capacity=2\"],\"ports\":\"single\"}") == "none");
  CHECK(fault("{\"product\":[{\"product\":[" + pair + "," + pair + "]},\"ring:4\"]}") == "none");
  const std::string nested = std::string(100'000, '[') + std::string(100'000, ']');
  std::string deep = pair;
  for (int i = 0; i < 40; ++i) deep = "{\"product\":[" + deep + ",\"ring:1\"]}";
  const std::string with_rules =
      R"({"product":[{"graph":{"processors":2,"links":[[0,1]]},"ports":"single"},"ring:4"]})";
  for (const std::string& wrong : {std::string(R"({"product":"ring:4"})"), std::string(R"({"product":[3,"ring:4"]})"),
                                   "{\"product\":" + nested + "}", deep, with_rules,
                                   std::string(R"({"product":["ring:4","ring:4"],"graph":{}})")}) {
    CHECK(fault(wrong).starts_with("1:31 \"fabric\" is an object"));
  }
  CHECK(fault(R"({"graph":{"processors":2,"links":[[0,1]]},"port":"single"})") != "none");
}

TEST_CASE("faults in a CSV head") {
  CHECK(fault_in("") ==
        "1:1 this is not a send table: one begins with `# quadrille-table 1` or is a JSON object with "
        "\"quadrille_table\"");
  CHECK(fault_in("# quadrille-table 2\n") == "1:3 quadrille-table 2; this program reads version 1");
  CHECK(fault_in("# quadrille-table 1 binary or so\n").starts_with("1:3 quadrille-table 1 binary or so; this"));
  CHECK(fault_in("# quadrille-table 1\n" + columns) ==
        "2:1 the table names no fabric: a line `# fabric: …` in the head is missing");
  CHECK(faults_in("# quadrille-table 1\n" + columns).size() == 2);
  CHECK(fault_in(head + "# fabric: ring:4\n" + columns) == "5:11 a second line `# fabric:`");
  CHECK(fault_in("# quadrille-table 1\n# fabric: ring:4\n# collective: gather:rot=1\n" + columns) ==
        "3:22 gather has no argument `rot`; did you mean `root`?");
  CHECK(fault_in("# quadrille-table 1\n# fabric: rink:4\n# collective: gather\n" + columns).starts_with("2:11 "));
  CHECK(fault_in(head) == "5:1 the header line is ``; expected `step,from,to,lane,origin,target,part`");
  CHECK(fault_in(head + "step,from\n") ==
        "5:1 the header line is `step,from`; expected `step,from,to,lane,origin,target,part`");
}

TEST_CASE("faults in CSV rows") {
  const auto fault = [](const std::string& row) { return fault_in(head + columns + "1,0,1.0,0,0,1,0\n" + row + "\n"); };
  CHECK(fault("1,0,1.0,0,0,1") == "7:1 6 fields in this row; expected 7: step,from,to,lane,origin,target,part");
  CHECK(fault("") == "7:1 1 field in this row; expected 7: step,from,to,lane,origin,target,part");
  CHECK(fault("x,0,1.0,0,0,1,0") == "7:1 step `x` is not a number");
  CHECK(fault("-1,0,1.0,0,0,1,0") == "7:1 step `-1` is not a number");
  CHECK(fault("0,0,1.0,0,0,1,0") == "7:1 step 0: steps are numbered from 1");
  CHECK(fault("2147483648,0,1.0,0,0,1,0") == "7:1 step 2147483648: the last possible one is 2147483647");
  CHECK(fault("99999999999999999999,0,1.0,0,0,1,0") == "7:1 step `99999999999999999999` is too large a number");
  CHECK(fault("1,9,1.0,0,0,1,0") == "7:3 the fabric has no node `9`");
  CHECK(fault("1,0,,0,0,1,0") == "7:5 the fabric has no node ``");
  CHECK(fault("1,0,3,0,0,1,0") == "7:3 the fabric has no channel from 0 to 3");
  CHECK(fault("1,0,1.0,4294967296,0,1,0") == "7:9 lane 4294967296 is not a 32-bit number");
  CHECK(fault("1,0,1.0,0,0,0,0") == "7:11 the collective has no packet 0->0 part 0");
  CHECK(fault("1,0,1.0,0,0,*,0") == "7:11 the collective has no packet 0->* part 0");
  CHECK(fault("1,0,1.0,0,4294967296,1,0") == "7:11 the collective has no packet 4294967296->1 part 0");
  CHECK(fault("1,0,1.0,0,0,1,1") == "7:11 the collective has no packet 0->1 part 1");
  CHECK(fault("1,0,1.0,4294967295,0,1,0") == "none");
}

TEST_CASE("a fault's span is its field") {
  const std::string text = head + columns + "1,0,3,0,0,1,0\n";
  const auto result = read_table({"it", text}, 3);
  REQUIRE(!result.ok());
  const Span span = result.diagnostics().front().span;
  CHECK(span.source == 3);
  CHECK(text.substr(span.begin, span.end - span.begin) == "0,3");
}

TEST_CASE("at most twenty faults are told") {
  std::string text = head + columns;
  for (int i = 0; i < 100; ++i) text += "nothing\n";
  CHECK(faults_in(text).size() == 20);
  std::string rows = "1";
  for (int i = 0; i < 100; ++i) rows += ",1";
  CHECK(faults_in(json(rows)).size() == 20);
}

TEST_CASE("readers of JSON take the keys in any order, and others") {
  const auto plain = read_table({"it", json(R"([1,"0","1.0",0,0,1,0])")}, 0);
  REQUIRE(plain.ok());
  const std::string variants[] = {
      R"({"rows":[[1,"0","1.0",0,0,1,0]],"schedule":"s","collective":"total_exchange","fabric":"fat_tree:levels=2","quadrille_table":1})",
      "{\n  \"note\": {\"a\": [[[]]], \"rows\": [1]},\n  \"collective\": \"alltoall\", \"fabric\": "
      "\"fat_tree:levels=2\",\n"
      "  \"schedule\": \"\\u0073\",\n  \"rows\": [ [1, \"0\", \"1.0\", 0, 0, 1, 0] ],\n  \"quadrille_table\": 1 }"};
  for (const auto& text : variants) {
    const auto result = read_table({"it", text}, 0);
    CHECK(faults_in(text) == std::vector<std::string>{});
    REQUIRE(result.ok());
    CHECK(same(*plain, *result));
  }
}

TEST_CASE("faults in JSON") {
  CHECK(fault_in(R"({"quadrille_table":2})").ends_with("quadrille-table 2; this program reads version 1"));
  CHECK(fault_in(R"({"quadrille_table":1})") == "1:1 the table names no fabric: \"fabric\" is missing");
  CHECK(fault_in(R"({"quadrille_table":1,"fabric":"ring:4","collective":"gather:rot=1","rows":[]})") ==
        "1:61 gather has no argument `rot`; did you mean `root`?");
  CHECK(fault_in(R"({"quadrille_table":1,"fabric":"ring:4","collective":"gather"})") ==
        "1:1 the table has no \"rows\"");
  CHECK(fault_in(R"({"quadrille_table":1,"fabric":4})").ends_with("\"fabric\" is not a text in quotes"));
  CHECK(fault_in(R"({"quadrille_table":1,"rows":4})").ends_with("\"rows\" is not a list of rows"));
  CHECK(fault_in(R"({"quadrille_table":1,"rows":{}})").ends_with("\"rows\" is not a list of rows"));
  CHECK(fault_in(json("[1]")) == "1:104 row 1: 1 field; expected 7: step, from, to, lane, origin, target, part");
  CHECK(fault_in(json(R"([1,"0","1.0",0,0,1,0],[1,0,"1.0",0,0,1,0])")) ==
        "1:126 row 2: \"from\" is not a node's name in quotes");
  CHECK(fault_in(json(R"([1,"0","1.0",0,0,"1",0])")) ==
        "1:104 row 1: \"target\" is not a processor's number, nor \"*\" for everyone");
  CHECK(fault_in(json(R"([1,"0","1.0",0.5,0,1,0])")) == "1:104 row 1: \"lane\" is not a whole number below 2^64");
  CHECK(fault_in(json(R"([1,"0","1.0",-1,0,1,0])")) == "1:104 row 1: \"lane\" is not a whole number below 2^64");
  CHECK(fault_in(json(R"([0,"0","1.0",0,0,1,0])")) == "1:104 row 1: step 0: steps are numbered from 1");
  CHECK(fault_in(json("[[]]")) == "1:104 row 1: a field is a number or a text");
  CHECK(fault_in(json("],\"rows\":[")).ends_with("a second \"rows\""));
  CHECK(fault_in(json("],\"fabric\":\"ring:4\",\"x\":[")).ends_with("a second \"fabric\""));
  CHECK(fault_in(json("],\"schedule\":\"t\",\"x\":[")).ends_with("a second \"schedule\""));
  CHECK(fault_in(json("7")).ends_with("row 1: a row is a list"));
  CHECK(fault_in(json("{}")).ends_with("row 1: a row is a list"));
  CHECK(fault_in(json("[1,]")) == "1:107 byte 106: not correct JSON here");
  CHECK(fault_in(json("").substr(0, 60)).ends_with("the JSON text ends too early"));
}

TEST_CASE("deep nesting does no harm") {
  const std::string deep(1000000, '[');
  CHECK(fault_in("{\"quadrille_table\":1,\"x\":" + deep).ends_with("the JSON text ends too early"));
  CHECK(fault_in(json(deep)).ends_with("a field is a number or a text"));
  CHECK(fault_in("# quadrille-table 1\n# fabric: ring:4\n# collective: custom:" + deep + "\n" + columns)
            .ends_with("not correct JSON here"));
  const std::string closed = deep + std::string(deep.size(), ']');
  CHECK(fault_in("# quadrille-table 1\n# fabric: ring:4\n# collective: custom:" + closed + "\n" + columns)
            .ends_with("a custom collective is written {\"chunks\":[…]}"));
}

TEST_CASE("faults in binary tables are told with their byte") {
  const auto good = written(small_table(), "binary");
  const std::size_t rows = good.size() - 32 - 2 * 16 - 2 * 8;
  const std::size_t index = rows + 16;
  const std::size_t closing = index + 32;
  const auto fault = [&good](std::size_t at, auto value) {
    auto bytes = good;
    overwrite(bytes, at, value);
    return fault_in(sealed(bytes));
  };
  const auto said = [](std::size_t at, const std::string& message) {
    return "it: byte " + std::to_string(at) + ": " + message;
  };
  CHECK(fault_in(good) == "none");
  CHECK(fault_in(good.substr(0, 60)) == "it: the head has no last line `# end`: the file has been cut short");
  CHECK(fault(rows, std::uint64_t{12} << 5) == said(rows, "channel 12: the fabric has 12"));
  CHECK(fault(rows + 8, std::uint64_t{5}) == said(rows + 8, "packet 5 is not one of the collective's"));
  CHECK(fault(index, std::uint32_t{0}) == said(index, "step 0 after step 0: steps increase, up to 2147483647"));
  CHECK(fault(index + 16, std::uint32_t{1}) ==
        said(index + 16, "step 1 after step 1: steps increase, up to 2147483647"));
  CHECK(fault(index + 4, std::uint32_t{9}) == said(index + 4, "rows of 9 bytes; expected 8 or 16"));
  CHECK(fault(index + 8, std::uint64_t{3}) == said(index + 8, "3 rows in step 1, with 16 bytes left"));
  CHECK(fault(index + 8, ~std::uint64_t{0}) ==
        said(index + 8, "18446744073709551615 rows in step 1, with 16 bytes left"));
  CHECK(fault(closing, std::uint64_t{7}) == said(closing, "7 rows, but the steps have 2"));
  CHECK(fault(closing + 8, std::uint64_t{1}).ends_with("bytes left") == false);
  CHECK(fault(closing + 8, std::uint64_t{99}) == said(closing + 8, "99 steps, but room for 3"));
  CHECK(fault(closing + 16, std::uint8_t{0}) ==
        said(closing + 16, "widths of 0, 1 and 4 bits; this fabric and collective have 4, 1 and 4"));
  auto damaged = good;
  overwrite(damaged, rows, std::uint8_t{0xff});
  CHECK(fault_in(damaged) == said(closing + 20,
                                  "the checksum is another than that of the bytes before it: the file is "
                                  "damaged"));
}

TEST_CASE("a binary table that is cut short anywhere is refused") {
  const auto good = written(small_table(), "binary");
  for (std::size_t size = 0; size < good.size(); ++size) CHECK(fault_in(good.substr(0, size)) != "none");
  CHECK(fault_in(good.substr(0, good.size() - 8)) ==
        "it: byte " + std::to_string(good.size() - 8) +
            ": the file ends without the closing record of a table: it has been cut short");
}

TEST_CASE("a sink that refuses stops the writing") {
  std::vector<StepRow> rows;
  const auto it = small_table();
  for (std::uint32_t i = 0; i < 200000; ++i) rows.push_back({StepId(1 + i / 10), all_rows(it)[0].row});
  const SendTable large{it.fabric, it.collective, "", {}, std::make_shared<StoredRows>(rows)};
  for (const auto form : forms) {
    int calls = 0;
    CHECK_FALSE(write_table(large, form, [&calls](std::string_view) { return ++calls < 2; }));
    CHECK(calls == 2);
  }
}

TEST_CASE("files: each form is recognised and read, and the sources keep the text") {
  const auto path = (std::filesystem::temp_directory_path() / "quadrille_test_table_io").string();
  for (const auto form : forms) {
    const auto text = written(small_table(), form);
    std::ofstream(path, std::ios::binary) << text;
    Sources sources = {{"before", ""}};
    const auto loaded = load_table(path, sources);
    REQUIRE(loaded.ok());
    CHECK(same(small_table(), *loaded));
    REQUIRE(sources.size() == 2);
    CHECK(sources[1].name == path);
    CHECK(text.starts_with(sources[1].text));
  }
  std::remove(path.c_str());
  Sources sources;
  const auto missing = load_table(path, sources);
  REQUIRE(!missing.ok());
  CHECK(missing.diagnostics().front().message == "cannot read " + path + ": No such file or directory");
}
