// Real files with a small fault each: what the judge passes never fails, however it is run; and what it finds can be
// shown to go wrong. The executor that shows it shares nothing with the judge but the file.
#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "programs/deadlock.h"
#include "tests/environment.h"
#include "tests/programs/mutate.h"
#include "tests/programs/random_executor.h"
#include "tests/programs/small_msccl.h"

namespace quadrille::programs {
namespace {

using Order = std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>>;

Order order_of(const std::vector<Location>& run) {
  Order result;
  for (const Location& place : run) result.emplace_back(place.rank, place.block, place.index);
  return result;
}

struct Tally {
  int passed = 0;
  int races = 0;
  int steered = 0;
  int hangs = 0;
  int wrong = 0;
  int refused = 0;
};

class Mutants {
 public:
  Mutants(std::string name, std::string executor) : name_(std::move(name)), executor_(std::move(executor)) {
    original_ = sample(name_);
  }

  void judge_one(std::uint64_t seed, int runs, Tally& tally) {
    std::mt19937_64 random(seed);
    MscclFile file = mutated(original_, random);
    for (std::uint64_t more = seed % 3; more > 0; --more) file = mutated(file, random);
    CAPTURE(name_);
    CAPTURE(executor_);
    CAPTURE(seed);
    const LoadedMsccl loaded = judged(file, {.executor = executor_, .in_place = file.in_place});
    const ProgramReport& report = loaded.report;
    const bool structured = report.of(ProgramProperty::structure).verdict == ProgramVerdict::holds;
    if (!structured || report.of(ProgramProperty::limits).verdict == ProgramVerdict::violated) {
      ++tally.refused;
      return;
    }
    for (const std::uint32_t together :
         {loaded.program.regimes.front().together, loaded.program.regimes.back().together}) {
      judge_run(file, loaded, together, seed, runs, tally);
    }
    races(file, report, tally);
  }

 private:
  void judge_run(const MscclFile& file, const LoadedMsccl& loaded, std::uint32_t together, std::uint64_t seed, int runs,
                 Tally& tally) {
    const ProgramReport& report = loaded.report;
    ProgramReport scratch;
    const Limits limits;
    Work work(limits);
    const ProgramNetwork network = connect(loaded.program, scratch, 0, work);
    const bool hangs = find_deadlock(loaded.program, network, together, work).has_value();
    const bool raceless = report.of(ProgramProperty::race).verdict == ProgramVerdict::holds;
    // Messages of other sizes than their receptions are beyond the executor of the test.
    if (report.of(ProgramProperty::matching).verdict == ProgramVerdict::violated) return;
    for (int i = 0; i < runs; ++i) {
      RandomExecutor executor(file,
                              {executor_, file.in_place, together, true, seed * 97 + static_cast<std::uint64_t>(i)});
      const ExecutorRun run = executor.run();
      CHECK(run.hung == hangs);
      if (run.hung || !raceless) continue;
      CHECK((run.wrong || run.read_poison) == (report.of(ProgramProperty::data).verdict == ProgramVerdict::violated));
      if (report.of(ProgramProperty::agreement).verdict == ProgramVerdict::holds) CHECK(!run.disagreed);
    }
    if (hangs) ++tally.hangs;
    if (report.of(ProgramProperty::data).verdict == ProgramVerdict::violated) ++tally.wrong;
    if (report.verdict() == ProgramVerdict::holds) ++tally.passed;
  }

  // With unbounded queues, both orders of the two accesses.
  void races(const MscclFile& file, const ProgramReport& report, Tally& tally) {
    for (const Finding& finding : report.findings) {
      if (finding.property != ProgramProperty::race || finding.runs.size() != 2) continue;
      CHECK(order_of(finding.runs[0]) != order_of(finding.runs[1]));
      ++tally.races;
      bool both = true;
      for (const std::vector<Location>& run : finding.runs) {
        RandomExecutor executor(file, {executor_, file.in_place, 1, false, 1});
        both = executor.steer(order_of(run)) && both;
      }
      CHECK(both);
      tally.steered += both;
    }
  }

  std::string name_;
  std::string executor_;
  MscclFile original_;
};

TEST_CASE("no mutant that the judge passes ever fails, and what it finds is shown by steering") {
  const int times = tests::long_run() ? 10 : 1;
  Tally tally;
  const auto judge_some = [&](const char* name, const char* executor, int count, int runs) {
    Mutants mutants(name, executor);
    for (int i = 0; i < count * times; ++i) mutants.judge_one(static_cast<std::uint64_t>(i), runs, tally);
  };
  judge_some("ring-allgather-4.xml", "rccl", 120, 6);
  judge_some("ring-allgather-4.xml", "msccl", 40, 6);
  judge_some("alltoall-8n-0-9kb.xml", "rccl", 30, 4);
  judge_some("a2a2ll.xml", "azure", 20, 3);
  judge_some("ag-1k-512k.xml", "azure", 20, 3);
  judge_some("r48ll.xml", "azure", 10, 3);
  judge_some("ap-1pass.xml", "rccl", 6, 2);
  MESSAGE("passed " << tally.passed << ", races " << tally.races << ", shown " << tally.steered << ", hangs "
                    << tally.hangs << ", wrong " << tally.wrong << ", refused " << tally.refused);
  CHECK(tally.passed > 0);
  CHECK(tally.races > 0);
  CHECK(tally.hangs > 0);
  CHECK(tally.wrong > 0);
}

TEST_CASE("a race in a sample is seen by chance, and both orders of it by steering") {
  const MscclFile file = sample("ring-allgather-4-race.xml");
  const LoadedMsccl loaded = judged(file);
  REQUIRE(loaded.report.of(ProgramProperty::race).verdict == ProgramVerdict::violated);
  int failed = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    RandomExecutor executor(file, {.seed = seed});
    failed += executor.run().failed();
  }
  CHECK(failed > 0);
}

}  // namespace
}  // namespace quadrille::programs
