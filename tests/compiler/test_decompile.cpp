// A table, written as a schedule and compiled again, is the same table up to lanes.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "compiler/compile.h"
#include "compiler/decompile/decompile.h"
#include "dsl/load.h"
#include "model/fabric_notation.h"
#include "model/topologies/without_links.h"
#include "tests/reference/compiled.h"

namespace quadrille {
namespace {

using Hop = std::tuple<StepId, ChannelId, ChunkId>;

std::vector<Hop> hops(const SendTable& table) {
  std::vector<Hop> all;
  for (const auto& [step, row] : all_rows(table)) all.emplace_back(step, row.channel, row.chunk);
  std::sort(all.begin(), all.end());
  return all;
}

SendTable elaborated(const std::string& text, const Arguments& arguments) {
  const auto compiled = reference::compiled(text, "schedule");
  REQUIRE(compiled.schedule);
  const Result<SendTable> table = elaborate(compiled.schedule, arguments);
  REQUIRE(table.ok());
  return *table;
}

// The schedule written for the table that a shipped schedule gives.
std::string there_and_back(const std::string& name, const Arguments& arguments) {
  CAPTURE(name);
  const SendTable table = elaborated(std::string(shipped_schedule(name).value().text), arguments);
  const auto text = decompile(table);
  REQUIRE_MESSAGE(text.ok(), text.diagnostics().front().message);
  CAPTURE(*text);
  const SendTable again = elaborated(*text, {});
  CHECK(again.fabric == table.fabric);
  CHECK(again.collective.notation() == table.collective.notation());
  CHECK(hops(again) == hops(table));
  return *text;
}

TEST_CASE("shipped schedules come back") {
  for (const std::string L : {"1", "2", "3", "4"}) {
    for (const std::string name : {"scatter", "gather", "total_exchange", "total_exchange_phased",
                                   "total_exchange_serial", "total_exchange_paired"}) {
      for (const std::string capacity : {"constant", "exponential"}) {
        there_and_back(name, {{"L", L}, {"capacity", capacity}});
      }
    }
  }
  there_and_back("total_exchange_shortest", {{"L", "3"}});
  there_and_back("ring_multinode_broadcast", {{"N", "6"}});
  there_and_back("broadcast", {{"L", "2"}});
}

TEST_CASE("what looks the same from every processor is one line") {
  const std::string text = there_and_back("total_exchange_shortest", {{"L", "4"}});
  CHECK(std::count(text.begin(), text.end(), '\n') == 15 + 5);
  CHECK(text.find("at 1: for k in processors: send k -> k xor 1 carrying k -> k xor 1\n") != text.npos);
}

// What a table is refused with; empty if it has a schedule.
std::string refusal(const SendTable& table) {
  const auto text = decompile(table);
  return text ? std::string() : text.diagnostics().front().message;
}

Fabric fabric(const std::string& notation) {
  const Result<Fabric> result = parse_fabric({"", notation}, 0, {}, language_families());
  REQUIRE(result.ok());
  return *result;
}

// The schedule of a table with these rows; each row a packet's name, and the nodes from which to which it goes.
struct Written {
  std::uint32_t step;
  ChunkName chunk;
  std::string from, to;
};
SendTable table_of(const Fabric& on, const std::string& collective, const std::vector<Written>& rows) {
  const Result<Collective> named = parse_collective({"", collective}, 0, on.processors());
  REQUIRE(named.ok());
  std::vector<StoredRows::StepRow> stored;
  for (const Written& it : rows) {
    const auto channel = on.channel_between(*on.node_named(it.from), *on.node_named(it.to));
    stored.push_back({StepId(it.step), {*channel, LaneId(0), *named->chunk(it.chunk)}});
  }
  return {on, *named, "", {}, std::make_shared<StoredRows>(std::move(stored))};
}

std::string made_again(const SendTable& table) {
  const auto text = decompile(table);
  REQUIRE_MESSAGE(text.ok(), text.diagnostics().front().message);
  CAPTURE(*text);
  CHECK(hops(elaborated(*text, {})) == hops(table));
  return *text;
}

TEST_CASE("fabrics that ship are named with their parameters") {
  const Fabric spines = fabric("leaf_spine:hosts=4,leaves=2,spines=2,ports=single");
  const std::string text = made_again(table_of(spines, "broadcast",
                                               {{1, {0, {}, 0}, "0", "leaf[0]"},
                                                {2, {0, {}, 0}, "leaf[0]", "1"},
                                                {2, {0, {}, 0}, "leaf[0]", "spine[0]"},
                                                {3, {0, {}, 0}, "spine[0]", "leaf[1]"},
                                                {4, {0, {}, 0}, "leaf[1]", "2"}}));
  CHECK(text ==
        "fabric leaf_spine(hosts: 4, leaves: 2, spines: 2, ports: single)\ncollective broadcast(root: 0)\n\n"
        "at 1: send 0 -> {1, 2} carrying 0 -> *\n\nclaim steps == 4\n");
}

TEST_CASE("fabrics that no family makes are declared") {
  const Result<Fabric> broken = without_links(fabric("star:3,ports=single"), {"2->1.0"});
  REQUIRE(broken.ok());
  const std::string text =
      made_again(table_of(*broken, "broadcast", {{1, {0, {}, 0}, "0", "1.0"}, {4, {0, {}, 0}, "1.0", "1"}}));
  CHECK(text.find("fabric star_links:\n  processors 3\n  switches switch_1_0\n  link 0 -- switch_1_0\n") != text.npos);
  CHECK(text.find("  link switch_1_0 -> 2\n") != text.npos);
  CHECK(text.find("fabric star_links(ports: single)\n") != text.npos);
  CHECK(text.find("at 1: send 0 -> 1 waiting 2 at \"switch_1_0\" carrying 0 -> *\n") != text.npos);
}

TEST_CASE("packets off the default route name their path") {
  const std::string text = made_again(table_of(fabric("leaf_spine:hosts=4,leaves=2,spines=2"), "total_exchange",
                                               {{1, {0, 3, 0}, "0", "leaf[0]"},
                                                {2, {0, 3, 0}, "leaf[0]", "spine[0]"},
                                                {5, {0, 3, 0}, "spine[0]", "leaf[1]"},
                                                {6, {0, 3, 0}, "leaf[1]", "3"}}));
  CHECK(text.find("at 1: send 0 -> 3 along leaf[0], spine[0], leaf[1] waiting 2 at spine[0] carrying 0 -> 3\n") !=
        text.npos);
}

TEST_CASE("packets that part off the default routes list the links of their tree") {
  const ChunkName all{0, {}, 0};
  const std::vector<Written> rows{{1, all, "0", "leaf[0]"},        {2, all, "leaf[0]", "1"},
                                  {2, all, "leaf[0]", "spine[1]"}, {3, all, "spine[1]", "leaf[1]"},
                                  {5, all, "leaf[1]", "2"},        {6, all, "leaf[1]", "3"}};
  const std::string text = made_again(table_of(fabric("leaf_spine:hosts=4,leaves=2,spines=2"), "broadcast", rows));
  CHECK(text.find("at 1: send 0 -> {1, 2, 3} along 0 -> leaf[0], leaf[0] -> {1, spine[1]}, spine[1] -> leaf[1], "
                  "leaf[1] -> {2, 3} waiting 1 at leaf[1] -> 2, 2 at leaf[1] -> 3 carrying 0 -> *\n") != text.npos);
}

TEST_CASE("custom collectives list their chunks") {
  const std::string custom = R"(custom:{"chunks":[{"origin":0,"target":2,"part":0,"held_by":[0],"wanted_by":[2]},)"
                             R"({"origin":1,"target":"*","part":3,"held_by":[0,1],"wanted_by":[2]}]})";
  const std::string text =
      made_again(table_of(fabric("ring:3"), custom, {{1, {0, 2, 0}, "0", "2"}, {2, {1, {}, 3}, "0", "2"}}));
  CHECK(text.find("collective custom:\n  chunk 0 -> 2\n  chunk 1 -> * part 3 held by {0, 1} wanted by {2}\n") !=
        text.npos);
}

TEST_CASE("what the language cannot say is said") {
  const Fabric star = fabric("star:3");
  const ChunkName all{0, {}, 0};
  CHECK(refusal(table_of(star, "broadcast", {{1, all, "0", "1.0"}})) ==
        "packet 0->*, which comes to switch 1.0 in step 1, never leaves it");
  CHECK(refusal(table_of(star, "broadcast", {{1, all, "1.0", "1"}})) ==
        "packet 0->* leaves switch 1.0 in step 1, and none has come there before");
}

TEST_CASE("what is kept apart comes back as kept") {
  const SendTable words = elaborated("fabric line(3)\ncollective allreduce\nsend 0 -> 1 keeping\n", {});
  CHECK(made_again(words).find("send 0 -> 1 carrying 0 -> 1 keeping") != std::string::npos);
}

}  // namespace
}  // namespace quadrille
