#include <doctest/doctest.h>

#include "compile_text.h"
#include "model/fabric_notation.h"
#include "model/topology.h"

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

TEST_CASE("the load is compared with quotients that are not rounded") {
  const std::string text =
      "let half(x) = x/2\nlet three_and_a_half = 7/2\nfabric ring(3, timing: rounds, paths: shared)\ncollective "
      "allgather\n";
  const auto verdict = [&](const std::string& claim, std::optional<Fraction> load) {
    const Compiled compiled = compile_text(text + "claim " + claim + "\n");
    REQUIRE(compiled.table);
    Measured measured;
    measured.volume = 4;
    measured.load = load;
    return compiled.table->claims[0].evaluate(measured);
  };
  const Fraction half(7, 2);
  for (const char* claim : {"load <= 7/2",
                            "load == 7/2",
                            "load >= 14/4",
                            "7/2 >= load",
                            "load < 4",
                            "load > 3",
                            "3 < load",
                            "load != 7/3",
                            "load > -1",
                            "load > 7/-2",
                            "load == -7/-2",
                            "2 == 3 or load == (n + 4)/2",
                            "load == 7/2 + 0",
                            "load < 7/2 + 1/2",
                            "load > 7/2 - 1/3",
                            "load == 3/2 + 4/2",
                            "load == 1 + 5 * (1/2)",
                            "load == (7/2)/1",
                            "load == 7/(3 - 1)",
                            "load == -(-7/2)",
                            "load == 1/(2/7)",
                            "load == (3/2)^2 + 5/4",
                            "load == 15/2 mod 4",
                            "load == max(3, 7/2)",
                            "load == min(7/2, 4)",
                            "load == abs(1/2 - 4)",
                            "load == (if 1/2 > 0 then 7/2 else 3)",
                            "load == sum(1/2 for x in 1..7)",
                            "load == max(x/2 for x in 1..7)",
                            "load == (if all(x/2 > 0 for x in {1}) and not 1/2 == 0 then 7/2 else 0)",
                            "load == (if (1/2 > 1/3) == true and not (1/2 > 1/3 xor true) then 7/2 else 0)",
                            "load == -1/2 mod 4",
                            "load == count(x/2 > 1 for x in 1..5) + 1/2",
                            "load == half(7) + 1/2",
                            "load == three_and_a_half + 1/2",
                            "load == ceil_div(5, 2) + 1/2",
                            "load < 1000000007/3 * 3",
                            "load == (sum(1/x for x in 1..20) - sum(1/x for x in 1..20)) + 7/2"}) {
    CHECK_MESSAGE(verdict(claim, half).first == Verdict::holds, claim);
  }
  for (const char* claim : {"load < 7/2", "load == 3", "load >= 4", "7/2 != load"}) {
    const auto [judged, why] = verdict(claim, half);
    CHECK_MESSAGE(judged == Verdict::violated, claim);
    CHECK(why == "load is 7/2");
  }
  for (const char* claim : {"load <= 1/0", "load <= 1/(1/0)", "load <= 7/2 mod (1 - 1)"})
    CHECK_MESSAGE(verdict(claim, half).second == "division by zero", claim);
  CHECK(verdict("load == 1/(2^62 + 1) - 1/(2^62 + 1) + 7/2", half).first == Verdict::holds);
  CHECK(verdict("load <= (3/2)^4000", half).second == "a fraction of more than 4096 bits");
  CHECK(verdict("load <= (3/2)^5000000", half).first == Verdict::unknown);
  CHECK(verdict("load <= sum(1/x for x in 1..1000000)", half).second == "a fraction of more than 4096 bits");
  CHECK(verdict("load <= 7", {}).first == Verdict::unknown);
}

TEST_CASE("the load stands alone on one side of a comparison, in claims") {
  const std::string text = "fabric ring(3, timing: rounds, paths: shared)\ncollective allgather\n";
  for (const char* line : {"claim 2*load <= 7", "claim load == load", "claim load + 1 > 2", "claim optimal load",
                           "send 0 -> 1 when load > 1", "claim load"}) {
    CHECK_FALSE_MESSAGE(compile_text(text + line + "\n").table, line);
  }
  const Compiled own = compile_text(text + "let load = 2\nclaim 2*load == 4\n");
  REQUIRE(own.table);
  CHECK(own.table->claims[0].evaluate({}).first == Verdict::holds);
}

// --- parameters that are sets and lists -----------------------------------------------------------------------------

constexpr char given_sets[] =
    "param sources: set = {3, 0, 3}\nparam cycle: list = [0, 2, 1, 2]\nfabric ring(4)\ncollective allgather\n"
    "for s in sources if any(s == x for x in sources): at 1 + s: send s -> (s + 1) mod n\n"
    "for i in 0..size(cycle)-2 if cycle[i] != 3 and size(sources) > 0:\n"
    "  at 10 + i: send cycle[i] -> (cycle[i + 1] + 1 - 1) mod n carrying cycle[0] -> *\n";

