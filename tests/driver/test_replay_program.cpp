// What a program takes in time: as long as the table that it was made of where nothing waits, and in known small cases.
#include <doctest/doctest.h>

#include <string>

#include "driver/export.h"
#include "driver/replay.h"
#include "driver/replay_program.h"
#include "tests/driver/memory_environment.h"

namespace quadrille::driver {
namespace {

// The program of a schedule that ships, as a file.
std::string exported(const std::string& name, const std::string& define, MemoryEnvironment& environment) {
  Context context{environment};
  const auto outcome = run(ExportRequest{{.file = name, .defines = {define}}, "msccl", name + ".xml"}, context);
  REQUIRE(outcome.ok());
  return name + ".xml";
}

Result<ReplayProgramOutcome> replayed(const std::string& file, const std::string& on, const std::string& costs,
                                      MemoryEnvironment& environment) {
  Context context{environment};
  return run(ReplayProgramRequest{file, on, {}, {"4"}, costs}, context);
}

TEST_CASE("a ring of sends takes a start, a hop and its bytes for each") {
  MemoryEnvironment environment;
  const std::string file = exported("allgather_ring", "N=4", environment);
  // Three rounds, each of a chunk of one byte; where the parts of a message of four bytes are these.
  const auto outcome = replayed(file, "ring:4", "Ts=10us,Th=1us,Tc=1us", environment);
  REQUIRE(outcome.ok());
  CHECK(outcome->messages == 12);
  REQUIRE(outcome->times.size() == 1);
  CHECK(outcome->times[0].seconds == doctest::Approx(36e-6));
  CHECK(outcome->times[0].contended.empty());
}

TEST_CASE("messages wait for a channel that others cross, and not for one with lanes enough") {
  MemoryEnvironment environment;
  const std::string file = exported("allgather_linear", "N=3", environment);
  // On a line of three, 0 -> 1 carries what 0 sends to 1 and 2.
  const auto narrow = replayed(file, "line:3", "Ts=0,Th=0,Tc=3us", environment);
  REQUIRE(narrow.ok());
  CHECK(narrow->times[0].seconds == doctest::Approx(8e-6));  // chunks of 4/3 bytes: two of 4 µs
  CHECK_FALSE(narrow->times[0].contended.empty());
  const auto direct = replayed(file, "complete:3", "Ts=0,Th=0,Tc=3us", environment);
  REQUIRE(direct.ok());
  CHECK(direct->times[0].seconds == doctest::Approx(4e-6));
  CHECK(direct->times[0].contended.empty());
}

TEST_CASE("a fabric of another size is refused") {
  MemoryEnvironment environment;
  const std::string file = exported("allgather_ring", "N=4", environment);
  const auto outcome = replayed(file, "ring:5", "", environment);
  REQUIRE_FALSE(outcome.ok());
  CHECK(outcome.diagnostics().front().message == "allgather_ring.xml has 4 ranks; ring:5 has 5 processors");
}

}  // namespace
}  // namespace quadrille::driver
