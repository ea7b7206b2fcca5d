// Sends in rounds: which messages they are, what they carry, and the same as packets in steps.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "compiler/language_families.h"
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

TEST_CASE("where switches reduce, a round's sends of the same parts to one processor are one message") {
  const std::string star =
      "fabric star(4, timing: rounds, ports: single, switches: reduce)\ncollective reduce(root: 0)\n";
  CHECK(messages_of(star + "for k in 1..3: send k -> 0\n") ==
        "1 0: 1->1.0 0 1->0\n1 0: 1.0->0 0 1->0\n1 0: 2->1.0 0 2->0\n1 0: 3->1.0 0 3->0\n");
  CHECK(verdict_of(star + "for k in 1..3: send k -> 0\nclaim rounds == 1 and volume == 1 and messages == 1\n") ==
        "holds");
  // Other parts are other messages, which do not join; nor does what passes a processor.
  CHECK(messages_of("fabric star(3, timing: rounds, switches: reduce)\ncollective reduce(root: 0, parts: 2)\n"
                    "send 1 -> 0 carrying part 0\nsend 2 -> 0 carrying part 1\n") ==
        "1 0: 1->1.0 0 1->0 part 0\n1 0: 1.0->0 0 1->0 part 0\n1 1: 2->1.0 0 2->0 part 1\n1 1: 1.0->0 0 2->0 part "
        "1\n");
  CHECK(messages_of("fabric line(3, timing: rounds, switches: reduce)\ncollective reduce(root: 0)\n"
                    "send 1 -> 0\nsend 2 -> 0\n") == "1 0: 1->0 0 1->0\n1 1: 2->1 0 2->0\n1 1: 1->0 0 2->0\n");
}

TEST_CASE("where switches forward, a send to several is a message for each") {
  CHECK(messages_of("fabric star(3, capacity: 2, timing: rounds, switches: forward)\ncollective broadcast(root: 0)\n"
                    "send 0 -> all\n") ==
        "1 0: 0->1.0 0 0->*\n1 0: 1.0->1 0 0->*\n1 1: 0->1.0 1 0->*\n1 1: 1.0->2 0 0->*\n");
}

TEST_CASE("packets that are made of a message keep the path that is named") {
  ElaborateOptions steps;
  steps.timing = Timing::steps;
  const std::string spines =
      "fabric leaf_spine(hosts: 4, leaves: 2, spines: 2, timing: rounds)\ncollective broadcast(root: 0)\n"
      "send 0 -> 2 along leaf[0], spine[1], leaf[1]\n";
  const Compiled named = compile_text(spines, {}, steps);
  REQUIRE_MESSAGE(named.table, named.messages);
  CHECK(rows_text(*named.table).find("leaf[0]->spine[1]") != std::string::npos);
  const Compiled ring_way = compile_text(ring + "send 0 -> 1 along 4, 3, 2\n", {}, steps);
  REQUIRE(ring_way.table);
  CHECK(rows_text(*ring_way.table) ==
        "1: 0->4 0 0->* part 0\n2: 4->3 0 0->* part 0\n3: 3->2 0 0->* part 0\n4: 2->1 0 0->* part 0\n");
  // Not there: the default route. Nor where a packet would be taken for another on its way.
  steps.fabric = *parse_fabric({"", "complete:4"}, 0);
  CHECK(rows_text(*compile_text(spines, {}, steps).table) == "1: 0->2 0 0->*\n");
  steps.fabric = {};
  const Compiled combined =
      compile_text("fabric ring(4, timing: rounds)\ncollective reduce(root: 0)\nsend 1 -> 0 along 2, 3\n", {}, steps);
  CHECK(rows_text(*combined.table) == "1: 1->0 0 1->0\n");
}

