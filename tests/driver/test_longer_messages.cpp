// Schedules of whole messages taken for messages in parts.
#include <doctest/doctest.h>

#include <string>

#include "driver/search/known_schedules.h"
#include "tests/compiler/compile_text.h"
#include "verifier/check.h"

namespace quadrille::tests {

using driver::in_one_part;
using driver::with_longer_messages;

namespace {

Collective named(const std::string& notation) { return parse_collective({"", notation}, 0, 4).value(); }

TEST_CASE("a schedule of whole messages is right, and as many times as long, with messages in parts") {
  const std::string head = "fabric complete(4, ports: single, timing: rounds)\n";
  const std::string doubling = "for i in 0..1 in turn:\n  for p in processors: send p -> p xor 2^i";
  struct Case {
    std::string collective, sends;
  };
  for (const Case& it : {Case{"allreduce", doubling + "\n"},
                         {"allgather", doubling + " carrying held\n"},
                         {"total_exchange", "for d in 1..3 in turn:\n  for p in processors: send p -> (p + d) mod 4\n"},
                         {"reduce", "at 1: send 1 -> 0\nat 1: send 3 -> 2\nat 2: send 2 -> 0\n"}}) {
    CAPTURE(it.collective);
    const Compiled compiled = compile_text(head + "collective " + it.collective + "\n" + it.sends, {}, {});
    REQUIRE_MESSAGE(compiled.table, compiled.messages);
    const Report whole = check(*compiled.table);
    REQUIRE(whole.verdict == Verdict::holds);
    const auto parts = with_longer_messages(*compiled.table, named(it.collective + ":parts=3"));
    REQUIRE(parts);
    const Report report = check(*parts);
    CHECK(report.verdict == Verdict::holds);
    CHECK(report.steps == whole.steps);
    CHECK(report.volume.value() == 3 * whole.volume.value());
  }
}

TEST_CASE("what has one part, or a list of packets, has no fewer") {
  CHECK_FALSE(in_one_part(named("allgather")));
  CHECK(in_one_part(named("allgather:parts=2"))->notation() == "allgather");
}

}  // namespace
}  // namespace quadrille::tests
