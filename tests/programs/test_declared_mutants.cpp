// Real files in which send, recv, chan or nchannels say something else: what the judge passes never fails in two calls
// one after another, and what it finds in the declarations goes wrong in some order of the blocks.
#include <doctest/doctest.h>

#include <cstdlib>
#include <random>
#include <string>

#include "programs/deadlock.h"
#include "tests/environment.h"
#include "tests/programs/mutate.h"
#include "tests/programs/random_executor.h"
#include "tests/programs/small_msccl.h"

namespace quadrille::programs {
namespace {

struct DeclaredTally {
  int refused = 0;
  int unconnected = 0;
  int disturbed = 0;
  int judged = 0;
  int held = 0;
};

std::uint64_t first_declared_seed() {
  const char* seed = std::getenv("QUADRILLE_SEED");
  return seed == nullptr ? 1 : std::strtoull(seed, nullptr, 10);
}

ExecutorRun two_calls(const MscclFile& file, const std::string& executor, std::uint32_t together, std::uint64_t seed) {
  return RandomExecutor(file, {executor, file.in_place, together, true, seed, 2}).run();
}

// Some run has to show it.
void show_fault(const MscclFile& file, const std::string& executor, const ProgramReport& report, std::uint64_t seed,
                DeclaredTally& tally) {
  for (std::uint64_t run = 0; run < 600; ++run) {
    const ExecutorRun done = two_calls(file, executor, 1, seed * 607 + run);
    if (!done.failed()) continue;
    ++(done.refused ? tally.refused : done.unconnected ? tally.unconnected : tally.disturbed);
    return;
  }
  FAIL_CHECK("no run of it goes wrong: " << report.findings.front().message);
}

void compare_runs(const MscclFile& file, const std::string& executor, const LoadedMsccl& loaded, std::uint64_t seed,
                  DeclaredTally& tally) {
  const ProgramReport& report = loaded.report;
  for (const std::uint32_t together :
       {loaded.program.regimes.front().together, loaded.program.regimes.back().together}) {
    ProgramReport scratch;
    const Limits limits;
    Work work(limits);
    const ProgramNetwork network = connect(loaded.program, scratch, 0, work);
    const bool hangs = find_deadlock(loaded.program, network, together, work).has_value();
    for (std::uint64_t i = 0; i < 3; ++i) {
      const ExecutorRun run = two_calls(file, executor, together, seed * 97 + i);
      CHECK(!run.refused);
      CHECK(!run.unconnected);
      CHECK(run.hung == hangs);
      if (run.hung || report.of(ProgramProperty::race).verdict != ProgramVerdict::holds) continue;
      CHECK((run.wrong || run.read_poison) == (report.of(ProgramProperty::data).verdict == ProgramVerdict::violated));
    }
  }
  ++tally.judged;
  if (report.verdict() == ProgramVerdict::holds) ++tally.held;
}

void compare_one(const MscclFile& original, const std::string& executor, std::uint64_t seed, DeclaredTally& tally) {
  std::mt19937_64 random(seed);
  MscclFile file = with_other_declaration(original, random);
  if (seed % 4 == 0) file = with_other_declaration(file, random);
  CAPTURE(executor);
  CAPTURE(seed);
  const LoadedMsccl loaded = judged(file, {.executor = executor, .in_place = file.in_place});
  if (loaded.report.of(ProgramProperty::structure).verdict == ProgramVerdict::violated ||
      loaded.report.of(ProgramProperty::limits).verdict == ProgramVerdict::violated) {
    show_fault(file, executor, loaded.report, seed, tally);
  } else if (loaded.report.of(ProgramProperty::matching).verdict == ProgramVerdict::holds) {
    compare_runs(file, executor, loaded, seed, tally);
  }
}

TEST_CASE("mutants of send, recv, chan and nchannels fail where the judge says so, and nowhere else") {
  const std::uint64_t first = first_declared_seed();
  const std::uint64_t count = tests::long_run() ? 2000 : 300;
  MESSAGE("QUADRILLE_SEED=" << first);
  struct Original {
    const char* name;
    const char* executor;
  };
  const Original originals[] = {
      {"ring-allgather-4.xml", "rccl"},
      {"ring-allgather-4.xml", "azure"},
      {"ring-allgather-4.xml", "msccl"},
      {"alltoall-8n-0-9kb.xml", "rccl"},
      {"a2a2ll.xml", "azure"},
      {"ag-1k-512k.xml", "azure"},
      {"r48ll.xml", "azure"},
      {"r48ll.xml", "msccl"},
  };
  std::vector<MscclFile> files;
  for (const Original& each : originals) files.push_back(sample(each.name));
  DeclaredTally tally;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::size_t which = i % std::size(originals);
    const std::string name = originals[which].name;
    CAPTURE(name);
    MscclFile file = files[which];
    constexpr Protocol rotated[] = {Protocol::simple, Protocol::ll, Protocol::ll128};
    if (i % 2 == 0) file.protocol = rotated[i / 2 % 3];
    compare_one(file, originals[which].executor, first + i, tally);
  }
  MESSAGE("refused " << tally.refused << ", unconnected " << tally.unconnected << ", disturbed " << tally.disturbed
                     << ", judged " << tally.judged << ", of these hold " << tally.held);
  CHECK(tally.refused > 0);
  CHECK(tally.unconnected > 0);
  CHECK(tally.disturbed > 0);
  CHECK(tally.held > 0);
}

}  // namespace
}  // namespace quadrille::programs
