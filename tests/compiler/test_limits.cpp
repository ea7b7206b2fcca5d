// Promises about time and memory: what takes too long ends, and says why.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <malloc.h>

#include <string>

#include "dsl/parse.h"
#include "model/topologies/star.h"
#include "tests/compiler/compile_text.h"

namespace quadrille {
namespace {

const std::string machine = "fabric complete(4)\ncollective total_exchange\n";

Limits already_past() {
  Limits limits;
  limits.deadline = Limits::Clock::time_point::min();
  return limits;
}

Limits already_stopped() {
  std::stop_source source;
  source.request_stop();
  Limits limits;
  limits.stop = source.get_token();
  return limits;
}

// Why there is no table.
Reason refusal(const std::string& text, const Limits& limits = {}, std::uint64_t iterations = 1'000'000) {
  Sources sources;
  const auto program = load(
      {"test.qd", text}, [](const std::string&) { return std::nullopt; }, sources);
  REQUIRE_MESSAGE(program.ok(), render(program.diagnostics(), sources));
  const auto schedule = compile(*program, "test");
  REQUIRE_MESSAGE(schedule.ok(), render(schedule.diagnostics(), sources));
  ElaborateOptions options;
  options.limits = limits;
  options.iterations = iterations;
  const auto table = elaborate(*schedule, {}, options);
  return table ? Reason::none : reason_of(table.diagnostics());
}

}  // namespace

TEST_CASE("repeating what sends nothing costs nothing") {
  CHECK(refusal(machine + "repeat 2^40 times:\n  if n > 5: send 0 -> 1\n") == Reason::none);
  CHECK(
      refusal(machine + "repeat 2^40 times:\n  let x = 1\n  repeat 2^50 times: if x > 1: send 0 -> 1\nsend 0 -> 1\n") ==
      Reason::none);
}

// 8 sets of 1,000 tries each; 56 if they were made anew for each send.
TEST_CASE("a set that does not depend on the innermost loop is made once") {
  const std::string sends =
      "fabric complete(8, timing: rounds)\ncollective broadcast(root: 0, parts: 1000)\n"
      "let given(g) = {p for p in 0..999 if p mod 8 == g}\n"
      "for g in 0..7, h in 0..7 if h != g: at g + 1: send g -> h carrying 0 -> * part given(g)\n";
  CHECK(refusal(sends, {}, 40'000) == Reason::none);
  CHECK(refusal(sends, {}, 7'000) == Reason::limit);
}

TEST_CASE("loops, calls and sets without end are limits") {
  CHECK(refusal(machine + "for x in 1..2^62: if x < 0: send 0 -> 1\n") == Reason::limit);
  CHECK(refusal(machine + "for x in 1..2^62 in turn: if x < 0: send 0 -> 1\n") == Reason::limit);
  CHECK(refusal(machine + "at size({x for x in 1..2^40 if x < 0}): send 0 -> 1\n") == Reason::limit);
  Limits some_memory;
  some_memory.memory = std::uint64_t{64} << 20;
  CHECK(refusal(machine + "at size({x for x in 1..2^27}): send 0 -> 1\n", some_memory, std::uint64_t{1} << 40) ==
        Reason::limit);
  CHECK(refusal(machine + "let f(x) = if x < 2 then 1 else f(2 * x) + f(2 * x + 1)\nat f(2): send 0 -> 1\n", {}, 20) ==
        Reason::limit);
  CHECK(refusal(machine + "procedure p(x):\n  for y in 1..2: p(x - 1)\np(60)\n", {}, 1000) == Reason::limit);
}

TEST_CASE("elements of sets count, too") {
  const auto loop = [](const std::string& set) {
    return machine + "let S = {x * 2 for x in 1..6400}\nfor x in 1..1000:\n  let s = " + set +
           "\n  if size(s) < 0: send 0 -> x mod 4\n";
  };
  CHECK(refusal(loop("{x}"), {}, 40'000) == Reason::none);
  CHECK(refusal(loop("1..6400"), {}, 400'000) == Reason::none);
  CHECK(refusal(loop("1..6400"), {}, 100'000) == Reason::limit);
  CHECK(refusal(loop("S"), {}, 100'000) == Reason::limit);
}

TEST_CASE("sets that need more than the memory are a limit") {
  Limits limits;
  limits.memory = std::uint64_t{5} << 20;
  std::string ranges = machine + "procedure p():\n";
  std::string lists = machine + "procedure p():\n";
  for (int i = 0; i < 20; ++i) {
    ranges += fmt::format("  let s{} = 1..2^18\n", i);
    lists += fmt::format("  let s{} = {{x * 2 for x in 1..2^18}}\n", i);
  }
  constexpr std::uint64_t many = std::uint64_t{1} << 30;
  for (const std::string& text : {ranges, lists}) {
    CHECK(refusal(text + "  if size(s0) < 5: send 0 -> 1\np()\n", limits, many) == Reason::limit);
    CHECK(refusal(text + "  if size(s0) < 5: send 0 -> 1\np()\n", {}, many) == Reason::none);
  }
}

TEST_CASE("a schedule whose text needs more than the memory is a limit") {
  std::string text = machine;
  for (int i = 0; i < 100'000; ++i) text += "at 1 + 2 + 3: send 0 -> 1 + 2\n";
  malloc_trim(0);  // memory that other cases have freed would be taken again unseen
  Limits limits;
  limits.memory = std::uint64_t{2} << 20;
  const auto file = parse({"test.qd", text}, 0, limits);
  REQUIRE(!file.ok());
  CHECK(reason_of(file.diagnostics()) == Reason::limit);
  Sources sources;
  const auto program = load(
      {"test.qd", text}, [](const std::string&) { return std::nullopt; }, sources);
  REQUIRE(program.ok());
  CHECK(reason_of(compile(*program, "test", {.limits = limits}).diagnostics()) == Reason::limit);
}

TEST_CASE("calls that double are no more work than their chain") {
  std::string procedures = machine;
  std::string functions = machine;
  for (int i = 0; i < 60; ++i) {
    procedures += fmt::format("procedure a{}(x):\n  a{}(x)\n  then a{}(x)\n", i, i + 1, i + 1);
    functions += fmt::format("let f{}(x) = (f{}(x) + f{}(x)) mod 1000\n", i, i + 1, i + 1);
  }
  const std::string silent = "procedure a60(x): if n > 5: send 0 -> 1\na0(7)\n";
  CHECK(refusal(procedures + silent, {}, 10'000) == Reason::none);
  CHECK(refusal(functions + "let f60(x) = x\nat f0(1) + 1: send 0 -> 1\n", {}, 10'000) == Reason::none);
  CHECK(refusal(machine + "let f(x) = if x < 2 then 1 else (f(x - 1) + f(x - 2)) mod 97\nat 1 + f(80): send 0 -> 1\n",
                {}, 10'000) == Reason::none);
  // What sends something is no less work.
  CHECK(refusal(procedures + "procedure a60(x): send 0 -> 1\na0(7)\n", {}, 10'000) == Reason::limit);
}

TEST_CASE("what a call sent nothing for, another may send for") {
  const std::string some =
      "procedure p(x, w):\n  for y in 1..100, z in 1..1:\n    if x == w: at y: send 0 -> 1\n"
      "p(1, 2)\np(1, 2)\np(2, 2)\n";
  const Compiled compiled = compile_text(machine + some);
  REQUIRE_MESSAGE(compiled.table, compiled.messages);
  CHECK(compiled.table->rows->row_count() == 100);
  const std::string sets =
      "let f(s: set, x) = sum(y + x for y in s)\nlet g(k) = f(1..k, 5)\nat g(100): send 0 -> 1\nat g(101): send 0 -> "
      "1\n";
  const Compiled of_sets = compile_text(machine + sets);
  REQUIRE_MESSAGE(of_sets.table, of_sets.messages);
  CHECK(of_sets.table->rows->last_step() == StepId(101 * 51 + 505));
}

TEST_CASE("statements count, as loops do") {
  std::string text = machine + "for x in 1..100:\n";
  for (int i = 0; i < 100; ++i) text += "  if x < 0: send 0 -> 1\n";
  CHECK(refusal(text, {}, 10'000) == Reason::none);
  CHECK(refusal(text, {}, 9'000) == Reason::limit);
}

TEST_CASE("a range of more elements than loops may run is refused before its first") {
  const std::string wrong_at_first = machine + "for x in 1..2^62: send x + 9 -> 1\n";
  CHECK(refusal(wrong_at_first) == Reason::limit);
  CHECK(refusal(machine + "for x in 2^62 downto 1, y in 1..1: send x -> 1\n") == Reason::limit);
  CHECK(refusal(machine + "for y in 1..1000, x in 1..1000: if x < 0: send 0 -> 1\n") == Reason::limit);
  CHECK(refusal(machine + "at sum(1/(x - 1) for x in 1..2^62): send 0 -> 1\n") == Reason::limit);
  CHECK(refusal(machine + "for x in 1..1000000: if x < 0: send 0 -> 1\n") == Reason::none);
}

TEST_CASE("a variable named limit makes no mistake a limit") {
  CHECK(refusal(machine + "for limit in 1..3: send 0 -> limit + 5\n") == Reason::none);
  const Compiled compiled = compile_text(machine + "for limit in 1..3: send 0 -> limit + 5\n");
  REQUIRE(!compiled.table);
  CHECK(compiled.messages.find("with limit = 1") != std::string::npos);
}

TEST_CASE("a deadline and a stop end the work, whatever it is") {
  const std::string loop = machine + "for x in 1..900000: if x < 0: send 0 -> 1\n";
  const std::string queues = machine + "by fifo: for r in 1..3000, k in processors: send k -> (k + 1) mod n\n";
  for (const std::string& text : {loop, queues}) {
    CHECK(refusal(text, already_past()) == Reason::timeout);
    CHECK(refusal(text, already_stopped()) == Reason::cancelled);
  }
}

TEST_CASE("retiming ends at a deadline") {
  ElaborateOptions options;
  options.retime = true;
  options.fabric = Fabric::make(Star(4), {}).value();
  options.limits = already_stopped();
  Sources sources;
  const auto program = load(
      {"test.qd", machine + "for r in 1..300: send 0 -> 1\n"}, [](const std::string&) { return std::nullopt; },
      sources);
  const auto table = elaborate(compile(*program, "test").value(), {}, options);
  REQUIRE(!table.ok());
  CHECK(reason_of(table.diagnostics()) == Reason::cancelled);
}

TEST_CASE("times that need more than the memory are a limit") {
  Limits limits;
  limits.memory = 100'000;
  CHECK(refusal(machine + "for i in 1..10000: at i: send 0 -> 1\n", limits) == Reason::limit);
  CHECK(refusal(machine + "by fifo: for r in 1..1000: send 0 -> 1\n", limits) == Reason::limit);
}

TEST_CASE("a fabric that needs more than the memory is a limit") {
  Limits limits;
  limits.memory = 1 << 20;
  CHECK(refusal("fabric hypercube(14)\ncollective total_exchange\nsend 0 -> 1\n", limits) == Reason::limit);
  CHECK(refusal("fabric complete(10)\ncollective total_exchange\nsend 0 -> 1\n", limits) == Reason::none);
}

TEST_CASE("rows that are made at a deadline end early, and the cursor says so") {
  std::stop_source source;
  ElaborateOptions options;
  options.limits.stop = source.get_token();
  const Compiled compiled =
      compile_text(machine + "for r in 1..10000: at r: for k in processors: send k -> (k + 1) mod n\n", {}, options);
  REQUIRE_MESSAGE(compiled.table, compiled.messages);
  const auto whole = compiled.table->rows->open();
  while (whole->next()) continue;
  CHECK(whole->ended_early() == Reason::none);
  const auto cut = compiled.table->rows->open();
  CHECK(cut->next());
  source.request_stop();
  while (cut->next()) continue;
  CHECK(cut->ended_early() == Reason::cancelled);
  CHECK(!cut->next());
}

TEST_CASE("compiling ends at a deadline and a stop") {
  std::string text = machine;
  for (int i = 0; i < 10'000; ++i) text += "at 1: send 0 -> 1\n";
  Sources sources;
  const auto program = load(
      {"test.qd", text}, [](const std::string&) { return std::nullopt; }, sources);
  REQUIRE(program.ok());
  CHECK(reason_of(compile(*program, "test", {.limits = already_past()}).diagnostics()) == Reason::timeout);
  CHECK(reason_of(compile(*program, "test", {.limits = already_stopped()}).diagnostics()) == Reason::cancelled);
  CHECK(compile(*program, "test").ok());
}

TEST_CASE("parsing ends at a deadline") {
  std::string text;
  for (int i = 0; i < 10'000; ++i) text += "at 1: send 0 -> 1\n";
  const auto file = parse({"test.qd", text}, 0, already_past());
  REQUIRE(!file.ok());
  CHECK(reason_of(file.diagnostics()) == Reason::timeout);
  REQUIRE(file.diagnostics().size() == 1);
}

TEST_CASE("many names in one block take no more than their own room") {
  std::string text = machine + "procedure p():\n";
  for (int i = 0; i < 50'000; ++i) text += "  let x" + std::to_string(i) + " = " + std::to_string(i) + "\n";
  text += "  at x49999: send 0 -> 1\np()\n";
  CHECK(refusal(text) == Reason::none);
}

TEST_CASE("of many mistakes the first twenty are told") {
  std::string text = machine;
  for (int i = 0; i < 20'000; ++i) text += "let y" + std::to_string(i) + " = z" + std::to_string(i) + "\n";
  Sources sources;
  const auto program = load(
      {"test.qd", text}, [](const std::string&) { return std::nullopt; }, sources);
  REQUIRE(program.ok());
  CHECK(compile(*program, "test").diagnostics().size() == 20);
}

}  // namespace quadrille
