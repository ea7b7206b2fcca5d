// Random programs, right or wrong: one run decides whether they hang; and where the judge finds no race, every run
// leaves the same memory behind, while of each race that it finds both orders can be had.
#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "programs/deadlock.h"
#include "tests/environment.h"
#include "tests/programs/random_executor.h"
#include "tests/programs/random_msccl.h"
#include "tests/programs/small_msccl.h"

namespace quadrille::programs {
namespace {

struct RandomTally {
  int ended = 0;
  int hung = 0;
  int raceless = 0;
  int races = 0;
};

void compare(std::uint64_t seed, const char* executor, RandomTally& tally) {
  const MscclFile file = *read_msccl_xml({"x.xml", write_msccl_xml(RandomMsccl(seed).file())}, 0);
  CAPTURE(seed);
  CAPTURE(executor);
  for (const std::uint32_t together : {1u, 2u, 3u}) {
    const ByteRange bytes = together == 1 ? ByteRange{0, 0} : ByteRange{15, 15};
    LoadedMsccl loaded = load_msccl(file, call_of(file, {.executor = executor, .bytes = bytes}), 5);
    loaded.program.regimes = {{together, 15, 15}};
    loaded.program.buffers.clear();
    judge(loaded.program, loaded.report, {});
    const ProgramReport& report = loaded.report;
    if (report.of(ProgramProperty::structure).verdict != ProgramVerdict::holds) return;
    const bool hangs = report.of(ProgramProperty::deadlock).verdict == ProgramVerdict::violated;
    (hangs ? tally.hung : tally.ended)++;
    const bool raceless = report.of(ProgramProperty::race).verdict == ProgramVerdict::holds;
    tally.raceless += raceless && !hangs;
    std::optional<std::uint64_t> memory;
    for (std::uint64_t i = 0; i < 12; ++i) {
      RandomExecutor run(file, {executor, false, together, true, seed * 31 + 2 * i});
      CHECK(run.run().hung == hangs);
      if (hangs || !raceless) continue;
      if (!memory) memory = run.memory();
      CHECK(run.memory() == *memory);
    }
    for (const Finding& finding : report.findings) {
      if (finding.property != ProgramProperty::race) continue;
      ++tally.races;
      for (const std::vector<Location>& one : finding.runs) {
        std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> order;
        for (const Location& place : one) order.emplace_back(place.rank, place.block, place.index);
        RandomExecutor run(file, {executor, false, together, false, 1});
        CHECK(run.steer(order));
      }
    }
  }
}

TEST_CASE("random programs hang, race and end as the judge says") {
  RandomTally tally;
  const std::uint64_t count = tests::long_run() ? 20000 : 1500;
  for (std::uint64_t seed = 0; seed < count; ++seed) compare(seed, seed % 2 == 0 ? "rccl" : "msccl", tally);
  MESSAGE("ended " << tally.ended << ", hung " << tally.hung << ", raceless " << tally.raceless << ", races "
                   << tally.races);
  CHECK(tally.raceless > 100);
  CHECK(tally.hung > 50);
}

}  // namespace
}  // namespace quadrille::programs
