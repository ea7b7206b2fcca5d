// Every mistake that a person makes gets a message at its place.
#include <doctest/doctest.h>

#include "compile_text.h"
#include "model/fabric_notation.h"
#include "model/topologies/complete.h"

namespace quadrille {
namespace {

// The first line of the messages for a body on a complete fabric of four processors.
std::string mistake(const std::string& body, const Arguments& arguments = {}) {
  const Compiled compiled = compile_text("fabric complete(4)\ncollective total_exchange\n" + body, arguments);
  if (compiled.table) return "no mistake";
  return compiled.messages.substr(0, compiled.messages.find('\n'));
}

TEST_CASE("each mistake has its message") {
  CHECK(mistake("send 0 -> kk\n") == "test.qd:3:11: error: unknown name 'kk'");
  CHECK(mistake("for kind in processors: send 0 -> kinf\n") ==
        "test.qd:3:35: error: unknown name 'kinf'; did you mean 'kind'?");
  CHECK(mistake("send 0 -> true\n") == "test.qd:3:11: error: this is a truth value; expected a node");
  CHECK(mistake("send 0 -> 4\n") == "test.qd:3:11: error: there is no processor 4; the fabric has processors 0 to 3");
  CHECK(mistake("send 2 -> 1 + 1\n") == "test.qd:3:1: error: processor 2 sends to itself");
  CHECK(mistake("send 0 -> switch(1, 0)\n") == "test.qd:3:11: error: there is no switch 1.0 in complete:4");
  CHECK(mistake("at 0: send 0 -> 1\n") == "test.qd:3:4: error: step 0; steps are numbered from 1");
  CHECK(mistake("at 2^31: send 0 -> 1\n") ==
        "test.qd:3:4: error: step 2147483648; the last step that a table may have is 2147483647");
  CHECK(mistake("at 2^63: send 0 -> 1\n") == "test.qd:3:4: error: 2 ^ 63 does not fit into 64 bits");
  CHECK(mistake("at 1 / 0: send 0 -> 1\n") == "test.qd:3:4: error: division by zero");
  CHECK(mistake("param k in 1..3\nat k: send 0 -> 1\n") ==
        "test.qd:3:7: error: parameter k is not given; expected 1 to 3, for example -D k=1");
  CHECK(mistake("param k in 1..3\nat k: send 0 -> 1\n", {{"k", "7"}}) == "error: parameter k is 7; expected 1 to 3");
  CHECK(mistake("send 0 -> 1\n", {{"j", "7"}}) == "error: test has no parameter 'j'");
  CHECK(mistake("procedure again(k):\n  again(k + 1)\nagain(0)\n") ==
        "test.qd:4:3: error: calls are nested too deep; does this recursion ever end?");
  CHECK(mistake("let f(x) = f(x)\nat f(1): send 0 -> 1\n") ==
        "test.qd:3:12: error: calls are nested too deep; does this recursion ever end?");
  CHECK(mistake("let x = y\nlet y = x\nat x: send 0 -> 1\n") ==
        "test.qd:4:9: error: the value of 'x' depends on itself");
  CHECK(mistake("let x = 1 / 0\nfor d in 1..3 in turn:\n  for e in 0..40:\n    if e + x == d: send 0 -> d\n") ==
        "test.qd:3:9: error: division by zero");
  CHECK(mistake("send 0 -> 1 carrying 2 -> 2\n") ==
        "test.qd:3:22: error: total_exchange has no packet 2->2; say which one with 'carrying'");
  CHECK(mistake("send 0 -> {1, 2}\n") ==
        "test.qd:3:11: error: a send to several brings all of them one packet, and total_exchange has one for each; "
        "expected a send for each, such as 'for t in {1, 2}: send 0 -> t'");
  CHECK(mistake("for k in processors: send k -> all\n") ==
        "test.qd:3:32: error: a send to several brings all of them one packet, and total_exchange has one for each; "
        "expected a send for each, such as 'for t in processors if t != 0: send 0 -> t'");
}

TEST_CASE("names of sets that stand for each other are no numbers") {
  CHECK(mistake("let s = t\nlet t = s\nfor d in s: send 0 -> d\n") ==
        "test.qd:5:10: error: the value of 's' depends on itself");
  CHECK(mistake("let a = b\nlet b = c\nlet c = d\nlet d = e\nlet e = {2}\nfor x in a: send 0 -> x\n") == "no mistake");
}

TEST_CASE("a channel that does not exist is named") {
  const Compiled compiled = compile_text("fabric ring(5)\ncollective total_exchange\nsend 0 -> 2 along 3\n");
  CHECK(compiled.messages.starts_with(
      "test.qd:3:19: error: there is no channel from 0 to 3 in ring:5; 4 is missing between them"));
}

// 0->1->2->0, and 1->0.
const char* const one_way = R"(graph:{"processors":3,"channels":[[0,1],[1,2],[2,0],[1,0]]})";

std::string mistake_on(const std::string& on, const std::string& text) {
  ElaborateOptions options;
  options.fabric = parse_fabric({"test", on}, 0).value();
  const Compiled compiled = compile_text("fabric complete(3)\n" + text, {}, options);
  if (compiled.table) return "no mistake";
  return compiled.messages.substr(0, compiled.messages.find('\n'));
}

TEST_CASE("what crosses a link that goes one way cannot be reversed") {
  CHECK(mistake_on(one_way, "collective reduce(root: 0)\nreverse:\n  send 0 -> 1\n  then send 1 -> 2\n") ==
        "test.qd:3:1: error: this cannot be reversed in time: the link 1->2 goes one way only");
  CHECK(mistake_on(one_way, "collective gather(root: 0)\nreverse:\n  send 0 -> 2\n") ==
        "test.qd:3:1: error: this cannot be reversed in time: the link 1->2 goes one way only");
  CHECK(mistake_on(one_way, "collective gather(root: 0)\nreverse: send 0 -> 1\n") == "no mistake");
  // Retimed, it is read and reversed on its own fabric, whose links go both ways.
  ElaborateOptions options;
  options.fabric = parse_fabric({"test", one_way}, 0).value();
  options.retime = true;
  const Compiled retimed =
      compile_text("fabric complete(3)\ncollective gather(root: 0)\nreverse: send 0 -> 2\n", {}, options);
  CHECK(retimed.table.has_value());
}

TEST_CASE("a route follows the links' direction") {
  const std::string dead_end = R"(graph:{"processors":3,"channels":[[0,1],[1,2],[1,0]]})";
  CHECK(mistake_on(dead_end, "collective broadcast(root: 2)\nsend 2 -> 0\n")
            .starts_with("test.qd:3:1: error: there is no route from 2 to 0 in "));
  CHECK(mistake_on(dead_end, "collective broadcast(root: 0)\nsend 0 -> 2\n") == "no mistake");
  CHECK(mistake_on(dead_end, "collective broadcast(root: 2)\nsend 2 -> 0 along 1\n")
            .starts_with("test.qd:3:19: error: there is no channel from 2 to 1 in "));
}

TEST_CASE("the loop variables' values are noted") {
  const Compiled compiled =
      compile_text("fabric complete(4)\ncollective total_exchange\nfor i in 1..3: at i: send 0 -> i + 1\n");
  CHECK(compiled.messages.find("with i = 3") != std::string::npos);
}

TEST_CASE("a target with another number of processors is refused") {
  ElaborateOptions options;
  options.fabric = Fabric::make(Complete(5, 1), {}).value();
  const Compiled compiled = compile_text("fabric complete(4)\ncollective total_exchange\n", {}, options);
  CHECK(compiled.messages.find("the schedule is for 4 processors here; complete:5 has 5") != std::string::npos);
}

}  // namespace
}  // namespace quadrille
