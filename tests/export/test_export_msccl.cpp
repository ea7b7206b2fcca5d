// What is exported as MSCCL XML is what the table says, in the order that it says, and right in every run.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "driver/check/check_program.h"
#include "driver/export.h"
#include "dsl/load.h"
#include "export/msccl.h"
#include "programs/msccl/xml.h"
#include "tests/driver/memory_environment.h"
#include "verifier/check.h"

namespace quadrille::driver {
namespace {

using namespace exporting;

// Chunks that the file's sends move.
std::uint64_t chunks_sent(const std::string& text) {
  const auto file = programs::read_msccl_xml({"out.xml", text}, 0);
  REQUIRE(file.ok());
  std::uint64_t sent = 0;
  for (const programs::MscclRank& rank : file->members) {
    for (const programs::MscclBlock& block : rank.blocks) {
      for (const programs::MscclStep& step : block.steps)
        sent += step.kind == programs::Kind::send ? static_cast<std::uint64_t>(step.count) : 0;
    }
  }
  return sent;
}

struct Exported {
  std::string refusal = {};  // empty: there is a file
  std::string text = {};
  std::vector<std::string> notes = {};
};

Exported export_to_msccl(const TableRequest& table, const std::string& consumer = "msccl") {
  MemoryEnvironment environment;
  Context context{environment};
  const auto outcome = run(ExportRequest{table, "msccl", "out.xml", "", consumer}, context);
  if (!outcome) {
    CHECK(environment.files.empty());
    return {outcome.diagnostics().front().message};
  }
  return {"", environment.files.at("out.xml"), outcome->notes};
}

programs::ProgramVerdict judged_again(const std::string& text, const std::string& consumer,
                                      const Collective& collective, programs::ProgramProperty property) {
  MemoryEnvironment environment;
  environment.files = {{"out.xml", text}};
  Context context{environment};
  CheckProgramRequest request{"out.xml", consumer};
  if (collective.rooted()) {
    request.collective = fmt::format("{}:{}", to_string(family_of(collective)), collective.description().root);
  }
  const auto outcome = run(request, context);
  REQUIRE_MESSAGE(outcome.ok(), render(outcome.diagnostics(), context.sources));
  return outcome->verdict(property);
}

void check_exported(const Exported& exported, const SendTable& table) {
  const Report report = check(table);
  REQUIRE(report.verdict == Verdict::holds);
  for (std::size_t i = 0; i < programs::property_count; ++i) {
    const auto property = static_cast<programs::ProgramProperty>(i);
    CAPTURE(to_string(property));
    const programs::ProgramVerdict verdict = judged_again(exported.text, "msccl", table.collective, property);
    if (property == programs::ProgramProperty::agreement) {
      const bool told = exported.notes.size() > 1;
      CHECK((verdict == programs::ProgramVerdict::holds || told));
    } else {
      CHECK(verdict == programs::ProgramVerdict::holds);
    }
  }
  CHECK(chunks_sent(exported.text) > 0);
}

}  // namespace

TEST_CASE("every schedule that ships and that executors can run, exported as MSCCL XML and read back, holds") {
  std::map<std::string, std::size_t> exported;
  std::map<std::string, std::string> refused;
  for (const ShippedFile& shipped : shipped_schedules()) {
    const std::string name(shipped.name);
    CAPTURE(name);
    for (const char* define :
         {"N=2", "N=3", "N=4", "N=5", "N=8", "N=9", "N=16", "L=2", "L=3", "d=2", "d=3", "D=3", ""}) {
      CAPTURE(define);
      const TableRequest request{name, *define == '\0' ? std::vector<std::string>() : std::vector<std::string>{define}};
      MemoryEnvironment environment;
      Context context{environment};
      Result<SendTable> table = open_table(request, context);
      if (!table || table->fabric.processors() < 2) continue;
      const Exported result = export_to_msccl(request);
      if (!result.refusal.empty()) {
        refused[name] = result.refusal;
        continue;
      }
      table->claims.clear();
      table->invariants.clear();
      check_exported(result, *table);
      ++exported[name];
    }
  }
  for (const auto& [name, times] : exported) refused.erase(name);
  for (const auto& refusal : refused) {
    CAPTURE(refusal.first);
    const std::string& why = refusal.second;
    CAPTURE(why);
    const bool known = why.find("cannot be said") != why.npos || why.find("add up what passes them") != why.npos ||
                       why.find("ordered") != why.npos;
    CHECK(known);
  }
  CHECK(exported.size() > 30);
}

TEST_CASE("what is sent and what replaces it in the same step never wait for each other") {
  const Exported exported = export_to_msccl({"allreduce_recursive_doubling", {"N=8"}}, "rccl");
  REQUIRE(exported.refusal.empty());
  // A sum goes to a cell beside the one that is sent: in turn the output and one of scratch.
  CHECK(exported.text.find("s_chunks=\"1\"") != std::string::npos);
  CHECK(exported.notes.size() == 1);
}

TEST_CASE("of which root a file is right is said, as the file does not say it") {
  const auto says = [](const Exported& exported) {
    return std::ranges::any_of(exported.notes,
                               [](const std::string& note) { return note.find("calls of root 2") != note.npos; });
  };
  CHECK(says(export_to_msccl({"broadcast_binomial", {"N=4", "root=2"}})));
  CHECK_FALSE(says(export_to_msccl({"broadcast_binomial", {"N=4", "root=0"}})));
}

TEST_CASE("what an executor's limits do not allow is refused by name, and another one's may") {
  const TableRequest ring{"allreduce_ring", {"N=40"}};
  CHECK(export_to_msccl(ring, "rccl").refusal.find("limits") != std::string::npos);
  CHECK(export_to_msccl(ring, "msccl").refusal.empty());
  // Before anything is made: a connection's two ends with each of 39 others, and the block of the copies.
  CHECK(export_to_msccl({"total_exchange_pairwise", {"N=40"}}, "rccl")
            .refusal.find("rccl: limits: rccl runs 64 thread blocks of a gpu at most; rank 0 needs 79") !=
        std::string::npos);
}

TEST_CASE("collectives that executors do not know, and switches that reduce, are refused by name") {
  CHECK(export_to_msccl({"scatter_linear", {"N=4"}}).refusal.find("scatter:root=0 cannot be said") !=
        std::string::npos);
  TableRequest reduced{"allreduce_one_shot", {"N=4"}};
  reduced.on = "star:4,switches=reduce";
  reduced.retime = true;
  CHECK(export_to_msccl(reduced).refusal.find("add up what passes them") != std::string::npos);
  reduced.on = "star:4";
  CHECK(export_to_msccl(reduced).refusal.empty());
}

TEST_CASE("a message of several chunks that lie side by side is one step") {
  const Exported exported = export_to_msccl({"allgather_recursive_doubling", {"N=8"}});
  REQUIRE(exported.refusal.empty());
  CHECK(exported.text.find("cnt=\"2\"") != std::string::npos);
  CHECK(chunks_sent(exported.text) == 8 * 7);
}

}  // namespace quadrille::driver
