// Sends in rounds: which messages they are, what they carry, and the same as packets in steps.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "model/fabric_notation.h"
#include "tests/compiler/compile_text.h"
#include "verifier/check.h"

namespace {

using namespace quadrille;

// Every row as "round message: from->to lane packet", as the cursor gives them.
std::string messages_text(const SendTable& table) {
  std::string text;
  const auto cursor = table.rows->open();
  while (const auto round = cursor->next()) {
    for (std::size_t i = 0; i < round->rows.size(); ++i) {
      const Row& row = round->rows[i];
      text += fmt::format("{} {}: {} {} {}\n", round->step.value, round->messages[i].value,
                          table.fabric.name(row.channel), row.lane.value, table.collective.label(row.chunk));
    }
  }
  return text;
}

std::string messages_of(const std::string& text) {
  const Compiled compiled = compile_text(text);
  return compiled.table ? messages_text(*compiled.table) : compiled.messages;
}

std::string verdict_of(const std::string& text, const ElaborateOptions& options = {}) {
  const Compiled compiled = compile_text(text, {}, options);
  if (!compiled.table) return compiled.messages;
  const Report report = check(*compiled.table);
  std::string result(to_string(report.verdict));
  for (const Violation& violation : report.violations) result += "\n" + violation.message;
  return result;
}

const std::string ring = "fabric ring(5, timing: rounds)\ncollective broadcast(root: 0, parts: 2)\n";

}  // namespace

TEST_CASE("a send is one message over its whole path") {
  CHECK(messages_of(ring + "send 0 -> 2 carrying 0 -> * part 0..1\n") ==
        "1 0: 0->1 0 0->* part 0\n1 0: 0->1 0 0->* part 1\n1 0: 1->2 0 0->* part 0\n1 0: 1->2 0 0->* part 1\n");
  CHECK(messages_of(ring + "send 0 -> 1 along 4, 3, 2\n") ==
        "1 0: 0->4 0 0->* part 0\n1 0: 4->3 0 0->* part 0\n1 0: 3->2 0 0->* part 0\n1 0: 2->1 0 0->* part 0\n");
}

TEST_CASE("a send to several branches at switches, and is cut at processors") {
  CHECK(messages_of("fabric star(3, timing: rounds)\ncollective broadcast(root: 0)\nsend 0 -> all\n") ==
        "1 0: 0->1.0 0 0->*\n1 0: 1.0->1 0 0->*\n1 0: 1.0->2 0 0->*\n");
  CHECK(messages_of(ring + "send 0 -> {1, 2, 4}\n") ==
        "1 0: 0->1 0 0->* part 0\n1 1: 0->4 0 0->* part 0\n1 2: 0->1 0 0->* part 0\n1 2: 1->2 0 0->* part 0\n");
  // Where packets combine, each target has a message of its own.
  CHECK(messages_of(
            "fabric star(3, capacity: 2, timing: rounds)\ncollective allreduce\nsend 0 -> {1, 2} carrying 0 -> 1\n") ==
        "1 0: 0->1.0 0 0->1\n1 0: 1.0->1 0 0->1\n1 1: 0->1.0 1 0->1\n1 1: 1.0->2 0 0->1\n");
}

TEST_CASE("the lanes of held paths are taken in the order of the sends; shared ones have no order") {
  const std::string sends = "collective allgather\nfor k in 1..3: send k -> 0\n";
  CHECK(messages_of("fabric star(4, capacity: 2, timing: rounds)\n" + sends).find("1 2: 1.0->0 0 3->*") !=
        std::string::npos);
  CHECK(
      verdict_of("fabric star(4, capacity: 2, timing: rounds)\n" + sends).find("of capacity 2 is on the paths of 3") !=
      std::string::npos);
  CHECK(
      messages_of("fabric star(4, capacity: 2, timing: rounds, paths: shared)\n" + sends).find("1 1: 1.0->0 0 2->*") !=
      std::string::npos);
}

TEST_CASE("what is held is what has arrived in rounds before") {
  const std::string line = "fabric line(4, timing: rounds)\ncollective allgather\n";
  CHECK(messages_of(line + "send 0 -> 1\nsend 1 -> 2 carrying held\nthen send 1 -> 2 carrying held if origin != 1\n") ==
        "1 0: 0->1 0 0->*\n1 1: 1->2 0 1->*\n2 0: 1->2 0 0->*\n");
  // A processor that is passed gets nothing.
  CHECK(messages_of(line + "send 0 -> 2\nthen send 1 -> 2 carrying held\n") ==
        "1 0: 0->1 0 0->*\n1 0: 1->2 0 0->*\n2 0: 1->2 0 1->*\n");
  // Where packets combine: one of each value.
  CHECK(messages_of("fabric line(2, timing: rounds)\ncollective allreduce(parts: 2)\nsend 0 -> 1 carrying held\n") ==
        "1 0: 0->1 0 0->1 part 0\n1 0: 0->1 0 0->1 part 1\n");
  CHECK(messages_of("fabric line(2, timing: rounds)\ncollective allreduce(parts: 3)\n"
                    "send 0 -> 1 carrying held if piece != 1\n") ==
        "1 0: 0->1 0 0->1 part 0\n1 0: 0->1 0 0->1 part 2\n");
}

TEST_CASE("a block in rounds can be reversed") {
  const std::string reduce =
      "fabric complete(8, ports: single, timing: rounds)\ncollective reduce(root: 0, parts: 2)\n"
      "reverse: for t in 0..2: at t + 1: for k in 0..2^t-1: send k -> k + 2^t carrying 0 -> * part 0..1\n";
  CHECK(verdict_of(reduce + "claim rounds == 3 and volume == 6 and messages == 7\n") == "holds");
  CHECK(verdict_of("fabric ring(4, timing: rounds)\ncollective reduce_scatter\nreverse: send 0 -> 1 carrying held\n")
            .find("what is held is not known") != std::string::npos);
}

TEST_CASE("sends in rounds become packets in steps that hold") {
  ElaborateOptions steps;
  steps.timing = Timing::steps;
  const std::string doubling =
      "collective allgather\nfor t in 0..2: at t + 1: for k in processors: send k -> k xor 2^t carrying held\n";
  CHECK(verdict_of("fabric complete(8, ports: single, timing: rounds)\n" + doubling + "claim rounds == 3\n", steps) ==
        "holds");
  steps.fabric = *parse_fabric({"", "line:8,ports=single,duplex=half"}, 0);
  CHECK(verdict_of("fabric complete(8, timing: rounds)\n" + doubling, steps).starts_with("holds"));
}

TEST_CASE("what rounds do not have is refused at its place") {
  CHECK(messages_of(ring + "send 0 -> 2 waiting 1 at 1\n")
            .starts_with("test.qd:3:21: error: a message does not wait on its way within a round"));
  CHECK(messages_of(ring + "by fifo: send 0 -> 2\n").starts_with("test.qd:3:1: error: there are no queues in rounds"));
  CHECK(messages_of("fabric ring(4)\ncollective allgather\nsend 0 -> 1 carrying held\n")
            .starts_with("test.qd:3:1: error: `carrying held` is for messages"));
  CHECK(messages_of("fabric ring(4, timing: rounds)\ncollective allreduce\nsend 0 -> {1, 2} carrying held\n")
            .starts_with("test.qd:3:11: error: what is held is sent to one processor at a time"));
  CHECK(messages_of("fabric ring(4, paths: shared)\ncollective allgather\nsend 0 -> 1\n")
            .starts_with("test.qd:1:16: error: messages hold or share their paths in rounds only"));
}
