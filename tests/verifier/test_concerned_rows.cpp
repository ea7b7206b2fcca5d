// A violation names every row that it is about: by hand for each property, and on random tables by what must be true of
// such rows.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "model/fabric_notation.h"
#include "tests/reference/random_tables.h"
#include "tests/verifier/hand_tables.h"
#include "verifier/check.h"

namespace quadrille::tests {
namespace {

SendTable table_on(const std::string& on, const std::string& what, std::initializer_list<Hop> hops) {
  Fabric fabric = parse_fabric({"", on}, 0).value();
  Collective it = parse_collective({"", what}, 0, fabric.processors()).value();
  return table_of(std::move(fabric), std::move(it), hops);
}

// "3: 0->1 of 0->2; …" for the first violation of the property.
std::string rows_of(const SendTable& table, Property property) {
  for (const Violation& violation : check(table).violations) {
    if (violation.property != property) continue;
    std::string text;
    for (const ConcernedRow& it : violation.rows) {
      text += fmt::format("{}{}: {} of {}", text.empty() ? "" : "; ", it.step.value, table.fabric.name(it.row.channel),
                          table.collective.label(it.row.chunk));
    }
    return text;
  }
  return "none";
}

TEST_CASE("contention names all packets on the lane, and a full channel all that it carries") {
  const SendTable table =
      table_on("line:3", "scatter", {{1, "0", "1", {0, 1}}, {1, "0", "1", {0, 2}}, {2, "1", "2", {0, 2}}});
  CHECK(rows_of(table, Property::contention_free) == "1: 0->1 of 0->1; 1: 0->1 of 0->2");
  CHECK(rows_of(table, Property::capacity) == "1: 0->1 of 0->1; 1: 0->1 of 0->2");
}

TEST_CASE("a half-duplex link names both ways, and a port what it sends or receives") {
  const SendTable link = table_on("line:2,duplex=half", "allgather", {{1, "0", "1", {0, {}}}, {1, "1", "0", {1, {}}}});
  CHECK(rows_of(link, Property::capacity) == "1: 0->1 of 0->*; 1: 1->0 of 1->*");
  const SendTable sends =
      table_on("complete:3,ports=single", "scatter", {{1, "0", "1", {0, 1}}, {1, "0", "2", {0, 2}}});
  CHECK(rows_of(sends, Property::capacity) == "1: 0->1 of 0->1; 1: 0->2 of 0->2");
  const SendTable receives =
      table_on("complete:3,ports=single", "gather", {{1, "1", "0", {1, 0}}, {1, "2", "0", {2, 0}}});
  CHECK(rows_of(receives, Property::capacity) == "1: 1->0 of 1->0; 1: 2->0 of 2->0");
}

TEST_CASE("what is sent too early is named with what brings it, too late") {
  const SendTable late = table_on("line:3", "broadcast:root=0", {{2, "0", "1", {0, {}}}, {1, "1", "2", {0, {}}}});
  CHECK(rows_of(late, Property::causal) == "1: 1->2 of 0->*; 2: 0->1 of 0->*");
  const SendTable never = table_on("line:3", "broadcast:root=0", {{1, "1", "2", {0, {}}}});
  CHECK(rows_of(never, Property::causal) == "1: 1->2 of 0->*");
}

TEST_CASE("a queue that is too long names what it holds, by what brought it") {
  const SendTable table = table_on("star:4,queue=1", "total_exchange",
                                   {{1, "0", "1.0", {0, 3}},
                                    {1, "1", "1.0", {1, 3}},
                                    {1, "2", "1.0", {2, 3}},
                                    {2, "1.0", "3", {0, 3}},
                                    {3, "1.0", "3", {1, 3}},
                                    {4, "1.0", "3", {2, 3}}});
  CHECK(rows_of(table, Property::queue) == "1: 1->1.0 of 1->3; 1: 2->1.0 of 2->3");
}

TEST_CASE("what comes for the second time is named with the first, and what never comes with its last hop") {
  const SendTable twice = table_on("complete:3", "broadcast:root=0",
                                   {{1, "0", "1", {0, {}}}, {1, "0", "2", {0, {}}}, {2, "1", "2", {0, {}}}});
  CHECK(rows_of(twice, Property::non_redundant) == "1: 0->2 of 0->*; 2: 1->2 of 0->*");
  const SendTable stuck = table_on("line:3", "scatter", {{1, "0", "1", {0, 1}}, {2, "0", "1", {0, 2}}});
  CHECK(rows_of(stuck, Property::complete) == "2: 0->1 of 0->2");
}

TEST_CASE("a contribution that is counted twice names the rows that brought it, and a missing one where it came last") {
  // 2's contribution comes to 0 by way of 1 and by itself.
  const SendTable twice =
      table_on("complete:3", "reduce:root=0", {{1, "2", "1", {2, 1}}, {2, "1", "0", {1, 0}}, {3, "2", "0", {2, 0}}});
  CHECK(rows_of(twice, Property::complete) == "2: 1->0 of 1->0; 3: 2->0 of 2->0");
  const SendTable missing = table_on("line:3", "reduce:root=0", {{1, "1", "0", {1, 0}}, {1, "2", "1", {2, 1}}});
  CHECK(rows_of(missing, Property::complete) == "1: 2->1 of 2->1");
}

// --- laws on random tables
// --------------------------------------------------------------------------------------------

bool on_the_channel(const Violation& violation, const ConcernedRow& row, const Fabric& fabric) {
  return !violation.channel || row.row.channel == *violation.channel ||
         fabric.reverse(row.row.channel) == violation.channel;
}

void require_lawful(const Violation& violation, const SendTable& table) {
  CAPTURE(to_string(violation.property));
  CAPTURE(violation.message);
  REQUIRE(violation.rows.size() == std::min<std::uint64_t>(violation.rows_concerned, most_rows_listed));
  REQUIRE(std::ranges::is_sorted(violation.rows, {}, &ConcernedRow::step));
  const bool of_slots = violation.property == Property::contention_free || violation.property == Property::capacity;
  if (of_slots) REQUIRE(violation.rows.size() >= 2);
  for (const ConcernedRow& row : violation.rows) {
    if (of_slots) REQUIRE(row.step == violation.step);
    if (of_slots) REQUIRE(on_the_channel(violation, row, table.fabric));
    if (violation.property == Property::queue) REQUIRE(row.step < *violation.step);
    if (violation.property == Property::queue) REQUIRE(table.fabric.channel(row.row.channel).to == violation.node);
    if (violation.property == Property::causal) REQUIRE(row.row.chunk == violation.chunk);
    if (violation.property == Property::contention_free) REQUIRE(row.row.lane == violation.rows.front().row.lane);
  }
  // In each step of its own a violation has the row to blame.
  if (violation.property == Property::causal || violation.property == Property::non_redundant) {
    REQUIRE(std::ranges::any_of(violation.rows, [&](const ConcernedRow& row) { return row.step == violation.step; }));
  }
}

TEST_CASE("on random tables rows concerned are of the step, the channel and the packet that the violation names") {
  const std::uint64_t first = reference::first_seed();
  int violations = 0;
  for (std::uint64_t seed = first; seed < first + 400; ++seed) {
    CAPTURE(seed);
    const SendTable table = reference::random_table(seed);
    for (const Violation& violation : check(table).violations) {
      require_lawful(violation, table);
      ++violations;
    }
  }
  MESSAGE(violations, " violations, from seed ", first);
  CHECK(violations > 400);
}

}  // namespace
}  // namespace quadrille::tests
