// What is exported is what the table says: read back, all that is sent is received, and nothing waits for ever.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "driver/check/check_goal.h"
#include "driver/export.h"
#include "dsl/load.h"
#include "export/processor_sends.h"
#include "tests/driver/memory_environment.h"
#include "verifier/check.h"

namespace quadrille::driver {
namespace {

using namespace exporting;

using ExportDefines = std::vector<std::string>;

// The table, where the schedule has these parameters and they may have these values.
std::optional<SendTable> exportable_table(const std::string& name, const ExportDefines& defines, Context& context) {
  Result<SendTable> table = open_table({name, defines}, context);
  if (!table) return std::nullopt;
  table->claims.clear();
  table->invariants.clear();
  return *std::move(table);
}

// Of both forms: what it holds, whatever the size up to which messages are eager.
void check_exported(const std::string& name, const ExportDefines& defines, MemoryEnvironment& environment,
                    Context& context, std::uint64_t sends) {
  for (const std::string target : {"goal", "goal-binary"}) {
    CAPTURE(target);
    const auto exported = run(ExportRequest{{name, defines}, target, "out.goal", "100000"}, context);
    REQUIRE(exported.ok());
    REQUIRE(is_goal("out.goal", context));
    const auto outcome = run(CheckGoalRequest{"out.goal"}, context);
    REQUIRE(outcome.ok());
    CHECK(outcome->report.verdict() == programs::ProgramVerdict::holds);
    CHECK(outcome->sends == sends);
    environment.files.clear();
  }
}

// Whether switches copy or keep nothing there, so that each packet that leaves a processor reaches one.
bool one_to_one(const ProcessorSends& sends) { return sends.copied == 0 && sends.lost == 0; }

const std::vector<ExportDefines> export_sizes{{"N=2"},
                                              {"N=3"},
                                              {"N=4"},
                                              {"N=5"},
                                              {"N=8"},
                                              {"N=9"},
                                              {"N=16"},
                                              {"L=1"},
                                              {"L=2"},
                                              {"L=3"},
                                              {"L=4"},
                                              {"d=2"},
                                              {"d=3"},
                                              {"D=3"},
                                              {"k=4"},
                                              {"n1=5", "n2=3"},
                                              {"n=4", "h=2"},
                                              {"n=4", "h=2", "sources={0,3,7}"},
                                              {"n=4", "h=2", "sources={0,3,7}", "ways=1"},
                                              {"n=4", "sources={0,3}", "block=2"},
                                              {}};

}  // namespace

TEST_CASE("every schedule that ships, exported as GOAL and read back, matches and ends") {
  std::size_t exported = 0;
  std::set<std::string> missed;
  for (const ShippedFile& shipped : shipped_schedules()) {
    const std::string name(shipped.name);
    CAPTURE(name);
    std::size_t times = 0;
    for (const ExportDefines& defines : export_sizes) {
      MemoryEnvironment environment;
      Context context{environment};
      const auto table = exportable_table(name, defines, context);
      if (!table) continue;
      const Report report = check(*table);
      REQUIRE(report.verdict == Verdict::holds);
      const auto sends = processor_sends(*table, {});
      REQUIRE(sends.ok());
      if (one_to_one(*sends)) {
        CHECK(sends->sends.size() == static_cast<std::size_t>(measured(report).messages));
      }
      check_exported(name, defines, environment, context, sends->sends.size());
      ++times;
    }
    exported += times;
    if (times == 0) missed.insert(name);
  }
  CHECK(exported > 300);
  CHECK_MESSAGE(missed.empty(), fmt::format("of no size: {}", fmt::join(missed, ", ")));
}

TEST_CASE("a packet is followed through switches, and copies of it are told") {
  MemoryEnvironment environment;
  Context context{environment};
  const auto table = exportable_table("broadcast", {"L=2"}, context);
  REQUIRE(table);
  const auto sends = processor_sends(*table, {});
  REQUIRE(sends.ok());
  CHECK(sends->switches);
  CHECK(sends->copied == 1);
  CHECK(sends->lost == 0);
  REQUIRE(sends->sends.size() == 3);
  for (const ChunkMove& it : sends->sends) {
    CHECK(it.from == NodeId(0));
    CHECK(it.leaves == StepId(1));
    CHECK(it.arrives > it.leaves);
  }
}

TEST_CASE("a message's chunks are one send") {
  MemoryEnvironment environment;
  Context context{environment};
  const auto table = exportable_table("allgather_recursive_doubling", {"N=8"}, context);
  REQUIRE(table);
  const auto sends = processor_sends(*table, {});
  REQUIRE(sends.ok());
  REQUIRE(sends->sends.size() == 24);
  CHECK(sends->sends.front().chunks == 1);
  CHECK(sends->sends.back().chunks == 4);
}

TEST_CASE("sends that need more memory than there is are not written") {
  MemoryEnvironment environment;
  Context context{environment};
  const auto table = exportable_table("total_exchange", {"L=4"}, context);
  REQUIRE(table);
  Limits limits;
  limits.memory = 1000;
  const auto sends = processor_sends(*table, limits);
  REQUIRE(!sends.ok());
  CHECK(sends.diagnostics().front().code == Code::limit);
}

}  // namespace quadrille::driver
