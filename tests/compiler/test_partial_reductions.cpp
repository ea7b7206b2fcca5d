// Words in the language: `keeping`, `carrying sum`, and what tables say of them.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "model/fabric_notation.h"
#include "tests/compiler/compile_text.h"
#include "tests/reference/agreement.h"
#include "verifier/check.h"

namespace {

using namespace quadrille;

// The table's rows as CSV has them, without the step's and the packet's part.
std::string words_of(const SendTable& table) {
  const std::string text = reference::as_csv(table);
  return text.substr(text.find("arrival\n") + 8);
}

std::string table_of(const std::string& text, const ElaborateOptions& options = {}) {
  const Compiled compiled = compile_text(text, {}, options);
  return compiled.table ? words_of(*compiled.table) : compiled.messages;
}

// Nothing if the table holds; and all who judge tables agree.
std::string faults_of(const std::string& text, const ElaborateOptions& options = {}) {
  const Compiled compiled = compile_text(text, {}, options);
  if (!compiled.table) return compiled.messages;
  const std::string differences = reference::disagreement(*compiled.table);
  CHECK_MESSAGE(differences.empty(), differences);
  const Report report = check(*compiled.table);
  std::string result = report.verdict == Verdict::holds ? "" : "wrong";
  for (const Violation& violation : report.violations) result += "\n" + violation.message;
  return result;
}

const std::string three = "fabric complete(3)\ncollective exclusive_prefix\n";
const std::string reduce = "fabric complete(4)\ncollective reduce(root: 0)\n";
const std::string chain = "for k in 0..n-2: at k + 1: send k -> k + 1 carrying sum {0..k} keeping\n";

}  // namespace

TEST_CASE("a sum names its words in the table, and each arrival what becomes of it") {
  CHECK(table_of(three + chain) == "1,0,1,0,0,1,0,0,keep\n2,1,2,0,1,2,0,1+0,keep\n");
  CHECK(faults_of(three + chain).empty());
  CHECK(table_of(reduce + "send 3 -> 2 keeping\nthen send 2 -> 1 carrying sum {2..3}\nthen send 1 -> 0\n") ==
        "1,3,2,0,3,2,0,,keep\n2,2,1,0,2,1,0,0+1,combine\n3,1,0,0,1,0,0,,combine\n");
  CHECK(faults_of(reduce + "send 3 -> 2 keeping\nthen send 2 -> 1 carrying sum {2..3}\nthen send 1 -> 0\n").empty());
}

TEST_CASE("what cannot be made up of words is told with those that there are") {
  CHECK(
      table_of(three + "send 0 -> 1 keeping\nthen send 1 -> 2 carrying sum {0..2}\n") ==
      "test.qd:4:6: error: processor 1 has no words that make up {0-2} of value 0 when step 2 begins; it has {1}, {0}\n"
      "then send 1 -> 2 carrying sum {0..2}\n"
      "     ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n");
  const auto first_line = [](const std::string& text) {
    const std::string all = table_of(text);
    return all.substr(0, all.find('\n'));
  };
  CHECK(first_line("fabric complete(3)\ncollective broadcast(root: 0)\nsend 0 -> 1 keeping\n") ==
        "test.qd:3:1: error: `keeping` speaks of words, and broadcast:root=0 knows none: its packets do not combine");
  CHECK(first_line(three + "send 0 -> 1 carrying sum {}\n") ==
        "test.qd:3:26: error: a sum of nothing; expected at least one processor whose contribution is sent");
  CHECK(first_line(reduce + "reverse: send 0 -> 1 carrying 0 -> * keeping\n").find("`keeping`") != std::string::npos);
  CHECK(first_line("fabric complete(3)\ncollective allreduce\nreverse: send 0 -> 1 keeping\n") ==
        "test.qd:3:10: error: `keeping` cannot be reversed in time: words are chosen from what has arrived before");
  CHECK(first_line("fabric complete(3)\ncollective allreduce\nreverse: reverse: send 0 -> 1 keeping\n") ==
        "test.qd:3:10: error: `keeping` and `carrying sum` cannot be reversed in time, however often");
  CHECK(first_line(three + "send 0 -> 1 sum {0}\n") ==
        "test.qd:3:13: error: expected end of line, met 'sum'; did you mean 'carrying sum'?");
  CHECK(first_line(three + "send 0 -> 1 keping\n") ==
        "test.qd:3:13: error: expected end of line, met 'keping'; did you mean 'keeping'?");
  // Sends whose rows would be alike.
  CHECK(first_line(three + "send 0 -> 1\nsend 0 -> 1 keeping\n") ==
        "test.qd:4:1: error: two sends of 0->1 across 0->1 in step 1 share a lane, and say different things of words");
}

