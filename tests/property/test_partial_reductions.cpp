// Words by hand: the examples of model/MODEL.md, judged by the checker, the simulator and the reference, as CSV has
// them.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include "formats/crc32c.h"
#include "formats/table_io.h"
#include "tests/reference/agreement.h"
#include "tests/reference/random_rounds.h"
#include "tests/reference/random_tables.h"
#include "tests/reference/reference_check.h"
#include "verifier/check.h"

namespace quadrille {
namespace {

constexpr const char* header = "step,from,to,lane,origin,target,part,words,arrival\n";

Result<SendTable> read(const std::string& text) { return read_table({"table.csv", text}, 0, {}); }

SendTable table(const std::string& collective, const std::string& rows, const std::string& fabric = "complete:3") {
  const auto read_one = read(fmt::format("# quadrille-table 1\n# fabric: {}\n# collective: {}\n# schedule: words\n{}{}",
                                         fabric, collective, header, rows));
  REQUIRE_MESSAGE(read_one.ok(), read_one.diagnostics().front().message);
  return *read_one;
}

// The report, once all have said the same.
Report judged(const SendTable& table) {
  const std::string differences = reference::disagreement(table);
  CHECK_MESSAGE(differences.empty(), differences);
  return check(table);
}

std::string first(const Report& report) { return report.violations.empty() ? "" : report.violations.front().message; }

std::string fault_of(const std::string& rows, const std::string& collective = "allreduce") {
  const auto result =
      read(fmt::format("# quadrille-table 1\n# fabric: complete:3\n# collective: {}\n{}{}", collective, header, rows));
  return result ? "" : result.diagnostics().front().message;
}

}  // namespace

TEST_CASE("an exclusive prefix chains what was kept with the own contribution") {
  CHECK(judged(table("exclusive_prefix", "1,0,1,0,0,1,0,,keep\n2,1,2,0,1,2,0,1+0,keep\n")).verdict == Verdict::holds);
  const Report twice =
      judged(table("exclusive_prefix", "1,0,1,0,0,1,0,,keep\n1,1,2,0,1,2,0,,keep\n2,1,2,0,1,2,0,1+0,keep\n"));
  CHECK(twice.of(Property::complete).violations == 1);
  CHECK(first(twice) == "processor 2 ends with the contributions {2}, {1}, {0-1} of value 0, but 0-1 are wanted");
  const Report joined = judged(table("exclusive_prefix", "1,0,1,0,0,1,0,,keep\n2,1,2,0,1,2,0,1+0,combine\n"));
  CHECK(joined.of(Property::complete).violations == 1);
  const Report missing = judged(table("exclusive_prefix", "1,0,1,0,0,1,0,,keep\n2,1,2,0,1,2,0,1+2+0,keep\n"));
  CHECK(missing.of(Property::causal).violations == 1);
  CHECK(first(missing) == "1->2 is not at processor 1 when step 2 begins: it has no word 2");
  // In a chain of an ordered operation no word leaves a gap.
  const Report gap = judged(table("prefix", "1,0,2,0,0,2,0,,keep\n2,2,1,0,2,1,0,1+0,keep\n"));
  CHECK(first(gap) ==
        "2->1 leaves processor 2 in step 2 with words of value 0 that leave a gap, in an ordered operation");
}

TEST_CASE("arrivals that are stored or combined are what they say") {
  CHECK(judged(table("reduce:root=0", "1,1,0,0,1,0,0,,combine\n2,2,0,0,2,0,0,,combine\n")).verdict == Verdict::holds);
  const Report stored = judged(table("reduce:root=0", "1,1,0,0,1,0,0,,combine\n2,2,0,0,2,0,0,,store\n"));
  CHECK(first(stored) ==
        "2->0 brings the contributions 2 of value 0 to processor 0 in step 2, which holds 0-1: what is stored must "
        "contain what it replaces");
  const std::string back = "1,1,0,0,1,0,0,,combine\n2,0,1,0,0,1,0,,{}\n3,2,0,0,2,0,0,,combine\n";
  CHECK(judged(table("reduce:root=0", fmt::format(fmt::runtime(back), "store"))).verdict == Verdict::holds);
  CHECK(judged(table("reduce:root=0", fmt::format(fmt::runtime(back), "combine"))).of(Property::complete).violations ==
        1);
}

TEST_CASE("results agree if they were added up in the same order, up to a + b = b + a") {
  std::string joined;
  std::string kept;
  for (const char* ends : {"0,1,0,0,1", "0,2,0,0,2", "1,0,0,1,0", "1,2,0,1,2", "2,0,0,2,0", "2,1,0,2,1"}) {
    joined += fmt::format("1,{},0,,\n", ends);
    kept += fmt::format("1,{},0,0,keep\n", ends);
  }
  const Report one_shot = judged(table("allreduce", joined));
  CHECK(one_shot.verdict == Verdict::holds);
  CHECK(one_shot.of(Property::agreement).violations == 1);
  CHECK(first(one_shot) ==
        "processor 2 adds up value 0 as (0 + 2) + 1, processor 0 as (0 + 1) + 2; they part at 2 in step 1, at 0 in "
        "step 1");
  CHECK(one_shot.violations.front().rows_concerned == 2);
  CHECK(check(table("allreduce", joined), {.agreement = true}).verdict == Verdict::violated);
  const Report in_order = judged(table("allreduce", kept));
  CHECK(in_order.verdict == Verdict::holds);
  CHECK(in_order.of(Property::agreement).violations == 0);
  CHECK(judged(table("allreduce:idempotent", joined)).of(Property::agreement).violations == 0);
}

TEST_CASE("neighbours of what is held join first where the operation is ordered, and no gap is ever open") {
  // 2 gets {0}, {1} and {3} in step 1, and has ((2 + 1) + 0) + 3; 1 has the same in three steps.
  const std::string apart =
      "1,0,2,0,0,2,0,,\n1,1,2,0,1,2,0,,\n1,3,2,0,3,2,0,,\n1,2,1,0,2,1,0,,\n2,0,1,0,0,1,0,,\n3,3,1,0,3,1,0,,\n"
      "4,1,0,0,1,0,0,,\n4,1,3,0,1,3,0,,\n";
  CHECK(judged(table("allreduce:ordered", apart, "complete:4")).of(Property::agreement).violations == 0);
  CHECK(judged(table("allreduce", apart, "complete:4")).of(Property::agreement).violations == 1);
  // 2 has the words {2}, {1} and {0}, and sends (0 + 1) + 2, whatever their order in the row.
  const std::string chained = "1,1,2,0,1,2,0,,keep\n2,0,2,0,0,2,0,,keep\n3,2,0,0,2,0,0,0+1+2,\n3,2,1,0,2,1,0,1+0+2,\n";
  CHECK(judged(table("allreduce:ordered", chained)).of(Property::agreement).violations == 0);
  const Report as_named = judged(table("allreduce", chained));
  CHECK(as_named.of(Property::agreement).violations == 1);
  CHECK(first(as_named) ==
        "processor 2 adds up value 0 as (0 + 1) + 2, processor 0 as 0 + (1 + 2); they part at 2 at the end, at 2 in "
        "step 3");
}

TEST_CASE("neighbours of what a switch holds join first where the operation is ordered") {
  // The switch holds {2} for 3 when {0} and {1} come in step 2; 1 gets {2}, {0} and {3} one after another.
  const std::string rows =
      "1,2,1.0,0,2,3,0,,\n2,0,1.0,0,0,3,0,,\n2,1,1.0,0,1,3,0,,\n2,2,1.0,0,2,1,0,,\n3,0,1.0,0,0,1,0,,\n"
      "3,1.0,1,0,2,1,0,,\n4,1.0,1,0,0,1,0,,\n4,1.0,3,0,2,3,0,,\n4,3,1.0,0,3,1,0,,\n5,1.0,1,0,3,1,0,,\n"
      "5,3,1.0,0,3,0,0,,\n6,1.0,0,0,3,0,0,,\n6,3,1.0,0,3,2,0,,\n7,1.0,2,0,3,2,0,,\n";
  const Report ordered = judged(table("allreduce:ordered", rows, "star:4,switches=reduce"));
  CHECK(ordered.verdict == Verdict::holds);
  CHECK(ordered.of(Property::agreement).violations == 0);
  const Report other = judged(table("allreduce", rows, "star:4,switches=reduce"));
  CHECK(other.of(Property::agreement).violations == 1);
  CHECK(other.violations.front().node == NodeId{1});
  CHECK(other.violations.front().step == StepId{4});
  CHECK(first(other) ==
        "processor 1 adds up value 0 as (0 + (1 + 2)) + 3, processor 0 as ((0 + 2) + 1) + 3; they part at 1 in step 4, "
        "at "
        "1.0 in step 2");
}

TEST_CASE("of many contributions only what two orders part in is written, and no more than sixteen terms") {
  const auto one_shot = [](std::uint32_t n) {
    std::string rows;
    for (std::uint32_t from = 0; from < n; ++from) {
      for (std::uint32_t to = 0; to < n; ++to)
        rows += from == to ? "" : fmt::format("1,{0},{1},0,{0},{1},0,,\n", from, to);
    }
    return check(table("allreduce", rows, fmt::format("complete:{}", n)));
  };
  const Report few = one_shot(17);
  REQUIRE(few.violations.front().orders.size() == 2);
  CHECK(few.violations.front().orders.front().sum == "(0 + 2) + 1");
  const Report many = one_shot(200);
  for (const Violation& violation : many.violations) {
    for (const AddedOrder& order : violation.orders) {
      CHECK(order.step == StepId{1});
      CHECK(std::ranges::count(order.sum, '+') < 16);
    }
  }
}

TEST_CASE("contributions may come again where the operation is idempotent") {
  const std::string dissemination =
      "1,0,1,0,0,1,0,,\n1,1,2,0,1,2,0,,\n1,2,0,0,2,0,0,,\n2,0,2,0,0,2,0,,\n2,1,0,0,1,0,0,,\n2,2,1,0,2,1,0,,\n";
  CHECK(judged(table("barrier", dissemination)).verdict == Verdict::holds);
  CHECK(judged(table("allreduce:idempotent", dissemination)).verdict == Verdict::holds);
  CHECK(judged(table("allreduce", dissemination)).of(Property::complete).violations > 0);
}

TEST_CASE("with words three processors with single ports finish an all-reduce in two steps") {
  const SendTable two = table("allreduce",
                              "1,0,1,0,0,1,0,0,keep\n1,1,2,0,1,2,0,0,keep\n1,2,0,0,2,0,0,0,keep\n"
                              "2,0,2,0,0,2,0,0,keep\n2,1,0,0,1,0,0,0,keep\n2,2,1,0,2,1,0,0,keep\n",
                              "complete:3,ports=single");
  const Report report = judged(two);
  CHECK(report.verdict == Verdict::holds);
  CHECK(report.steps == 2);
}

TEST_CASE(
    "in a message the row out of the sender names words, and the row into the receiver says what becomes of them") {
  const std::string text =
      "# quadrille-table 1\n# fabric: line:3,timing=rounds\n# collective: exclusive_prefix\n# schedule: words\n"
      "step,from,to,lane,origin,target,part,message,words,arrival\n"
      "1,0,1,0,0,1,0,0,,keep\n2,0,1,0,0,2,0,0,0,\n2,1,2,0,0,2,0,0,,keep\n3,1,2,0,1,2,0,0,0,keep\n";
  const auto rounds = read(text);
  REQUIRE(rounds.ok());
  CHECK(judged(*rounds).verdict == Verdict::holds);
  CHECK(reference::as_csv(*rounds) == text);
}

TEST_CASE("what CSV says of words is read as it was written, or refused") {
  const std::string rows = "1,0,1,0,0,1,0,0,keep\n1,1,2,0,0,2,0,,store\n2,1,2,0,1,2,0,1+0,\n";
  const std::string text = reference::as_csv(table("allreduce", rows));
  CHECK(text == "# quadrille-table 1\n# fabric: complete:3\n# collective: allreduce\n# schedule: words\n" +
                    std::string(header) + rows);
  CHECK(fault_of("1,0,1,0,0,1,0,1+,\n") == "word `` is not a number");
  CHECK(fault_of("1,0,1,0,0,1,0,01,\n") == "word `01` begins with a 0");
  CHECK(fault_of("1,0,1,0,0,1,0,4294967296,\n") == "word 4294967296 is not a 32-bit number");
  CHECK(fault_of("1,0,1,0,0,1,0,,kept\n") == "arrival `kept`; expected store, combine, keep or nothing");
  CHECK(fault_of("1,0,1,0,2,1,0,0,\n") == "words are named by rows out of the packet's origin, 2");
  CHECK(fault_of("1,0,1,0,0,2,0,,keep\n") == "an arrival is that of a row into the packet's target, 2");
  CHECK(fault_of("1,0,1,0,0,1,0,\n") ==
        "8 fields in this row; expected 9: step,from,to,lane,origin,target,part,words,arrival");
  CHECK(fault_of("1,0,1,0,0,1,0,,keep\n1,0,1,0,0,1,0,,\n") ==
        "two rows of 0->1 across 0->1 in step 1 are alike, but say different things of words");
  CHECK(fault_of("", "allgather") == "words are for collectives that combine");
}

TEST_CASE("all three forms keep what random tables say of words") {
  const std::uint64_t seed = reference::first_seed();
  std::uint64_t worded = 0;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const SendTable random =
        i % 2 == 0 ? reference::random_table(seed + i, true) : reference::random_rounds_table(seed + i, true);
    // Without rows there is nobody to say anything of words.
    if (!random.rows->has_partial_reductions() || all_rows(random).empty()) continue;
    ++worded;
    const std::string text = reference::as_csv(random);
    for (const char* form : {"csv", "json", "binary"}) {
      std::string bytes;
      const auto take = [&](std::string_view piece) { return bytes += piece, true; };
      REQUIRE(write_table(random, form, take));
      const auto again = read(bytes);
      REQUIRE_MESSAGE(again.ok(), "QUADRILLE_SEED=" << seed + i << " " << form << ": "
                                                    << again.diagnostics().front().message << "\n"
                                                    << text);
      CHECK_MESSAGE(reference::as_csv(*again) == text, "QUADRILLE_SEED=" << seed + i << " " << form);
    }
  }
  MESSAGE(worded << " tables with words from seed " << seed);
  CHECK(worded > 100);
}