std::string refusal_of(const std::string& text, const Arguments& arguments) {
  const Compiled compiled = compile_text(text, arguments);
  CHECK_FALSE(compiled.table);
  return compiled.messages.substr(0, compiled.messages.find('\n'));
}

TEST_CASE("a parameter may be a set, each number once, or a list, whose elements are numbered from 0") {
  CHECK(rows_of("param sources: set = {3, 0, 3}\nparam cycle: list\nfabric ring(4)\ncollective allgather\n"
                "for s in sources: at 1 + s: send s -> (s + 1) mod n\n"
                "for i in 0..size(cycle)-2: at 10 + i: send cycle[i] -> cycle[i + 1] carrying cycle[0]\n",
                {{"cycle", "[0,1,0,3]"}}) ==
        "1: 0->1 0 0->*\n4: 3->0 0 3->*\n10: 0->1 0 0->*\n11: 1->0 0 0->*\n12: 0->3 0 0->*\n");
  const std::string sets = "param s: set\nfabric ring(4)\ncollective allgather\nfor x in s: send x -> (x + 1) mod n\n";
  CHECK(rows_of(sets, {{"s", "{2, 1,2}"}}) == "1: 1->2 0 1->*\n1: 2->3 0 2->*\n");
  CHECK(rows_of(sets, {{"s", "1"}}) == "1: 1->2 0 1->*\n");
  CHECK(rows_of(sets, {{"s", "{}"}}).empty());
  CHECK(compile_text(sets, {{"s", "{2,1}"}}).table->schedule == "test s={2,1}");
  CHECK(compile_text(given_sets).table.has_value());
}

TEST_CASE("where packets combine, a send to a set is a send to each of it but the source") {
  for (const std::string fabric : {"complete(4)", "star(4, switches: reduce)", "complete(4, timing: rounds)"}) {
    for (const std::string collective : {"allreduce", "reduce_scatter(parts: 2)", "barrier", "prefix"}) {
      for (const std::string what : {"", " carrying k -> t part 1", " carrying held", " keeping"}) {
        if (what == " carrying held" && fabric.find("rounds") == std::string::npos) continue;
        const std::string head = "fabric " + fabric + "\ncollective " + collective + "\n";
        const std::string each = "at 2: for k in processors, t in {0, 1, 3} if t != k: send k -> t" + what + "\n";
        std::string one = what;
        if (one == " carrying k -> t part 1") one = " carrying part 1";
        const std::string set = "at 2: for k in processors: send k -> {0, 1, 3}" + one + "\n";
        CAPTURE(head + set);
        const auto wanted = compile_text(head + each);
        const auto found = compile_text(head + set);
        REQUIRE(wanted.table.has_value() == found.table.has_value());
        if (wanted.table) CHECK(rows_text(*found.table) == rows_text(*wanted.table));
      }
    }
  }
}

TEST_CASE("each mistake with a set or a list has its message") {
  const std::string machine = "fabric ring(4)\ncollective allgather\n";
  CHECK(refusal_of("param s: set\n" + machine + "for x in s: send x -> 0\n", {}) ==
        "test.qd:1:7: error: parameter s is not given; expected a set of numbers, for example -D 's={0,3}'");
  CHECK(refusal_of("param n in 2..8\nparam s: set in 1..n\n" + machine, {{"n", "4"}}) ==
        "test.qd:2:7: error: parameter s is not given; expected a set of numbers, each 1 to 4, for example -D 's={1}'");
  CHECK(refusal_of("param c: list in {2, 5}\n" + machine, {}) ==
        "test.qd:1:7: error: parameter c is not given; expected a list of numbers, each one of 2, 5, for example -D "
        "'c=[2]'");
  CHECK(refusal_of("param s: set\n" + machine + "for x in s: send x -> 0\n", {{"s", "{0,x}"}}) ==
        "error: parameter s is given '{0,x}'; expected numbers, such as {0,3}");
  CHECK(refusal_of("param c: list = [1, 2]\n" + machine + "send 0 -> c[2]\n", {}) ==
        "test.qd:4:11: error: 'c' has 2 values, numbered from 0; number 2 was asked for");
  CHECK(refusal_of("param c: list = [1, 2]\n" + machine + "send 0 -> c\n", {}) ==
        "test.qd:4:11: error: 'c' is a list; expected an index, as in c[0], or size(c)");
  CHECK(refusal_of("param c: list = [1, 2]\n" + machine + "send 0 -> c[0][1]\n", {}) ==
        "test.qd:4:11: error: 'c' is a list; expected one index, as in c[0]");
  CHECK(refusal_of("param s: set = 3\n" + machine + "send 0 -> 1\n", {}).starts_with("test.qd:1:16: error: "));
  CHECK(refusal_of("param s: sets\n" + machine + "send 0 -> 1\n", {}).find("'pattern', 'set' or 'list'") !=
        std::string::npos);
}

