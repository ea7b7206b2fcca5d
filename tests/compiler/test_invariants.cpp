// What `invariant` says, evaluated: sets as ranges, and what a statement leaves out.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <set>
#include <string>
#include <vector>

#include "tests/compiler/compile_text.h"

namespace {

using namespace quadrille;

// All statements of the only invariant, a line each: "1: 2 ->0 part 1 >= 0-2, 5"; or what is wrong.
std::string said(const std::string& text) {
  const Compiled compiled = compile_text(text);
  if (!compiled.table) return compiled.messages;
  const TableInvariant& invariant = compiled.table->invariants.at(0);
  const auto steps = invariant.steps({});
  if (!steps) return steps.diagnostics().front().message;
  std::string result;
  for (const std::uint32_t step : *steps) {
    const auto wrong = invariant.statements(step, {}, [&](const HeldOrigins& it) {
      result += fmt::format("{}: {}", step, it.processor.value);
      if (it.target) result += fmt::format(" ->{}", *it.target);
      if (it.part > 0) result += fmt::format(" part {}", it.part);
      result += it.at_least ? " >=" : " ==";
      for (const OriginRange& range : it.origins) result += fmt::format(" {}..{}", range.first, range.last);
      result += "\n";
      return true;
    });
    if (wrong) return wrong->message;
  }
  return result;
}

std::string of_allgather(const std::string& line) { return said("fabric ring(6)\ncollective allgather\n" + line); }

}  // namespace

TEST_CASE("a range mod a number is a cyclic interval") {
  for (int a = -7; a <= 7; ++a) {
    for (int b = a - 2; b <= a + 8; ++b) {
      for (int m = 1; m <= 6; ++m) {
        std::set<int> all;
        for (int x = a; x <= b; ++x) all.insert(((x % m) + m) % m);
        std::string listed;
        for (const int x : all) listed += fmt::format("{}{}", listed.empty() ? "" : ", ", x);
        const std::string range =
            of_allgather(fmt::format("invariant after t in 1..1: held(0) == {{{} .. {}}} mod {}\n",
                                     fmt::format(fmt::runtime(a < 0 ? "0 - {}" : "{}"), a < 0 ? -a : a),
                                     fmt::format(fmt::runtime(b < 0 ? "0 - {}" : "{}"), b < 0 ? -b : b), m));
        CHECK(range == of_allgather(fmt::format("invariant after t in 1..1: held(0) == {{{}}}\n", listed)));
      }
    }
  }
  CHECK(of_allgather("invariant after t in 1..1: held(0) == (3 downto 0) mod 3\n") == "1: 0 == 0..2\n");
  CHECK(of_allgather("invariant after t in 1..1: held(0) == {1..3} mod (0 - 3)\n") == "1: 0 == -2..0\n");
  CHECK(of_allgather("invariant after t in 1..1: held(0) == {1..3} mod 0\n").find("mod 0") != std::string::npos);
}

TEST_CASE("S mod N is a set everywhere") {
  const Compiled compiled = compile_text(
      "fabric ring(4)\ncollective allgather\n"
      "at size({3, 7, 11} mod 4): for k in {2 .. 5} mod 4: send k -> (k + 1) mod n\n");
  REQUIRE_MESSAGE(compiled.table, compiled.messages);
  CHECK(rows_text(*compiled.table) == "1: 0->1 0 0->*\n1: 1->2 0 1->*\n1: 2->3 0 2->*\n1: 3->0 0 3->*\n");
}

TEST_CASE("loops and conditions of invariants say what they are said for") {
  CHECK(of_allgather("invariant after t in {2, 0}:\n"
                     "  for k in 0..2 if k != 1: held(k) contains {k} when k + t != 2\n"
                     "  held(5) == {4, 5, 1}\n") ==
        "0: 0 >= 0..0\n0: 5 == 1..1 4..5\n2: 2 >= 2..2\n2: 5 == 1..1 4..5\n");
}

TEST_CASE("what a statement leaves out is what the collective implies") {
  CHECK(said("fabric ring(3)\ncollective broadcast(root: 2)\ninvariant after t in 0..0: held(1) == {}\n") ==
        "0: 1 ==\n");
  CHECK(said("fabric ring(3)\ncollective gather(root: 2)\ninvariant after t in 0..0: held(1) == {1}\n") ==
        "0: 1 ->2 == 1..1\n");
  CHECK(said("fabric ring(3)\ncollective total_exchange(parts: 2)\n"
             "invariant after t in 0..0: for p in parts: held(1, -> 0 part p) == {1}\n") ==
        "0: 1 ->0 == 1..1\n0: 1 ->0 part 1 == 1..1\n");
  CHECK(said("fabric ring(3)\ncollective reduce_scatter\n"
             "invariant after t in 0..0: for p in parts: held(1, p) == {1}\n") ==
        "0: 1 == 1..1\n0: 1 part 1 == 1..1\n0: 1 part 2 == 1..1\n");
  CHECK(said("fabric ring(3)\ncollective custom:\n  chunk 0 -> * part 1\n"
             "invariant after t in 0..0: held(1, -> * part 1) == {}\n") == "0: 1 part 1 ==\n");
  CHECK(said("fabric ring(3)\ncollective total_exchange\ninvariant after t in 0..0: held(1) == {1}\n") ==
        "expected for whom the chunks are, as in held(k, -> d)");
  CHECK(said("fabric ring(3)\ncollective allreduce\ninvariant after t in 0..0: held(1, -> 0) == {1}\n") ==
        "a partial reduction has no addressee; allreduce combines");
}

TEST_CASE("what does not exist is no invariant") {
  CHECK(of_allgather("invariant after t in {0 - 1}: held(1) == {1}\n") == "there is no step -1");
  CHECK(of_allgather("invariant after t in 0..0: held(1, 1) == {1}\n") == "there is no part 1");
  CHECK(of_allgather("invariant after t in 0..0: held(6) == {1}\n").find("there is no processor 6") !=
        std::string::npos);
}