TEST_CASE("retimed in rounds, messages keep the path that is named, or take one that is free") {
  ElaborateOptions retime;
  retime.retime = true;
  const std::string spines =
      "fabric leaf_spine(hosts: 4, leaves: 2, spines: 2, timing: rounds)\ncollective total_exchange\n";
  const auto last_round = [&](const std::string& sends) {
    const Compiled compiled = compile_text(spines + sends, {}, retime);
    REQUIRE_MESSAGE(compiled.table, compiled.messages);
    const Report report = check(*compiled.table);
    CHECK(report.of(Property::contention_free).violations == 0);
    return report.steps;
  };
  // 2 and 0 differ by what the default route takes: both may go by any spine.
  CHECK(last_round("at 1: send 0 -> 2\nat 1: send 1 -> 3\n") == 1);
  CHECK(last_round("at 3: send 0 -> 2\nat 9: send 1 -> 2 carrying 1 -> 2\n") == 2);
  CHECK(last_round("at 1: send 0 -> 2 along leaf[0], spine[0], leaf[1]\n"
                   "at 1: send 1 -> 3 along leaf[0], spine[0], leaf[1]\n") == 2);
  // By one lane into 0: what joins around a switch that reduces needs no other.
  const Compiled joined = compile_text(
      "fabric star(3, timing: rounds, switches: reduce)\ncollective reduce(root: 0)\n"
      "at 1: send 1 -> 0\nat 2: send 2 -> 0\n",
      {}, retime);
  REQUIRE(joined.table);
  CHECK(joined.table->rows->last_step()->value == 1);
}

// What messages_text says, and where the first row of each round was written.
std::string messages_and_sends(const SendTable& table) {
  std::string text = messages_text(table);
  std::vector<RowPlace> places;
  const auto cursor = table.rows->open();
  while (const auto round = cursor->next()) places.push_back({round->step, 0});
  for (const RowOrigin& origin : table.rows->origins(places)) {
    text += fmt::format("{}", origin.span.begin);
    for (const auto& [variable, value] : origin.variables) text += fmt::format(" {}={}", variable, value);
  }
  return text;
}

TEST_CASE("messages that are kept make the rows of those that are worked out anew, and come from the same sends") {
  int alike = 0;
  for (const ShippedFile& shipped : shipped_schedules()) {
    CAPTURE(shipped.name);
    for (const std::string on : {"dgx_h100", "leaf_spine:hosts=8,leaves=4,spines=2", "star:8,switches=reduce"}) {
      CAPTURE(on);
      ElaborateOptions options;
      options.fabric = parse_fabric({"", on}, 0, {}, language_families()).value();
      options.timing = Timing::rounds;
      const Compiled anew = compile_text(std::string(shipped.text), {{"N", "8"}}, options);
      options.keep_messages = true;
      const Compiled kept = compile_text(std::string(shipped.text), {{"N", "8"}}, options);
      REQUIRE(anew.messages == kept.messages);
      if (!anew.table || !anew.table->rows->has_messages()) continue;
      CHECK(anew.table->rows->row_count() == kept.table->rows->row_count());
      CHECK(anew.table->rows->last_step() == kept.table->rows->last_step());
      CHECK(messages_and_sends(*anew.table) == messages_and_sends(*kept.table));
      ++alike;
    }
  }
  CHECK(alike > 100);
}

TEST_CASE("what rounds do not have is refused at its place") {
  CHECK(messages_of(ring + "send 0 -> 2 waiting 1 at 1\n")
            .starts_with("test.qd:3:21: error: a message does not wait on its way within a round"));
  CHECK(messages_of(ring + "by fifo: send 0 -> 2\n").starts_with("test.qd:3:1: error: there are no queues in rounds"));
  CHECK(messages_of("fabric ring(4)\ncollective allgather\nsend 0 -> 1 carrying held\n")
            .starts_with("test.qd:3:1: error: `carrying held` is for messages"));
  const std::string reduced = "fabric ring(4, timing: rounds)\ncollective allreduce\n";
  CHECK(messages_of(reduced + "send 0 -> {1, 2} carrying held\n") ==
        messages_of(reduced + "for t in 1..2: send 0 -> t carrying held\n"));
  CHECK(messages_of("fabric ring(4, paths: shared)\ncollective allgather\nsend 0 -> 1\n")
            .starts_with("test.qd:1:16: error: messages hold or share their paths in rounds only"));
}