TEST_CASE("what JSON and the binary form say of words is read as it was written, or refused") {
  const SendTable prefix = table("exclusive_prefix", "1,0,1,0,0,1,0,,keep\n2,1,2,0,1,2,0,1+0,keep\n");
  std::string json;
  REQUIRE(write_table(prefix, "json", [&](std::string_view piece) { return json += piece, true; }));
  CHECK(json.ends_with("[1,\"0\",\"1\",0,0,1,0,\"\",\"keep\"],\n[2,\"1\",\"2\",0,1,2,0,\"1+0\",\"keep\"]\n]}\n"));
  const auto json_fault = [](const std::string& row) {
    const auto result =
        read("{\"quadrille_table\":1,\"fabric\":\"complete:3\",\"collective\":\"allreduce\",\"rows\":[" + row + "]}");
    return result ? "" : result.diagnostics().front().message;
  };
  CHECK(json_fault("[1,\"0\",\"1\",0,0,1,0,\"\",\"kept\"]") ==
        "row 1: arrival `kept`; expected store, combine, keep or nothing");
  CHECK(json_fault("[1,\"0\",\"1\",0,0,1,0,1,\"keep\"]") == "row 1: \"words\" is not a text in quotes");
  CHECK(json_fault("[1,\"0\",\"1\",0,0,1,0,\"0\",\"keep\"],[1,\"0\",\"1\",0,0,1,0]") ==
        "row 2: 7 fields; expected 9: step, from, to, lane, origin, target, part, words, arrival");
  CHECK(json_fault("[1,\"0\",\"1\",0,0,1,0,\"0\",\"keep\"],[1,\"0\",\"1\",0,0,1,0,\"\",\"keep\"]") ==
        "two rows of 0->1 across 0->1 in step 1 are alike, but say different things of words");

  std::string bytes;
  REQUIRE(write_table(prefix, "binary", [&](std::string_view piece) { return bytes += piece, true; }));
  // Two rows; 3, 4*2 + 3, 1, 0; an index of two steps; the closing.
  const std::size_t at = bytes.size() - 32 - 2 * 16 - 16;
  const auto fault_with = [&](std::size_t place, std::uint8_t byte) {
    std::string other = bytes;
    other[place] = static_cast<char>(byte);
    const std::size_t summed = other.size() - 12;
    const std::uint32_t sum = crc32c(std::string_view(other).substr(0, summed));
    std::memcpy(other.data() + summed, &sum, sizeof(sum));
    const auto result = read(other);
    return result ? "" : result.diagnostics().front().message;
  };
  CHECK(fault_with(at, 3).empty());
  CHECK(fault_with(at, 2).empty());  // combined
  CHECK(fault_with(at + 4, 15).find("3 words, which are not there") != std::string::npos);
  CHECK(fault_with(at + 4, 3).find("this is more than the rows say of words") != std::string::npos);
  CHECK(fault_with(bytes.size() - 13, 2).find("this byte is not 0, nor 1") != std::string::npos);
  CHECK(fault_with(bytes.size() - 13, 0).find("16 bytes between the rows and the index") != std::string::npos);
}

}  // namespace quadrille
