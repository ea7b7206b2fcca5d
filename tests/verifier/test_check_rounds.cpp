// The numbers of MODEL.md's examples, and of tables whose faults are counted by hand.
#include <doctest/doctest.h>

#include <initializer_list>
#include <memory>
#include <vector>

#include "model/fabric_notation.h"
#include "tests/reference/random_rounds.h"
#include "tests/reference/random_tables.h"
#include "tests/verifier/hand_tables.h"
#include "verifier/bounds.h"
#include "verifier/check.h"

namespace quadrille {
namespace {

using tests::Hop;
using tests::step_row;

struct MessageHop {
  Hop hop;
  std::uint32_t message = 0;
};

SendTable table_in_rounds(const char* fabric_text, CollectiveKind kind, std::initializer_list<MessageHop> hops) {
  Fabric fabric = *parse_fabric({"", fabric_text}, 0);
  Collective collective = tests::collective(kind, fabric.processors());
  std::vector<StoredRows::StepRow> rows;
  std::vector<MessageId> messages;
  for (const MessageHop& it : hops) {
    rows.push_back(step_row(fabric, collective, it.hop));
    messages.emplace_back(it.message);
  }
  return {fabric, collective, "by hand", {}, std::make_shared<StoredRows>(std::move(rows), messages)};
}

ChunkName from(std::uint32_t origin) { return {origin, std::nullopt, 0}; }

std::uint64_t count(const Report& report, Property property) { return report.of(property).violations; }

TEST_CASE("a message of two chunks over two channels has volume 2 and 2 hops") {
  const SendTable table = table_in_rounds("line:3,timing=rounds", CollectiveKind::allgather,
                                          {{{1, "1", "0", from(1)}, 0},
                                           {{2, "0", "1", from(0)}, 0},
                                           {{2, "1", "2", from(0)}, 0},
                                           {{2, "0", "1", from(1)}, 0},
                                           {{2, "1", "2", from(1)}, 0}});
  const Report report = check(table);
  CHECK(report.steps == 2);
  CHECK(report.volume == 3);
  CHECK(report.hops == 3);
  CHECK(report.messages == 2);
  CHECK(count(report, Property::causal) == 0);
  CHECK(count(report, Property::complete) == 3);  // 0 wants 2; 1 wants 0, which passed it, and 2
}

TEST_CASE("paths that are held do not meet; shared ones add up") {
  const std::initializer_list<MessageHop> hops = {
      {{1, "0", "1", from(0)}, 0}, {{1, "0", "1", from(0)}, 1}, {{1, "1", "2", from(0)}, 1}};
  const Report held = check(table_in_rounds("line:3,timing=rounds", CollectiveKind::broadcast, hops));
  CHECK(count(held, Property::contention_free) == 1);
  CHECK(count(held, Property::capacity) == 1);
  CHECK(held.volume == 1);
  const Report shared = check(table_in_rounds("line:3,timing=rounds,paths=shared", CollectiveKind::broadcast, hops));
  CHECK(shared.verdict == Verdict::holds);
  CHECK(shared.volume == 2);
  CHECK(shared.hops == 2);
}

TEST_CASE("nodes that a message passes do not use their ports") {
  const SendTable table = table_in_rounds("line:3,timing=rounds,ports=single", CollectiveKind::broadcast,
                                          {{{1, "0", "1", from(0)}, 0}, {{1, "1", "2", from(0)}, 0}});
  const Report report = check(table);
  CHECK(count(report, Property::capacity) == 0);
  CHECK(count(report, Property::complete) == 1);  // 1 has only been passed
}

TEST_CASE("rows that are no message are one violation, and a message each") {
  // Two chunks, the second of which crosses one channel only.
  const SendTable table =
      table_in_rounds("line:3,timing=rounds", CollectiveKind::allgather,
                      {{{1, "0", "1", from(0)}, 0}, {{1, "1", "2", from(0)}, 0}, {{1, "1", "2", from(1)}, 0}});
  const Report report = check(table);
  CHECK(count(report, Property::well_formed) == 1);
  CHECK(count(report, Property::causal) == 1);  // 1 -> 2 of 0's chunk: it is not there when the round begins
  CHECK(report.messages == 3);
  CHECK(count(report, Property::contention_free) == 1);
}

TEST_CASE("a chunk in a tree is sent once, and counts once at its sender") {
  const SendTable table =
      table_in_rounds("star:3,timing=rounds,ports=single", CollectiveKind::broadcast,
                      {{{1, "0", "1.0", from(0)}, 0}, {{1, "1.0", "1", from(0)}, 0}, {{1, "1.0", "2", from(0)}, 0}});
  const Report report = check(table);
  CHECK(report.verdict == Verdict::holds);
  CHECK(report.messages == 1);
  CHECK(report.hops == 2);
}

TEST_CASE("where switches reduce, messages to one processor may join on their way") {
  const auto hops = std::initializer_list<MessageHop>{{{1, "1", "1.0", {1, 0, 0}}, 0},
                                                      {{1, "2", "1.0", {2, 0, 0}}, 0},
                                                      {{1, "3", "1.0", {3, 0, 0}}, 0},
                                                      {{1, "1.0", "0", {2, 0, 0}}, 0}};
  const Report joined =
      check(table_in_rounds("star:4,timing=rounds,ports=single,switches=reduce", CollectiveKind::reduce, hops));
  CHECK(joined.verdict == Verdict::holds);
  CHECK(joined.messages == 1);
  CHECK(joined.volume == 1);
  CHECK(joined.hops == 2);
  const Report copied = check(table_in_rounds("star:4,timing=rounds,ports=single", CollectiveKind::reduce, hops));
  CHECK(count(copied, Property::well_formed) == 1);
  CHECK(copied.verdict == Verdict::violated);
}

TEST_CASE("where switches forward, a message does not branch, and a copy leaves a switch once") {
  const char* star = "star:3,timing=rounds,switches=forward";
  const Report branched = check(
      table_in_rounds(star, CollectiveKind::broadcast,
                      {{{1, "0", "1.0", from(0)}, 0}, {{1, "1.0", "1", from(0)}, 0}, {{1, "1.0", "2", from(0)}, 0}}));
  CHECK(count(branched, Property::well_formed) == 1);
  const Report twice = check(
      table_in_rounds(star, CollectiveKind::broadcast,
                      {{{1, "0", "1.0", from(0)}, 0}, {{2, "1.0", "1", from(0)}, 0}, {{3, "1.0", "2", from(0)}, 0}}));
  CHECK(count(twice, Property::causal) == 1);
  const Report kept = check(table_in_rounds(star, CollectiveKind::broadcast, {{{1, "0", "1.0", from(0)}, 0}}));
  CHECK(count(kept, Property::non_redundant) == 1);
}

TEST_CASE("no table that holds is below a bound of its rounds or volume") {
  const std::uint64_t first = reference::first_seed();
  std::uint64_t compared = 0;
  for (std::uint64_t seed = first; seed < first + 6000; ++seed) {
    const SendTable table = reference::random_rounds_table(seed);
    const Report report = check(table);
    if (report.verdict != Verdict::holds) continue;
    CAPTURE(seed);
    const Bound rounds = round_bounds(table.fabric, table.collective).front();
    const Bound volume = volume_bounds(table.fabric, table.collective).front();
    REQUIRE(rounds.steps);
    REQUIRE(volume.steps);
    CHECK_MESSAGE(*rounds.steps <= report.steps, rounds.reason);
    CHECK_MESSAGE(*volume.steps <= *report.volume, volume.reason);
    ++compared;
  }
  CHECK(compared > 1000);
}

}  // namespace
}  // namespace quadrille
