#include <doctest/doctest.h>

#include "compile_text.h"
#include "model/fabric_notation.h"

namespace quadrille {
namespace {

Fabric fabric(const std::string& notation) { return parse_fabric({"test", notation}, 0).value(); }

std::string rows_of(std::string text, const Arguments& arguments = {}, const ElaborateOptions& options = {}) {
  const Compiled compiled = compile_text(std::move(text), arguments, options);
  INFO(compiled.messages);
  REQUIRE(compiled.table);
  return rows_text(*compiled.table);
}

TEST_CASE("a send takes the tree path without waiting") {
  CHECK(rows_of("fabric fat_tree(levels: 2)\ncollective total_exchange\nat 3: send 0 -> 3\n") ==
        "3: 0->1.0 0 0->3\n4: 1.0->2.0 0 0->3\n5: 2.0->1.1 0 0->3\n6: 1.1->3 0 0->3\n");
}

TEST_CASE("blocks have clocks of their own") {
  CHECK(rows_of("fabric complete(4)\ncollective total_exchange\n"
                "at 3:\n  at 2: send 0 -> 1\n  send 1 -> 2\nsend 2 -> 3\n") ==
        "1: 2->3 0 2->3\n3: 1->2 0 1->2\n4: 0->1 0 0->1\n");
}

TEST_CASE("then starts when everything before it in the block has arrived") {
  CHECK(rows_of("fabric line(4)\ncollective broadcast(root: 0)\n"
                "send 0 -> 2\nat 2: send 0 -> 1\nthen send 2 -> 3\nsend 2 -> 1\n") ==
        "1: 0->1 0 0->*\n2: 0->1 0 0->*\n2: 1->2 0 0->*\n3: 2->1 0 0->*\n3: 2->3 0 0->*\n");
}

// A link that goes one way has its lanes to itself, in half duplex, too; both disciplines' queues and retiming's
// calendar know it.
TEST_CASE("in half duplex the lanes of a link that goes one way are all used") {
  ElaborateOptions options;
  options.fabric = fabric(R"(graph:{"processors":3,"channels":[[0,1,2],[1,2],[2,0]]},duplex=half)");
  const std::string rows = "1: 0->1 0 0->* part 0\n1: 0->1 1 0->* part 1\n2: 0->1 0 0->* part 2\n";
  const std::string sends = "for x in 0..2: send 0 -> 1 carrying 0 -> * part x\n";
  const std::string head = "fabric complete(3)\ncollective broadcast(root: 0, parts: 3)\n";
  CHECK(rows_of(head + "by fifo: " + sends, {}, options) == rows);
  options.retime = true;
  CHECK(rows_of(head + sends, {}, options) == rows);
}

TEST_CASE("where nothing is sent, nothing is waited for") {
  CHECK(rows_of("fabric complete(3)\ncollective total_exchange\n"
                "send 0 -> 1\nat 9: for k in 1..0: send 0 -> k\nthen send 0 -> 2\n") ==
        "1: 0->1 0 0->1\n2: 0->2 0 0->2\n");
}

TEST_CASE("for runs side by side, in turn one after another") {
  const std::string head = "fabric complete(3)\ncollective total_exchange\n";
  CHECK(rows_of(head + "for k in 1..2: send 0 -> k\n") == "1: 0->1 0 0->1\n1: 0->2 0 0->2\n");
  CHECK(rows_of(head + "for k in 2 downto 1 in turn: send 0 -> k\n") == "1: 0->2 0 0->2\n2: 0->1 0 0->1\n");
}

TEST_CASE("a range that goes nowhere is empty, not backwards") {
  CHECK(rows_of("fabric complete(3)\ncollective total_exchange\nfor k in 2..1: send 0 -> k\n").empty());
}

TEST_CASE("a set that has a name is the same wherever the block uses it") {
  const std::string head = "fabric complete(4)\ncollective total_exchange\n";
  const std::string turns = "1: 0->2 0 0->2\n1: 0->3 0 0->3\n2: 1->2 0 1->2\n2: 1->3 0 1->3\n";
  CHECK(rows_of(head + "for k in 0..1 in turn:\n  let upper = {2, 3}\n  for d in upper: send k -> d\n") == turns);
  CHECK(rows_of(head + "let upper = {2, 3}\nfor k in 0..1 in turn:\n  for d in upper: send k -> d\n") == turns);
  CHECK(rows_of(head + "let upper(k) = {d for d in 2..3 if d != k}\nfor k in 0..1 in turn:\n"
                       "  let mine = upper(k)\n  for d in mine: send k -> d\n") == turns);
  CHECK(rows_of(head + "procedure to(targets: set, k):\n  let same = targets\n  for d in same: send k -> d\n"
                       "for k in 0..1 in turn: to({2, 3}, k)\n") == turns);
  CHECK(rows_of(head + "for k in 0..0:\n  let two = {1, 2}\n"
                       "  relabel p -> if any(x == p for x in two) then 3 - p else p:\n"
                       "    for d in two in turn: send k -> d\n") == "1: 0->2 0 0->2\n2: 0->1 0 0->1\n");
  CHECK(rows_of("fabric complete(3)\ncollective broadcast(root: 0)\nrepeat 2 times:\n  let both = {1, 2}\n"
                "  send 0 -> both\n") == "1: 0->1 0 0->*\n1: 0->2 0 0->*\n2: 0->1 0 0->*\n2: 0->2 0 0->*\n");
}

TEST_CASE("sets are let go of when their block ends") {
  CHECK(rows_of("fabric complete(2)\ncollective broadcast(root: 0)\nrepeat 1100000 times:\n  let one = {1}\n"
                "for k in 1..1100000 in turn:\n  let one = {k}\nsend 0 -> 1\n") == "1: 0->1 0 0->*\n");
}

TEST_CASE("a multicast uses each channel of its tree once") {
  CHECK(rows_of("fabric fat_tree(levels: 1)\ncollective allgather\nsend 1 -> all\n") ==
        "1: 1->1.0 0 1->*\n2: 1.0->0 0 1->*\n");
  CHECK(rows_of("fabric star(4)\ncollective allgather\nsend 1 -> {0, 3}\n") ==
        "1: 1->1.0 0 1->*\n2: 1.0->0 0 1->*\n2: 1.0->3 0 1->*\n");
}

TEST_CASE("lanes are taken in the order of the sends and start again when they run out") {
  CHECK(rows_of("fabric star(4, capacity: 2)\ncollective total_exchange\nfor k in 1..3: send 0 -> k\n") ==
        "1: 0->1.0 0 0->1\n1: 0->1.0 0 0->3\n1: 0->1.0 1 0->2\n"
        "2: 1.0->1 0 0->1\n2: 1.0->2 0 0->2\n2: 1.0->3 0 0->3\n");
}

TEST_CASE("a packet takes a named path and waits where it is told to") {
  CHECK(rows_of("fabric ring(4)\ncollective total_exchange\nsend 0 -> 1 along 3, 2\n") ==
        "1: 0->3 0 0->1\n2: 3->2 0 0->1\n3: 2->1 0 0->1\n");
  CHECK(rows_of("fabric star(3)\ncollective total_exchange\nsend 0 -> 1 waiting 2 at switch(1, 0)\n") ==
        "1: 0->1.0 0 0->1\n4: 1.0->1 0 0->1\n");
}

TEST_CASE("carrying names the packet") {
  CHECK(rows_of("fabric ring(3)\ncollective allgather\nsend 0 -> 1 carrying 2\n") == "1: 0->1 0 2->*\n");
  CHECK(rows_of("fabric ring(3)\ncollective total_exchange\nsend 0 -> 1 carrying 2 -> 1\n") == "1: 0->1 0 2->1\n");
}

TEST_CASE("relabelling maps processors and packets") {
  CHECK(rows_of("fabric complete(4)\ncollective allgather\nrelabel k -> 3 - k: send 0 -> 1\n") == "1: 3->2 0 3->*\n");
  CHECK(rows_of("fabric complete(4)\ncollective allgather\n"
                "relabel k -> 3 - k carrying o -> o + 1: send 0 -> 1\n") == "1: 3->2 0 1->*\n");
}

TEST_CASE("reversing turns time and hops round") {
  CHECK(rows_of("fabric line(3)\ncollective gather(root: 0)\n"
                "reverse:\n  send 0 -> 2\n  at 2: send 0 -> 1\n") ==
        "1: 1->0 0 1->0\n1: 2->1 0 2->0\n2: 1->0 0 2->0\n");
}

TEST_CASE("a broadcast reversed is a reduction along its first receptions") {
  CHECK(rows_of("fabric complete(3)\ncollective reduce(root: 0)\n"
                "reverse:\n  send 0 -> 1\n  then send 1 -> 2\n  then send 0 -> 2\n") ==
        "1: 2->1 0 2->1\n2: 1->0 0 1->0\n");
}

TEST_CASE("first in, first out: a channel serves those who came first") {
  CHECK(rows_of("fabric star(3)\ncollective total_exchange\nby fifo:\n  send 0 -> 2\n  send 1 -> 2\n") ==
        "1: 0->1.0 0 0->2\n1: 1->1.0 0 1->2\n2: 1.0->2 0 0->2\n3: 1.0->2 0 1->2\n");
}

TEST_CASE("of those who came to a queue in the same step and by the same channel, the earlier send goes first") {
  CHECK(rows_of("fabric line(3)\ncollective total_exchange\nby fifo:\n  send 2 -> 0\n"
                "  reverse: send 0 -> 2 carrying 0 -> 1\n") ==
        "1: 2->1 0 2->0\n2: 1->0 0 2->0\n2: 2->1 0 1->0\n3: 1->0 0 1->0\n");
}

TEST_CASE("a hop waits in its queue for its own packet only") {
  CHECK(rows_of("fabric star(3)\ncollective total_exchange\nby fifo:\n  at 4: send 0 -> 1\n"
                "  reverse: send 2 -> {0, 1} carrying 2 -> 1\n") ==
        "1: 0->1.0 0 1->2\n1: 1->1.0 0 1->2\n2: 1.0->2 0 1->2\n4: 0->1.0 0 0->1\n5: 1.0->1 0 0->1\n");
}

TEST_CASE("farthest first: the longest way goes first") {
  CHECK(rows_of("fabric line(3)\ncollective scatter(root: 0)\nby farthest_first: for k in 1..2: send 0 -> k\n") ==
        "1: 0->1 0 0->2\n2: 0->1 0 0->1\n2: 1->2 0 0->2\n");
}

TEST_CASE("retiming keeps the order and starts everything as early as it can") {
  ElaborateOptions options;
  options.fabric = fabric("star:3");
  options.retime = true;
  CHECK(rows_of("fabric complete(3)\ncollective total_exchange\nat 5:\n  send 0 -> 2\n  send 1 -> 2\n", {}, options) ==
        "1: 0->1.0 0 0->2\n2: 1->1.0 0 1->2\n2: 1.0->2 0 0->2\n3: 1.0->2 0 1->2\n");
}

TEST_CASE("rows know where they were written") {
  const Compiled compiled =
      compile_text("fabric complete(4)\ncollective total_exchange\nfor i in 1..2, j in 2..3:\n  at i: send 0 -> j\n");
  REQUIRE(compiled.table);
  const RowPlace place{StepId(2), 1};
  const auto origins = compiled.table->rows->origins({&place, 1});
  REQUIRE(origins.size() == 1);
  CHECK(origins[0].variables == std::vector<std::pair<std::string, std::int64_t>>{{"i", 2}, {"j", 3}});
  CHECK(origins[0].span.known());
}

TEST_CASE("every cursor gives the same rows") {
  const Compiled compiled =
      compile_text("fabric fat_tree(levels: 3)\ncollective allgather\nby fifo: for k in processors: send k -> all\n");
  REQUIRE(compiled.table);
  CHECK(all_rows(*compiled.table) == all_rows(*compiled.table));
  CHECK(*compiled.table->rows->row_count() == all_rows(*compiled.table).size());
}

TEST_CASE("claims give their verdict and the two sides") {
  const Compiled compiled =
      compile_text("fabric ring(3)\ncollective allgather\nclaim steps == 2 * n\nclaim steps >= 1 when n > 5\n");
  REQUIRE(compiled.table);
  REQUIRE(compiled.table->claims.size() == 2);
  Measured measured;
  measured.steps = 4;
  CHECK(compiled.table->claims[0].evaluate(measured) ==
        std::pair<Verdict, std::string>{Verdict::violated, "steps is 4; 2*n is 6"});
  CHECK(compiled.table->claims[1].evaluate(measured).first == Verdict::holds);
}

}  // namespace
}  // namespace quadrille
