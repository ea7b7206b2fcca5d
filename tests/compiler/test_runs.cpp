// `run` and blocks of processors: what the sends of another schedule are in this one.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <string>

#include "compile_text.h"

namespace quadrille {
namespace {

const std::string scatter_sums =
    "param N in 1..\nfabric complete(N, timing: rounds)\ncollective reduce_scatter\n"
    "for i in processors, j in processors if i != j: send i -> j carrying part j\n";
const std::string gather_all =
    "param N in 1..\nfabric complete(N, timing: rounds)\ncollective allgather\n"
    "for i in processors, j in processors if i != j: send i -> j\n";

const std::map<std::string, std::string> included_files = {
    {"sums.qd", scatter_sums},
    {"all.qd", gather_all},
    {"lib/all.qd", gather_all},
    {"steps.qd",
     "param N in 2..\nfabric ring(N)\ncollective allgather\n"
     "for t in 1..n-1: at t: for k in processors: send k -> (k + 1) mod n carrying (k - t + 1) mod n\n"},
    {"tree.qd", "fabric fat_tree(levels: 2)\ncollective allgather\nsend 0 -> 1 along switch(1, 0)\n"},
    {"carried.qd",
     "param N in 2..\nfabric complete(N, timing: rounds)\ncollective allgather\nsend 0 -> 1 carrying held\n"},
    {"kinds.qd",
     "param c: pattern = [1, 2]\nparam s: set\nparam l: list = [1]\nparam k in 1..4\nfabric complete(8)\n"
     "collective total_exchange\nfor x in s: at c(1): send k -> x\nthen send k -> l[0]\n"},
    {"pair.qd",
     "include \"all.qd\"\nparam k in 1..\nfabric complete(2*k, timing: rounds)\ncollective allgather\n"
     "for v in 0..1: relabel x -> v*k + x of k: run all(N: n)\n"},
    {"wrong.qd", "fabric complete(4)\ncollective allgather\nsend 0 -> where\n"},
    {"names.qd", "let M = 3\nfabric complete(4)\ncollective allgather\nprocedure p():\n  send 0 -> M\np()\n"}};

Compiled compile_files(std::string text, const Arguments& arguments = {}) {
  Sources sources;
  const auto read = [](const std::string& name) {
    const auto found = included_files.find(name);
    return found == included_files.end() ? std::optional<std::string>() : found->second;
  };
  const auto program = load({"test.qd", std::move(text)}, read, sources);
  if (!program) return {std::nullopt, render(program.diagnostics(), sources)};
  const auto schedule = compile(*program, "test");
  if (!schedule) return {std::nullopt, render(schedule.diagnostics(), sources)};
  auto table = elaborate(*schedule, arguments);
  if (!table) return {std::nullopt, render(table.diagnostics(), sources)};
  return {*table, {}};
}

std::string rows_with_files(std::string text, const Arguments& arguments = {}) {
  const Compiled compiled = compile_files(std::move(text), arguments);
  INFO(compiled.messages);
  REQUIRE(compiled.table);
  return rows_text(*compiled.table);
}

// The first line of what is said.
std::string first_message(std::string text) {
  const std::string messages = compile_files(std::move(text)).messages;
  return messages.substr(0, messages.find('\n'));
}

std::string complete_graph(int processors, const std::string& collective) {
  return fmt::format("fabric complete({}, timing: rounds)\ncollective {}\n", processors, collective);
}

TEST_CASE("an all-reduce by levels is a reduce-scatter and an all-gather in each level") {
  const std::string head =
      "param s in 1..8\nparam g in 1..8\nfabric complete(s*g, timing: rounds)\ncollective allreduce(parts: s*g)\n";
  const std::string by_runs =
      head +
      "include \"sums.qd\"\ninclude \"all.qd\"\n"
      "for v in 0..s-1: relabel x -> v*g + x of g part q -> q*s..q*s + s-1: run sums(N: g)\n"
      "then for i in 0..g-1: relabel x -> x*g + i of s part q -> i*s + q: run sums(N: s)\n"
      "then for i in 0..g-1: relabel x -> x*g + i of s part q -> i*s + q: run all(N: s)\n"
      "then for v in 0..s-1: relabel x -> v*g + x of g part q -> q*s..q*s + s-1: run all(N: g)\n";
  const std::string written_out =
      head +
      "procedure sums(m, first, block, width):\n  for i in 0..m-1, j in 0..m-1 if i != j:\n"
      "    send i -> j carrying part first + j*block..first + j*block + width - 1\n"
      "procedure all_of(m, first, block, width):\n  for i in 0..m-1, j in 0..m-1 if i != j:\n"
      "    send i -> j carrying part first + i*block..first + i*block + width - 1\n"
      "for v in 0..s-1: relabel x -> v*g + x: sums(g, 0, s, s)\n"
      "then for i in 0..g-1: relabel x -> x*g + i: sums(s, i*s, 1, 1)\n"
      "then for i in 0..g-1: relabel x -> x*g + i: all_of(s, i*s, 1, 1)\n"
      "then for v in 0..s-1: relabel x -> v*g + x: all_of(g, 0, s, s)\n";
  for (int s = 1; s <= 4; ++s) {
    for (int g = 1; g <= 4; ++g) {
      if (s * g == 1) continue;
      const Arguments arguments = {{"s", fmt::to_string(s)}, {"g", fmt::to_string(g)}};
      CAPTURE(s);
      CAPTURE(g);
      CHECK(rows_with_files(by_runs, arguments) == rows_with_files(written_out, arguments));
    }
  }
}

TEST_CASE("what belongs to a processor goes with it, unless a relabelling says which parts it is") {
  const std::string all = "include \"all.qd\"\n";
  CHECK(rows_with_files(complete_graph(6, "allgather") + all + "relabel x -> 2*x + 1 of 2: run all(N: 2)\n") ==
        "1: 1->3 0 1->*\n1: 3->1 0 3->*\n");
  CHECK(rows_with_files(complete_graph(6, "allgather") + all +
                        "relabel x -> 2*x + 1 of 2 carrying x -> {x, 5}: run all(N: 2)\n") ==
        "1: 1->3 0 0->*\n1: 1->3 0 5->*\n1: 3->1 0 1->*\n1: 3->1 0 5->*\n");
  CHECK(rows_with_files(complete_graph(6, "allgather") + all +
                        "relabel x -> 2*x + 1 part q -> q + 4: run all(N: 2)\n") == "1: 1->3 0 4->*\n1: 3->1 0 5->*\n");
  CHECK(rows_with_files(complete_graph(4, "allgather(parts: 2)") + all +
                        "relabel x -> x part q -> 2*q..2*q + 1: run all(N: 2)\n") ==
        "1: 0->1 0 0->* part 0\n1: 0->1 0 0->* part 1\n1: 1->0 0 1->* part 0\n1: 1->0 0 1->* part 1\n");
  CHECK(rows_with_files(complete_graph(3, "broadcast(root: 2, parts: 3)") + all +
                        "relabel x -> 2 - x: run all(N: 2)\n") == "1: 1->2 0 2->* part 1\n1: 2->1 0 2->* part 2\n");
  CHECK(rows_with_files(complete_graph(3, "allreduce(parts: 3)") + all + "run all(N: 2)\n") ==
        "1: 0->1 0 0->1 part 0\n1: 1->0 0 1->0 part 1\n");
}

TEST_CASE("a block has as many processors as it says, and so has what is called in it") {
  const std::string each =
      "let last = n - 1\nprocedure each():\n  send 0 -> all carrying 0 part {p for p in parts}\n"
      "  send last -> 0\n";
  CHECK(rows_with_files(complete_graph(6, "allgather(parts: 5)") + each +
                        "relabel x -> x + 3 of 2 part q -> 2*q: each()\n") ==
        "1: 3->4 0 3->* part 0\n1: 3->4 0 3->* part 2\n1: 4->3 0 4->* part 0\n");
  CHECK(rows_with_files(complete_graph(6, "allgather") + "for S in {{1, 2}}: send 0 -> 1\n", {}) != "");
}

TEST_CASE("sets that a block's statements use come from outside and go in") {
  CHECK(rows_with_files(complete_graph(6, "allgather") +
                        "for k in 0..1:\n  let two = {k, 2}\n  relabel x -> 2*x of 3 carrying y -> two:\n"
                        "    let here = {p + k for p in two}\n"
                        "    for p in here if p < n: send p -> (p + 1) mod n\n") ==
        "1: 0->2 0 0->*\n1: 0->2 0 2->*\n1: 4->0 0 0->*\n1: 4->0 0 1->*\n1: 4->0 0 2->*\n1: 4->0 0 2->*\n");
}

TEST_CASE("runs nest, in files that are run and under reversals") {
  const std::string all = "include \"all.qd\"\n";
  CHECK(rows_with_files(complete_graph(8, "allgather") +
                        "include \"pair.qd\"\nrelabel x -> 7 - x of 4: run pair(k: 2)\n") ==
        "1: 4->5 0 4->*\n1: 5->4 0 5->*\n1: 6->7 0 6->*\n1: 7->6 0 7->*\n");
  CHECK(rows_with_files(complete_graph(4, "allreduce(parts: 9)") +
                        "include \"pair.qd\"\nrelabel x -> x part q -> {2*q, 8}: run pair(k: 2)\n") ==
        "1: 0->1 0 0->1 part 0\n1: 0->1 0 0->1 part 8\n1: 1->0 0 1->0 part 2\n1: 1->0 0 1->0 part 8\n"
        "1: 2->3 0 2->3 part 4\n1: 2->3 0 2->3 part 8\n1: 3->2 0 3->2 part 6\n1: 3->2 0 3->2 part 8\n");
  CHECK(rows_with_files(complete_graph(2, "allreduce(parts: 2)") + all + "at 2: reverse: run all(N: 2)\n") ==
        "2: 0->1 0 0->1 part 1\n2: 1->0 0 1->0 part 0\n");
}

TEST_CASE("each kind of parameter is given to a file that is run") {
  CHECK(rows_with_files("fabric complete(8)\ncollective total_exchange\nparam d: pattern = [3]\ninclude \"kinds.qd\"\n"
                        "let targets = {4, 5}\nrun kinds(s: targets, k: 2, c: d, l: [7, 1])\n") ==
        "3: 2->4 0 2->4\n3: 2->5 0 2->5\n4: 2->7 0 2->7\n");
}

TEST_CASE("a file that is run keeps its names to itself") {
  CHECK(rows_with_files(
            "include \"names.qd\"\ninclude \"lib/all.qd\"\nfabric complete(5)\ncollective allgather\nlet M = 1\n"
            "procedure p():\n  send 1 -> 0\nparam N in 1..9 = 2\nat M: run names\nthen p()\n") ==
        "1: 0->3 0 0->*\n2: 1->0 0 1->*\n");
}

TEST_CASE("a schedule in steps is run in rounds, a send being a message") {
  CHECK(rows_with_files(complete_graph(4, "allgather") +
                        "include \"steps.qd\"\nrelabel x -> 2*x of 2: run steps(N: 2)\n") ==
        "1: 0->2 0 0->*\n1: 2->0 0 2->*\n");
}

TEST_CASE("a mistake in a file that is run comes with the places where it is run") {
  const Compiled compiled = compile_files(complete_graph(4, "allreduce(parts: 3)") +
                                          "include \"pair.qd\"\nfor i in 0..1:\n  relabel x -> x: run pair(k: 2)\n");
  CHECK(compiled.messages ==
        "all.qd:4:59: error: allreduce:parts=3 has no packet 3->2 part 3; say which one with 'carrying'\n"
        "for i in processors, j in processors if i != j: send i -> j\n"
        "                                                          ^\n"
        "note: with i = 1, j = 0\n"
        "pair.qd:5:43: note: 'all' is run here, with v = 1\n"
        "for v in 0..1: relabel x -> v*k + x of k: run all(N: n)\n"
        "                                          ^~~~~~~~~~~~~\n"
        "test.qd:5:19: note: 'pair' is run here, with i = 0\n"
        "  relabel x -> x: run pair(k: 2)\n"
        "                  ^~~~~~~~~~~~~~\n");
}

TEST_CASE("what cannot be run is said where it is run") {
  const std::string all = "include \"all.qd\"\n";
  CHECK(first_message(complete_graph(4, "allgather") + "run all(N: 2)\n") ==
        "test.qd:3:5: error: no included file is named 'all'; expected a line such as 'include \"all\"'");
  CHECK(first_message(complete_graph(4, "allgather") + all + "run all\n") ==
        "test.qd:4:5: error: parameter N of 'all' is not given; expected 'run all(N: …)'");
  CHECK(first_message(complete_graph(4, "allgather") + all + "run all(4)\n") ==
        "test.qd:4:9: error: expected a parameter of 'all' and its value; it has N");
  CHECK(first_message(complete_graph(4, "allgather") + all + "run all(M: 4)\n") ==
        "test.qd:4:9: error: 'all' has no parameter 'M'; it has N");
  CHECK(first_message(complete_graph(4, "allgather") + all + "run all(N: 4, N: 3)\n") ==
        "test.qd:4:15: error: 'N' is given twice");
  CHECK(first_message(complete_graph(4, "allgather") + all + "run all(N: 0)\n") ==
        "test.qd:4:1: error: parameter N is 0; expected at least 1");
  CHECK(first_message(complete_graph(4, "allgather") + all + "run all(N: {1})\n") ==
        "test.qd:4:12: error: this is a set of numbers; expected a number");
  CHECK(first_message(complete_graph(4, "allgather") + all + "run all(N: 5)\n") ==
        "test.qd:4:1: error: all is for 5 processors, and here are 4");
  CHECK(first_message(complete_graph(4, "allgather") + all + "relabel x -> x of 3: run all(N: 2)\n") ==
        "test.qd:4:22: error: all is for 2 processors, and this block has 3");
  CHECK(first_message(complete_graph(4, "allgather") + "relabel x -> x of 5: send 0 -> 1\n") ==
        "test.qd:3:19: error: a block of 5 processors; expected 1 to 4");
  CHECK(first_message(complete_graph(4, "allgather") + "relabel x -> x of 2: send 0 -> 2\n") ==
        "test.qd:3:32: error: there is no processor 2; this block has processors 0 to 1");
  CHECK(first_message(complete_graph(4, "broadcast(root: 0)") + "include \"sums.qd\"\nrun sums(N: 4)\n") ==
        "sums.qd:4:59: error: reduce_scatter cannot run inside of broadcast:root=0");
  CHECK(first_message(complete_graph(4, "total_exchange") + all + "run all(N: 4)\n") ==
        "all.qd:4:59: error: allgather cannot run inside of total_exchange");
  CHECK(first_message("fabric complete(4)\ncollective allgather\n" + all + "run all(N: 4)\n") ==
        "test.qd:4:1: error: all counts rounds, and this schedule counts steps; expected `timing: rounds` in its line "
        "`fabric`");
  CHECK(first_message("fabric complete(4)\ncollective allgather\ninclude \"tree.qd\"\nrun tree\n") ==
        "tree.qd:3:19: error: a schedule that is run goes along no switch of its own fabric, such as 1.0; only along "
        "processors");
  CHECK(first_message(complete_graph(4, "allgather") + "include \"carried.qd\"\nrun carried(N: 4)\n") ==
        "carried.qd:4:1: error: `carrying held` says nothing in a schedule that is run: what is held there, the whole "
        "schedule tells");
  CHECK(first_message(complete_graph(4, "allgather") + "include \"wrong.qd\"\nrun wrong\n") ==
        "wrong.qd:3:11: error: unknown name 'where'");
  CHECK(first_message(complete_graph(4, "allgather") + all + "include \"lib/all.qd\"\nrun all(N: 4)\n") ==
        "test.qd:4:9: error: two included files have the name 'all', which is run here");
  CHECK(first_message(complete_graph(4, "allreduce(parts: 2)") + all + "run all(N: 4)\n") ==
        "all.qd:4:59: error: allreduce:parts=2 has no packet 2->0 part 2; say which one with 'carrying'");
}

}  // namespace
}  // namespace quadrille
