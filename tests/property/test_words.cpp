// Words by hand: the examples of model/MODEL.md, judged by the checker, the simulator and the reference, as CSV has
// them.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "formats/table_io.h"
#include "tests/reference/agreement.h"
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
  CHECK(first(one_shot) == "processor 2 has added up value 0 in another order than processor 0");
  CHECK(check(table("allreduce", joined), {.agreement = true}).verdict == Verdict::violated);
  const Report in_order = judged(table("allreduce", kept));
  CHECK(in_order.verdict == Verdict::holds);
  CHECK(in_order.of(Property::agreement).violations == 0);
  CHECK(judged(table("allreduce:idempotent", joined)).of(Property::agreement).violations == 0);
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

}  // namespace quadrille
