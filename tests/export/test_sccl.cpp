// SCCL's algorithms are read as tables, and written so that they are read as the same.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "driver/export.h"
#include "driver/inputs/input.h"
#include "dsl/load.h"
#include "formats/sccl_table.h"
#include "tests/driver/memory_environment.h"
#include "tests/reference/random_tables.h"
#include "verifier/check.h"

namespace quadrille::driver {
namespace {

using namespace exporting;

Result<SendTable> read_sccl(const std::string& text) {
  MemoryEnvironment environment;
  environment.files = {{"algo.json", text}};
  Context context{environment};
  return open_table({"algo.json"}, context);
}

std::string fault_in(const std::string& text) {
  const Result<SendTable> table = read_sccl(text);
  REQUIRE_FALSE(table.ok());
  return table.diagnostics().front().message;
}

// Two processors, all-gather; parts of the text may be replaced.
std::string pair_with(
    const std::string& steps, const std::string& links = "[[0,1],[1,0]]",
    const std::string& chunks = R"({"pre":[0],"post":[0,1],"addr":7},{"pre":[1],"post":[0,1],"addr":9})",
    int nodes = 2) {
  return fmt::format(
      R"({{"msccl_type":"algorithm","name":"pair","topology":{{"links":{}}},"collective":{{"nodes":{},"chunks":[{}]}},"steps":{}}})",
      links, nodes, chunks, steps);
}

const std::string exchange = R"([{"rounds":1,"sends":[[7,0,1],[9,1,0]]}])";

}  // namespace

TEST_CASE("an algorithm of SCCL is a table in rounds, of the collective that its chunks make") {
  const Result<SendTable> table = read_sccl(pair_with(exchange));
  REQUIRE(table.ok());
  CHECK(table->schedule == "pair");
  CHECK(table->collective.kind() == CollectiveKind::allgather);
  CHECK(table->fabric.in_rounds());
  CHECK(check(*table).verdict == Verdict::holds);
}

TEST_CASE("the shift all-to-all on a fat tree that is given as cuts holds") {
  std::ifstream file(QUADRILLE_SOURCE_FOLDER "/tests/machines/samples/sccl_tree8.json");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const Result<SendTable> table = read_sccl(text);
  REQUIRE(table.ok());
  CHECK(table->collective.kind() == CollectiveKind::total_exchange);
  const Report report = check(*table);
  CHECK(report.steps == 7);
  CHECK(report.of(Property::complete).violations == 0);
}

TEST_CASE("what SCCL's own checker lets pass is found") {
  // Processor 1 sends on what it does not have.
  const auto not_held = read_sccl(pair_with(R"([{"rounds":1,"sends":[[7,1,0],[9,1,0]]}])"));
  REQUIRE(not_held.ok());
  CHECK(check(*not_held).verdict == Verdict::violated);
  // Two chunks in one round over a link for one.
  const auto full = read_sccl(pair_with(R"([{"rounds":1,"sends":[[7,0,1],[7,0,1],[9,1,0]]}])"));
  REQUIRE(full.ok());
  CHECK(check(*full).of(Property::claims).violations == 1);
  const auto enough = read_sccl(pair_with(R"([{"rounds":2,"sends":[[7,0,1],[7,0,1],[9,1,0]]}])"));
  REQUIRE(enough.ok());
  CHECK(check(*enough).of(Property::claims).violations == 0);
  CHECK(fault_in(pair_with(exchange, "[[0,0],[1,0]]")).find("/steps/0/sends/1: there is no link from 1 to 0") !=
        std::string::npos);
}

TEST_CASE("what is wrong with a file is said with its place") {
  const std::string chunks = R"({"pre":[0],"post":[0,1],"addr":7},{"pre":[1],"post":[0,1],"addr":9})";
  const auto says = [&](const std::string& text, const std::string& what) {
    CAPTURE(text);
    const std::string fault = fault_in(text);
    CAPTURE(fault);
    CHECK(fault.find(what) != std::string::npos);
  };
  says(R"({"msccl_type":"algorithm")", "this is no JSON");
  says(R"({"msccl_type":"topology","links":[[0,1],[1,0]]})", "the file has no `steps`");
  says(pair_with(R"([{"rounds":1,"sends":[[8,0,1]]}])"), "/steps/0/sends/0: no chunk has the address 8");
  says(pair_with(R"([{"rounds":1,"sends":[[7,0,2]]}])"), "names a processor that is not there");
  says(pair_with(R"([{"rounds":1,"sends":[[7,0,0]]}])"), "sends to itself");
  says(pair_with(R"([{"rounds":1,"sends":[[7,0]]}])"), "is not [address, from, to]");
  says(pair_with(R"([{"rounds":-1,"sends":[]}])"), "/steps/0/rounds is no whole number");
  says(pair_with(R"([{"sends":[]}])"), "/steps/0 has no `rounds`");
  says(pair_with("7"), "/steps is no list");
  says(pair_with(R"([{"rounds":3E0487,"sends":[]}])"), "a number is too large");
  says(pair_with(exchange, "[[0,1],[1,0]]", chunks, 3), "/collective/nodes is 3, and the topology has 2 processors");
  says(pair_with(exchange, "[[0,1],[1,0]]", ""), "/collective/chunks is empty");
  says(pair_with(exchange, "[[0,1],[1,0]]", R"({"pre":[],"post":[0],"addr":7})"), "nobody has the chunk");
  says(pair_with(exchange, "[[0,1],[1,0]]", R"({"pre":[4],"post":[0],"addr":7})"), "names processor 4 of 2");
  says(pair_with(exchange, "[[0,1],[1,0]]", R"({"pre":[0],"post":[0,1],"addr":7},{"pre":[1],"post":[0,1],"addr":7})"),
       "what is reduced is not read");
}

TEST_CASE("every copying schedule that ships, exported as SCCL's JSON and read back, has its verdict") {
  std::size_t exported = 0;
  for (const ShippedFile& shipped : shipped_schedules()) {
    const std::string name(shipped.name);
    CAPTURE(name);
    for (const char* define : {"N=2", "N=4", "N=5", "N=9", "L=2", "L=3", "d=2", "d=3", ""}) {
      CAPTURE(define);
      const TableRequest request{name, *define == '\0' ? std::vector<std::string>() : std::vector<std::string>{define}};
      MemoryEnvironment environment;
      Context context{environment};
      Result<SendTable> table = open_table(request, context);
      if (!table || table->collective.combining()) continue;
      const auto outcome = run(ExportRequest{request, "sccl", "out.json"}, context);
      if (!outcome) {
        const std::string why = outcome.diagnostics().front().message;
        CAPTURE(why);
        CHECK((why.find("has switches") != why.npos || why.find("nobody asks") != why.npos ||
               why.find("a send goes over one link") != why.npos));
        continue;
      }
      table->claims.clear();
      table->invariants.clear();
      const Result<SendTable> again = open_table({"out.json"}, context);
      REQUIRE_MESSAGE(again.ok(), render(again.diagnostics(), context.sources));
      const Report before = check(*table);
      const Report after = check(*again);
      CHECK(after.verdict == before.verdict);
      CHECK(after.of(Property::claims).violations == 0);
      // Cuts do not say that a switch stands between two others.
      if (!table->fabric.has_switches()) CHECK(measured(after).rows == measured(before).rows);
      CHECK(measured(after).steps == measured(before).steps);
      ++exported;
    }
  }
  CHECK(exported > 60);
}

TEST_CASE("a message to several receivers is a send for each, and takes the rounds that these take") {
  MemoryEnvironment environment;
  environment.files = {{"star.qd",
                        "fabric star(4, timing: rounds, paths: shared)\n"
                        "collective broadcast(root: 0)\n"
                        "send 0 -> all\n"}};
  Context context{environment};
  REQUIRE(run(ExportRequest{{"star.qd"}, "sccl", "out.json"}, context).ok());
  const auto whole = nlohmann::json::parse(environment.files.at("out.json"));
  CHECK(whole["steps"][0]["rounds"] == 3);
  const Result<SendTable> table = read_sccl(whole.dump());
  REQUIRE(table.ok());
  CHECK(check(*table).verdict == Verdict::holds);
}

TEST_CASE("what no cuts say is refused by name") {
  MemoryEnvironment environment;
  Context context{environment};
  ExportRequest request{{"total_exchange_pairwise", {"N=8"}}, "sccl", "out.json"};
  request.input.on = "leaf_spine:hosts=8,leaves=4,spines=2,timing=rounds";
  const auto outcome = run(request, context);
  REQUIRE_FALSE(outcome.ok());
  CHECK(outcome.diagnostics().front().message.find("is no tree below which") != std::string::npos);
  CHECK_FALSE(run(ExportRequest{{"allreduce_ring", {"N=4"}}, "sccl", "out.json"}, context).ok());
  CHECK(environment.files.empty());
}

TEST_CASE("what goes over several links in a round is refused by name, for no send says it") {
  MemoryEnvironment environment;
  Context context{environment};
  ExportRequest request{{"total_exchange_pairwise", {"N=4"}}, "sccl", "out.json"};
  request.input.on = "ring:4,timing=rounds";
  const auto outcome = run(request, context);
  REQUIRE_FALSE(outcome.ok());
  CHECK(outcome.diagnostics().front().message.find("by other processors in one round, and a send goes over one link") !=
        std::string::npos);
  CHECK(environment.files.empty());
  request.input.timing = "steps";
  REQUIRE(run(request, context).ok());
  CHECK(open_table({"out.json"}, context).ok());
}

TEST_CASE("an exported algorithm in which another chunk is sent is wrong") {
  MemoryEnvironment environment;
  Context context{environment};
  const std::uint64_t first = reference::first_seed();
  MESSAGE("QUADRILLE_SEED=" << first);
  REQUIRE(run(ExportRequest{{"allgather_bruck", {"N=6"}}, "sccl", "out.json"}, context).ok());
  const auto whole = nlohmann::json::parse(environment.files.at("out.json"));
  for (std::uint64_t seed = first; seed < first + 50; ++seed) {
    CAPTURE(seed);
    reference::Dice dice(seed);
    nlohmann::json changed = whole;
    auto& sends = changed["steps"][dice.below(changed["steps"].size())]["sends"];
    auto& chunk = sends[dice.below(sends.size())][0];
    chunk = (chunk.get<std::uint32_t>() + 1 + dice.below(5)) % 6;
    const Result<SendTable> table = read_sccl(changed.dump());
    REQUIRE(table.ok());
    CHECK(check(*table).verdict == Verdict::violated);
  }
}

}  // namespace quadrille::driver