// --- messages of different numbers of parts -------------------------------------------------------------------------

std::string chunks_of(const std::string& collective) {
  const Compiled compiled = compile_text("fabric complete(3)\ncollective " + collective + "\nif n > 5: send 0 -> 1\n");
  if (!compiled.table) return compiled.messages.substr(0, compiled.messages.find('\n'));
  const Collective& it = compiled.table->collective;
  CHECK(it.kind() == CollectiveKind::custom);
  std::string text;
  for (std::uint64_t c = 0; c < it.chunk_ids(); ++c) {
    text += it.label(ChunkId(c)) + ":";
    for (std::uint32_t p = 0; p < 3; ++p) {
      if (it.starts_at(ChunkId(c), NodeId(p))) text += "h" + std::to_string(p);
      if (it.demand(ChunkId(c), NodeId(p))) text += "w" + std::to_string(p);
    }
    text += " ";
  }
  return text;
}

TEST_CASE("messages may have different numbers of parts") {
  CHECK(chunks_of("total_exchange(parts(s, t): s*t)") == "1->2:h1w2 1->2 part 1:h1w2 2->1:w1h2 2->1 part 1:w1h2 ");
  CHECK(chunks_of("scatter(root: 1, parts(p): p)") == "1->2:h1w2 1->2 part 1:h1w2 ");
  CHECK(chunks_of("gather(root: 1, parts(p): 2 - p)") == "0->1:h0w1 0->1 part 1:h0w1 ");
  CHECK(chunks_of("allgather(parts(p): p)") == "1->*:w0h1w2 2->*:w0w1h2 2->* part 1:w0w1h2 ");
  CHECK(chunks_of("broadcast(parts(p): p)") ==
        "test.qd:2:22: error: the parts of broadcast are a number, the same for all");
  CHECK(chunks_of("total_exchange(parts(p): p)") ==
        "test.qd:2:27: error: expected two variables, parts(source, target)");
  CHECK(chunks_of("gather(parts(s, t): s)") == "test.qd:2:19: error: expected one variable, the processor");
  CHECK(chunks_of("gather(parts(s): -s)") == "test.qd:2:19: error: parts is -1 from 1 to 1; expected 0 or more");
  CHECK(chunks_of("gather(root(s): 1)") == "test.qd:2:19: error: 'root' is a number, and has no variable");
}

// A ring on which every packet goes upwards, as a program that links Quadrille may add one.
class Upwards final : public Topology {
 public:
  std::string_view family() const override { return "upwards"; }
  std::vector<TopologyArgument> arguments() const override { return {}; }
  Result<Wiring> wiring(Span where) const override { return fabric("ring:4").topology().wiring(where); }
  std::shared_ptr<const Routes> routes(const Fabric& on) const override { return std::make_shared<Up>(on); }

 private:
  class Up final : public Routes {
   public:
    explicit Up(const Fabric& on) : fabric_(on), shortest_(fabric("ring:4").topology().routes(on)) {}
    bool append(NodeId source, NodeId target, std::vector<ChannelId>& channels) const override {
      for (NodeId at = source; at != target;) {
        const NodeId next((at.value + 1) % 4);
        channels.push_back(*fabric_.channel_between(at, next));
        at = next;
      }
      return true;
    }
    std::optional<std::uint32_t> distance(NodeId source, NodeId target) const override {
      return shortest_->distance(source, target);
    }

   private:
    Fabric fabric_;
    std::shared_ptr<const Routes> shortest_;
  };
};

TEST_CASE("on a topology that says nothing of its default routes, a send takes as many steps as its route") {
  ElaborateOptions options;
  options.fabric = Fabric::make(Upwards(), {}).value();
  const Compiled compiled =
      compile_text("fabric ring(4)\ncollective broadcast(root: 0)\nsend 0 -> 3\nthen send 3 -> 2\n", {}, options);
  INFO(compiled.messages);
  REQUIRE(compiled.table);
  CHECK(compiled.table->rows->row_count() == 6U);
  CHECK(compiled.table->rows->last_step() == StepId(6));
  CHECK(rows_text(*compiled.table) ==
        "1: 0->1 0 0->*\n2: 1->2 0 0->*\n3: 2->3 0 0->*\n4: 3->0 0 0->*\n5: 0->1 0 0->*\n6: 1->2 0 0->*\n");
}

}  // namespace
}  // namespace quadrille