TEST_CASE("words go by relabelling, waiting, named paths and disciplines") {
  const std::string line = "fabric line(4)\ncollective exclusive_prefix(parts: 2)\n";
  CHECK(faults_of(line + "for p in 0..1: for k in 0..n-2: at 2*k + p + 1:\n"
                         "  send k -> k + 1 carrying sum {0..k} -> k + 1 part p keeping\n")
            .empty());
  CHECK(faults_of(line + "for k in 0..n-2 in turn: by fifo:\n"
                         "  send k -> k + 1 carrying sum {0..k} part {0, 1} keeping\n")
            .empty());
  const std::string swapped = "fabric ring(4)\ncollective reduce(root: 3)\nrelabel x -> 3 - x:\n";
  CHECK(table_of(swapped + "  send 3 -> 2 along 0, 1 keeping\n  then send 2 -> 0 waiting 1 at 1 carrying sum {2..3}\n")
            .ends_with("6,2,3,0,1,3,0,,combine\n"));
}

TEST_CASE("in rounds the row out of the sender names the words, and the row into the receiver keeps") {
  const std::string rounds = "fabric line(4, timing: rounds)\ncollective exclusive_prefix(parts: 2)\n";
  const std::string to_the_end = rounds +
                                 "send 0 -> 3 carrying part 0..1 keeping\nsend 0 -> 1 keeping\n"
                                 "then send 1 -> 2 carrying sum {0..1} part 0 keeping\n";
  CHECK(table_of(to_the_end) ==
        "1,0,1,0,0,1,0,1,,keep\n1,0,1,0,0,3,0,0,,\n1,0,1,0,0,3,1,0,,\n1,1,2,0,0,3,0,0,,\n1,1,2,0,0,3,1,0,,\n"
        "1,2,3,0,0,3,0,0,,keep\n1,2,3,0,0,3,1,0,,keep\n2,1,2,0,1,2,0,0,1+0,keep\n");
  const Compiled compiled = compile_text(to_the_end);
  REQUIRE(compiled.table);
  CHECK(reference::disagreement(*compiled.table).empty());
  const std::string scan = "fabric complete(5, timing: rounds)\ncollective exclusive_prefix\n" + chain;
  CHECK(faults_of(scan).empty());
  ElaborateOptions steps;
  steps.timing = Timing::steps;
  CHECK(faults_of(scan, steps).empty());
}

TEST_CASE("words cross switches, whatever these do") {
  for (const char* switches : {"copy", "forward", "reduce"}) {
    const std::string scan = fmt::format(
        "fabric star(6, switches: {})\ncollective exclusive_prefix(parts: 2)\n"
        "for p in 0..1: at p + 1: for t in 0..2 in turn: for k in 0..n-1-2^t:\n"
        "  send k -> k + 2^t carrying sum {{max(0, k - 2^t + 1) .. k}} part p keeping\n",
        switches);
    // Lanes collide where the parts meet in a step; what is carried does not care.
    const Compiled compiled = compile_text(scan);
    REQUIRE_MESSAGE(compiled.table, compiled.messages);
    const std::string differences = reference::disagreement(*compiled.table);
    CHECK_MESSAGE(differences.empty(), differences);
    const Report report = check(*compiled.table);
    CHECK(report.of(Property::causal).violations == 0);
    CHECK(report.of(Property::complete).violations == 0);
  }
}

TEST_CASE("retiming keeps words, on any fabric") {
  const std::string doubling =
      "fabric complete(8)\ncollective exclusive_prefix\n"
      "for t in 0..2 in turn: for k in 0..7-2^t: send k -> k + 2^t carrying sum {max(0, k - 2^t + 1) .. k} keeping\n";
  for (const char* notation : {"line:8", "ring:8,ports=single", "hypercube:3", "fat_tree:levels=3", "star:8"}) {
    ElaborateOptions on;
    on.fabric = parse_fabric({"test", notation}, 0).value();
    on.retime = true;
    const std::string faults = faults_of(doubling, on);
    CHECK_MESSAGE(faults.empty(), notation << ": " << faults);
  }
}

TEST_CASE("what becomes of arrivals is written of any table that combines, where it is asked for") {
  const std::string text = reduce + "send 1 -> 0\nthen send 2 -> 0\nthen send 0 -> 3\nthen send 3 -> 0\n";
  ElaborateOptions arrivals;
  CHECK_FALSE(compile_text(text).table->rows->has_partial_reductions());
  arrivals.arrivals = true;
  CHECK(table_of(text, arrivals) ==
        "1,1,0,0,1,0,0,,combine\n2,2,0,0,2,0,0,,combine\n3,0,3,0,0,3,0,,combine\n4,3,0,0,3,0,0,,store\n");
  CHECK(faults_of(text, arrivals).empty());
  const std::string copies = "fabric complete(3)\ncollective allgather\nsend 0 -> 1\n";
  CHECK_FALSE(compile_text(copies, {}, arrivals).table->rows->has_partial_reductions());
}
