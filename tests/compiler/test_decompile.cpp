// A table, written as a schedule and compiled again, is the same table up to lanes.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "compiler/compile.h"
#include "compiler/decompile/decompile.h"
#include "dsl/load.h"
#include "model/fabric_notation.h"
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
  REQUIRE(text);
  CAPTURE(*text);
  const SendTable again = elaborated(*text, {});
  CHECK(again.fabric == table.fabric);
  CHECK(again.collective.notation() == table.collective.notation());
  CHECK(hops(again) == hops(table));
  return *text;
}

TEST_CASE("shipped schedules without copies in switches come back") {
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
}

TEST_CASE("what looks the same from every processor is one line") {
  const std::string text = there_and_back("total_exchange_shortest", {{"L", "4"}});
  CHECK(std::count(text.begin(), text.end(), '\n') == 15 + 5);
  CHECK(text.find("at 1: for k in processors: send k -> k xor 1 carrying k -> k xor 1\n") != text.npos);
}

TEST_CASE("what the language cannot say is not said") {
  const SendTable copies = elaborated(std::string(shipped_schedule("broadcast").value().text), {{"L", "2"}});
  CHECK_FALSE(decompile(copies).has_value());
  const SendTable words = elaborated("fabric line(3)\ncollective allreduce\nsend 0 -> 1 keeping\n", {});
  CHECK_FALSE(decompile(words).has_value());
}

}  // namespace
}  // namespace quadrille
