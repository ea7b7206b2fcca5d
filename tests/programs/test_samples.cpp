// The verdict of every sample in each executor, and of ten files with one fault each.
//
// By hand: alltoall-*, a2a2ll and ag-1k-512k send chunks of the input, or those of the output that never change, and
// receive each chunk of the output once, so that nothing can race; r48ll has one block per ring and rank, in which
// everything is in order; allreduce-allpairs adds chunk c on one rank and gives the sum to all; ap-1pass adds every
// chunk on every rank, the rank's own first, and then the others from 0 on: rank 2 has (2 + 0) + 1, rank 0 has (0 + 1)
// + 2. ring-allgather-4-race sends on what block 1 has received without waiting for it.
#include <doctest/doctest.h>

#include <array>
#include <string>

#include "tests/programs/random_executor.h"
#include "tests/programs/small_msccl.h"

namespace quadrille::programs {
namespace {

constexpr std::array executor_names = {"rccl", "azure", "msccl"};

TEST_CASE("what is read, written and read again is the same file") {
  for (const char* name : {"ring-allgather-4.xml", "r48ll.xml", "a2a2ll.xml"}) {
    const MscclFile file = sample(name);
    const std::string text = write_msccl_xml(file);
    CHECK(write_msccl_xml(*read_msccl_xml({name, text}, 0)) == text);
  }
}

TEST_CASE("samples that run in production hold, in every executor, and so does their run") {
  for (const char* name : {"a2a2ll.xml", "ag-1k-512k.xml", "allreduce-allpairs-8n-ll-32tb.xml", "alltoall-8n-0-9kb.xml",
                           "alltoall-8n-190kb-512kb.xml", "r48ll.xml", "ring-allgather-4.xml"}) {
    const MscclFile file = sample(name);
    for (const char* executor : executor_names) {
      CAPTURE(name);
      CAPTURE(executor);
      const LoadedMsccl loaded = judged(file, {.executor = executor, .in_place = file.in_place});
      CHECK(loaded.report.verdict() == ProgramVerdict::holds);
      for (const Regime& regime : {loaded.program.regimes.front(), loaded.program.regimes.back()}) {
        RandomExecutor run(file, {executor, file.in_place, regime.together, true, 7});
        CHECK(!run.run().failed());
      }
    }
  }
}

TEST_CASE("a sum that every rank adds up in its own order is right, and does not agree") {
  const MscclFile file = sample("ap-1pass.xml");
  for (const char* executor : executor_names) {
    const ProgramReport report = judged(file, {.executor = executor, .in_place = true}).report;
    CHECK(report.of(ProgramProperty::data).verdict == ProgramVerdict::holds);
    CHECK(report.of(ProgramProperty::agreement).verdict == ProgramVerdict::violated);
    CHECK(report.of(ProgramProperty::agreement).findings == 32);
    CHECK(report.of(ProgramProperty::race).verdict == ProgramVerdict::holds);
    RandomExecutor run(file, {executor, true, 1, true, 3});
    const ExecutorRun result = run.run();
    CHECK(result.disagreed);
    CHECK(!result.wrong);
  }
}

TEST_CASE("a ring whose sends do not wait for what they pass on has a race on every rank") {
  const MscclFile file = sample("ring-allgather-4-race.xml");
  for (const char* executor : executor_names) {
    const ProgramReport report = judged(file, {.executor = executor}).report;
    CHECK(report.of(ProgramProperty::race).verdict == ProgramVerdict::violated);
    CHECK(report.of(ProgramProperty::race).findings == 8);
    CHECK(report.of(ProgramProperty::data).verdict == ProgramVerdict::unknown);
    REQUIRE(!report.findings.empty());
    CHECK(report.findings[0].at->block == 1);
    CHECK(report.findings[0].other->block == 0);
  }
}

// --- ten faults: each in a file that is otherwise sound
// ---------------------------------------------------------------

MscclStep& step_of(MscclFile& file, std::size_t rank, std::size_t block, std::size_t step) {
  return file.members[rank].blocks[block].steps[step];
}

MscclFile ring() { return sample("ring-allgather-4.xml"); }

// Each of two ranks sends its chunk, and adds what it receives, first to a copy of its own.
MscclFile sum(Protocol protocol = Protocol::simple) {
  MscclFile file = small_file("allreduce", 2, 1, protocol);
  for (std::int64_t r = 0; r < 2; ++r) {
    MscclBlock& receiver = add_block(file, r, -1, 1 - r);
    add_step(receiver, "r", "i0", "s0", {.has_dependence = 1});
    MscclBlock& adder = add_block(file, r, 1 - r, -1);
    add_step(adder, "s", "i0", "s0");
    add_step(adder, "cpy", "i0", "o0");
    add_step(adder, "re", "s0", "o0", {.depends_on_block = 0, .depends_on_step = 0});
  }
  return file;
}

void finds(const MscclFile& file, ProgramProperty property, const char* executor = "rccl") {
  const ProgramReport report = judged(file, {.executor = executor}).report;
  CHECK(report.of(property).verdict == ProgramVerdict::violated);
  for (std::size_t i = 0; i < property_count; ++i) {
    const auto other = static_cast<ProgramProperty>(i);
    if (other != property && other < ProgramProperty::deadlock)
      CHECK(report.of(other).verdict != ProgramVerdict::violated);
  }
}

TEST_CASE("the files that faults are put into are sound") {
  CHECK(judged(ring()).report.verdict() == ProgramVerdict::holds);
  for (const Protocol protocol : {Protocol::simple, Protocol::ll, Protocol::ll128}) {
    CHECK(judged(sum(protocol)).report.verdict() == ProgramVerdict::holds);
  }
}

TEST_CASE("fault 1: a missing hasdep is a hang") {
  MscclFile file = sum();
  step_of(file, 0, 0, 0).has_dependence = 0;
  finds(file, ProgramProperty::deadlock);
  CHECK(RandomExecutor(file, {}).run().hung);
}

TEST_CASE("fault 2: a swapped chan is an end of a connection without the other end") {
  MscclFile file = ring();
  file.channels = 2;
  file.members[1].blocks[0].channel = 1;
  finds(file, ProgramProperty::structure);
  CHECK(RandomExecutor(file, {}).run().unconnected);
}

TEST_CASE("fault 3: a cnt off by one is a message of another size") {
  MscclFile file = small_file("allgather", 2, 4);
  for (std::int64_t r = 0; r < 2; ++r) {
    MscclBlock& block = add_block(file, r, 1 - r, 1 - r);
    const std::string own = std::to_string(2 * r);
    add_step(block, "s", "i0", "o" + own, {.count = 2});
    add_step(block, "r", "i0", "o" + std::to_string(2 - 2 * r), {.count = 2});
    add_step(block, "cpy", "i0", "o" + own, {.count = 2});
  }
  CHECK(judged(file).report.verdict() == ProgramVerdict::holds);
  MscclFile receiver = file;
  step_of(receiver, 1, 0, 1).count = 1;
  finds(receiver, ProgramProperty::matching);
  step_of(file, 0, 0, 2).count = 1;
  finds(file, ProgramProperty::data);
  CHECK(RandomExecutor(file, {}).run().wrong);
}

TEST_CASE("fault 4: a step number that counts nops which count nothing") {
  MscclFile file = small_file("allgather", 1, 1);
  file.channels = 1;
  MscclBlock& writer = add_block(file, 0, -1, -1);
  add_step(writer, "nop", "i0", "i0");
  add_step(writer, "cpy", "i0", "s1", {.has_dependence = 1});
  add_step(writer, "cpy", "i0", "s0", {.has_dependence = 1});
  MscclBlock& reader = add_block(file, 0, -1, -1);
  // Meant: s=1, which has the number 0 at run time. Asked for: number 1, which is s=2. And the other way about:
  add_step(reader, "cpy", "s0", "o0", {.depends_on_block = 0, .depends_on_step = 1});
  CHECK(judged(file).report.verdict() == ProgramVerdict::holds);
  CHECK(judged(file).report.notes.size() == 2);
  step_of(file, 0, 1, 0).depends_on_step = 0;  // "one less than it is written"
  step_of(file, 0, 0, 0).kind = Kind::copy;
  step_of(file, 0, 0, 0).target = Space::scratch;
  step_of(file, 0, 0, 0).target_offset = 2;
  step_of(file, 0, 1, 0).depends_on_step = 1;
  finds(file, ProgramProperty::race);
}

TEST_CASE("fault 5: a flag of an LL send is trusted") {
  MscclFile file = sum(Protocol::ll);
  for (std::size_t r = 0; r < 2; ++r) {
    // The input is sent from a copy, which the sum then overwrites in another block.
    MscclBlock& adder = file.members[r].blocks[1];
    adder.steps.clear();
    add_step(adder, "cpy", "i0", "o0");
    add_step(adder, "s", "o0", "s0", {.has_dependence = 1});
    MscclBlock& last = add_block(file, static_cast<std::int64_t>(r), -1, -1);
    add_step(last, "nop", "i0", "i0", {.depends_on_block = 0, .depends_on_step = 0});
    add_step(last, "re", "s0", "o0", {.depends_on_block = 1, .depends_on_step = 1});
  }
  finds(file, ProgramProperty::race);
  CHECK(judged(file, {.executor = "msccl"}).report.verdict() == ProgramVerdict::holds);
}

TEST_CASE("fault 6: eighty operations in a block") {
  MscclFile file = ring();
  MscclBlock& block = file.members[0].blocks[2];
  for (int i = 0; i < 79; ++i) {
    add_step(block, "cpy", "i0", "o0").s = 63;  // the number that is compared with the limit says nothing
  }
  finds(file, ProgramProperty::limits);
  finds(file, ProgramProperty::limits, "azure");
  CHECK(judged(file, {.executor = "msccl"}).report.verdict() == ProgramVerdict::holds);
}

TEST_CASE("fault 7: a channel that is not made") {
  MscclFile file = ring();
  for (MscclRank& rank : file.members) {
    for (MscclBlock& block : rank.blocks) block.channel = 1;
  }
  finds(file, ProgramProperty::structure);
}

TEST_CASE("fault 8: two blocks that wait for one another") {
  MscclFile file = sum();
  for (std::size_t r = 0; r < 2; ++r) {
    step_of(file, r, 0, 0).depends_on_block = 1;
    step_of(file, r, 0, 0).depends_on_step = 2;
    step_of(file, r, 1, 2).has_dependence = 1;
  }
  finds(file, ProgramProperty::deadlock);
  CHECK(RandomExecutor(file, {}).run().hung);
}

TEST_CASE("fault 9: a receive before the send that it waits for, on all ranks") {
  MscclFile file = ring();
  for (MscclRank& rank : file.members) {
    // Block 0 sends only after block 1 has received.
    rank.blocks[0].steps[0].depends_on_block = 1;
    rank.blocks[0].steps[0].depends_on_step = 0;
  }
  finds(file, ProgramProperty::deadlock);
  CHECK(judged(file).report.stuck.size() == 8);
  CHECK(RandomExecutor(file, {}).run().hung);
}

TEST_CASE("fault 10: a reduction that is done twice") {
  MscclFile file = sum();
  add_step(file.members[1].blocks[1], "re", "s0", "o0");
  finds(file, ProgramProperty::data);
  CHECK(RandomExecutor(file, {}).run().wrong);
}

}  // namespace
}  // namespace quadrille::programs
