// What issue by issue the executors make of a file: one test for each rule on the page.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <tuple>

#include "programs/deadlock.h"
#include "tests/programs/random_executor.h"
#include "tests/programs/small_msccl.h"

namespace quadrille::programs {
namespace {

// Two ranks of which each copies what is its own; nothing else happens.
MscclFile quiet() {
  MscclFile file = small_file("alltoall", 2, 2);
  return file;
}

const ThreadBlock& first_block(const LoadedMsccl& loaded) { return loaded.program.ranks[0].blocks[0]; }

TEST_CASE("a step's number counts transmissions, dependencies of nops and fused reductions, but not other nops") {
  MscclFile file = quiet();
  MscclBlock& block = add_block(file, 0, -1, -1);
  add_step(block, "cpy", "i0", "s0");
  add_step(block, "nop", "i0", "i0");
  add_step(block, "nop", "i0", "i0", {.depends_on_block = 0, .depends_on_step = 0});
  add_step(block, "cpy", "i0", "s1", {.depends_on_block = 0, .depends_on_step = 0});
  add_step(block, "re", "i0", "s0");
  add_step(block, "re", "i1", "s0");
  add_step(block, "cpy", "i0", "s2");
  const LoadedMsccl loaded = judged(file);
  const auto& operations = first_block(loaded).operations;
  REQUIRE(operations.size() == 4);
  CHECK(operations[0].number == 0);
  CHECK(operations[1].number == 2);  // a nop that waits, and the copy; the nop that does not wait counts nothing
  CHECK(operations[1].waits.size() == 2);
  CHECK(operations[2].number == 4);  // two reductions in one
  CHECK(operations[3].number == 5);
}

TEST_CASE("a dependency comes to the first step of at least that number that has hasdep") {
  MscclFile file = quiet();
  MscclBlock& setter = add_block(file, 0, -1, -1);
  add_step(setter, "cpy", "i0", "s0", {.has_dependence = 1});
  add_step(setter, "cpy", "i0", "s1");
  add_step(setter, "cpy", "i0", "s2", {.has_dependence = 1});
  MscclBlock& waiter = add_block(file, 0, -1, -1);
  add_step(waiter, "cpy", "s0", "s9", {.depends_on_block = 0, .depends_on_step = 1});
  const LoadedMsccl loaded = judged(file);
  const ProgramOperation* really = awaited(loaded.program.ranks[0], {0, 1});
  REQUIRE(really != nullptr);
  CHECK(really->number == 2);
  CHECK(loaded.report.of(ProgramProperty::deadlock).verdict == ProgramVerdict::holds);
  file.members[0].blocks[0].steps[2].has_dependence = 0;
  CHECK(verdict_of(file, ProgramProperty::deadlock) == ProgramVerdict::violated);
}

TEST_CASE("an s that disagrees with the number at run time is reported with the step really waited for") {
  MscclFile file = quiet();
  MscclBlock& setter = add_block(file, 0, -1, -1);
  add_step(setter, "nop", "i0", "i0");  // counts nothing: the copy has number 0, not 1
  add_step(setter, "cpy", "i0", "s0", {.has_dependence = 1});
  add_step(setter, "cpy", "i0", "s1", {.has_dependence = 1});
  MscclBlock& waiter = add_block(file, 0, -1, -1);
  add_step(waiter, "cpy", "s0", "s9", {.depends_on_block = 0, .depends_on_step = 1});
  const LoadedMsccl loaded = judged(file);
  const auto note = std::find_if(loaded.report.notes.begin(), loaded.report.notes.end(),
                                 [](const Note& each) { return each.kind == "step_number"; });
  REQUIRE(note != loaded.report.notes.end());
  CHECK(note->message.find("is its s=2") != std::string::npos);
}

TEST_CASE("a step without a dependency after nops that have some is refused by loaders") {
  MscclFile file = quiet();
  MscclBlock& block = add_block(file, 0, -1, -1);
  add_step(block, "cpy", "i0", "s0", {.has_dependence = 1});
  add_step(block, "nop", "i0", "i0", {.depends_on_block = 0, .depends_on_step = 0});
  add_step(block, "cpy", "i0", "s1");
  CHECK(verdict_of(file, ProgramProperty::limits) == ProgramVerdict::violated);
  file.members[0].blocks[0].steps[2].depends_on_block = 0;
  file.members[0].blocks[0].steps[2].depends_on_step = 0;
  CHECK(verdict_of(file, ProgramProperty::limits) == ProgramVerdict::holds);
}

TEST_CASE(
    "reductions fuse with the same target and source buffer, not across hasdep or depid, and the last count holds") {
  MscclFile file = quiet();
  MscclBlock& block = add_block(file, 0, -1, -1);
  add_step(block, "re", "i0", "s0", {.count = 1});
  add_step(block, "re", "i0", "s0", {.count = 2});
  add_step(block, "re", "i1", "s0", {.has_dependence = 1});
  add_step(block, "re", "i0", "s0");                                                 // not across hasdep
  add_step(block, "re", "i1", "s0", {.depends_on_block = 0, .depends_on_step = 0});  // nor depid
  add_step(block, "re", "s1", "s0");                                                 // another buffer
  add_step(block, "re", "s2", "s1");                                                 // another target
  const LoadedMsccl loaded = judged(file);
  const auto& operations = first_block(loaded).operations;
  REQUIRE(operations.size() == 5);
  CHECK(operations[0].sources.size() == 3);
  CHECK(operations[0].count == 1);
  CHECK(operations[0].flags);
  for (std::size_t i = 1; i < 5; ++i) CHECK(operations[i].sources.size() == 1);
}

TEST_CASE("the block's sixteenth reduction ends its group, and later groups have no end") {
  MscclFile file = quiet();
  MscclBlock& block = add_block(file, 0, -1, -1);
  for (int i = 0; i < 40; ++i) add_step(block, "re", "s" + std::to_string(i % 8 + 1), "s0");
  const LoadedMsccl loaded = judged(file);
  const auto& operations = first_block(loaded).operations;
  REQUIRE(operations.size() == 2);
  CHECK(operations[0].sources.size() == 16);
  CHECK(operations[1].sources.size() == 24);
  CHECK(loaded.report.of(ProgramProperty::limits).verdict == ProgramVerdict::holds);  // rccl adds them one by one
  CHECK(verdict_of(file, ProgramProperty::limits, {.executor = "msccl"}) == ProgramVerdict::violated);
  CHECK(verdict_of(file, ProgramProperty::limits, {.executor = "azure"}) == ProgramVerdict::violated);
}

TEST_CASE("a nop between reductions does not end their group, and its dependency falls on the next unfused step") {
  MscclFile file = quiet();
  MscclBlock& setter = add_block(file, 0, -1, -1);
  add_step(setter, "cpy", "i0", "s1", {.has_dependence = 1});
  MscclBlock& block = add_block(file, 0, -1, -1);
  add_step(block, "cpy", "i0", "s0");
  add_step(block, "re", "s2", "s0");
  add_step(block, "nop", "i0", "i0", {.depends_on_block = 0, .depends_on_step = 0});
  add_step(block, "re", "s1", "s0");
  add_step(block, "cpy", "s0", "s4", {.depends_on_block = 0, .depends_on_step = 0});
  const LoadedMsccl loaded = judged(file);
  const auto& operations = loaded.program.ranks[0].blocks[1].operations;
  REQUIRE(operations.size() == 3);
  CHECK(operations[1].sources.size() == 2);
  CHECK(operations[1].waits.empty());
  CHECK(operations[2].waits.size() == 2);
  CHECK(loaded.report.of(ProgramProperty::race).verdict == ProgramVerdict::violated);
}

TEST_CASE("chunks travel together as many as fit into an effective chunk, at most 71") {
  for (const Executor& executor : executors()) {
    for (const Protocol protocol : {Protocol::simple, Protocol::ll, Protocol::ll128}) {
      const std::uint64_t effective =
          effective_chunk(executor, protocol, ProgramFamily::allreduce, default_buffer(executor, protocol));
      for (const std::uint32_t chunks : {1u, 8u, 24u}) {
        const std::vector<Regime> all = regimes(effective, chunks, 1, 0);
        for (std::uint64_t bytes = chunks; bytes < 200000000; bytes += bytes / 7 / chunks * chunks + chunks) {
          const std::uint64_t chunk = (bytes + chunks - 1) / chunks;
          const std::uint64_t together = std::min<std::uint64_t>(std::max<std::uint64_t>(1, effective / chunk), 71);
          const auto here = std::find_if(all.begin(), all.end(), [&](const Regime& regime) {
            return regime.bytes_from <= bytes && (regime.bytes_to == 0 || bytes <= regime.bytes_to);
          });
          REQUIRE(here != all.end());
          CHECK(here->together == together);
        }
      }
    }
  }
}

TEST_CASE("the executors' effective chunks are those of their sources") {
  CHECK(effective_chunk(*executor_named("rccl"), Protocol::ll, ProgramFamily::allreduce, 262144) == 16384);
  CHECK(effective_chunk(*executor_named("msccl"), Protocol::ll, ProgramFamily::allreduce, 524288) == 32768);
  CHECK(effective_chunk(*executor_named("rccl"), Protocol::ll128, ProgramFamily::allreduce, 458752) == 50176);
  CHECK(effective_chunk(*executor_named("azure"), Protocol::ll128, ProgramFamily::allreduce, 4915200) == 576000);
  CHECK(effective_chunk(*executor_named("azure"), Protocol::simple, ProgramFamily::allreduce, 4194304) == 2097152);
  CHECK(effective_chunk(*executor_named("azure"), Protocol::simple, ProgramFamily::broadcast, 4194304) == 524288);
  for (const Executor& executor : executors()) {
    for (const Protocol protocol : {Protocol::simple, Protocol::ll, Protocol::ll128}) {
      for (const std::uint64_t wanted : {1000u, 4096u, 99999u}) {
        const std::uint64_t buffer = buffer_for(executor, protocol, ProgramFamily::allreduce, wanted);
        CHECK(effective_chunk(executor, protocol, ProgramFamily::allreduce, buffer) >= wanted);
        CHECK(effective_chunk(executor, protocol, ProgramFamily::allreduce, buffer - 8) < wanted);
      }
    }
  }
}

TEST_CASE("both sides of a transmission have the same cnt") {
  MscclFile file = small_file("alltoall", 2, 4);
  add_step(add_block(file, 0, 1, -1), "s", "i2", "o0", {.count = 2});
  add_step(add_block(file, 1, -1, 0), "r", "i2", "o0", {.count = 1});
  CHECK(verdict_of(file, ProgramProperty::matching) == ProgramVerdict::violated);
  file.members[1].blocks[0].steps[0].count = 2;
  CHECK(verdict_of(file, ProgramProperty::matching) == ProgramVerdict::holds);
}

// Two ranks that send `times` times to each other before they receive.
MscclFile crossing(std::int64_t times, Protocol protocol, std::int64_t count = 1) {
  MscclFile file = small_file("allgather", 2, 2 * count, protocol);
  for (std::int64_t r = 0; r < 2; ++r) {
    MscclBlock& block = add_block(file, r, 1 - r, 1 - r);
    const std::string other = std::to_string((1 - r) * count);
    for (std::int64_t i = 0; i < times; ++i) add_step(block, "s", "i0", "o0", {.count = count});
    for (std::int64_t i = 0; i < times; ++i) add_step(block, "r", "i0", "o" + other, {.count = count});
    add_step(block, "cpy", "i0", "o" + std::to_string(r * count), {.count = count});
  }
  return file;
}

TEST_CASE("a connection holds two messages under Simple, and eight under LL and LL128") {
  for (const char* executor : {"msccl", "azure", "rccl"}) {
    const SmallCall call{.executor = executor};
    CHECK(verdict_of(crossing(2, Protocol::simple), ProgramProperty::deadlock, call) == ProgramVerdict::holds);
    CHECK(verdict_of(crossing(3, Protocol::simple), ProgramProperty::deadlock, call) == ProgramVerdict::violated);
    for (const Protocol protocol : {Protocol::ll, Protocol::ll128}) {
      CHECK(verdict_of(crossing(8, protocol), ProgramProperty::deadlock, call) == ProgramVerdict::holds);
      CHECK(verdict_of(crossing(9, protocol), ProgramProperty::deadlock, call) == ProgramVerdict::violated);
    }
  }
}

TEST_CASE("deadlock is decided for every size, and a hang is reported with the least message") {
  // Two sends of five chunks: ten messages where each travels alone, and 8 fit.
  const MscclFile file = crossing(2, Protocol::ll, 5);
  const LoadedMsccl loaded = judged(file);
  const PropertyVerdict& verdict = loaded.report.of(ProgramProperty::deadlock);
  CHECK(verdict.verdict == ProgramVerdict::conditional);
  // rccl: 16384 bytes; two chunks of 8192 travel together: 10 · 8192 bytes.
  CHECK(verdict.condition.bytes_to == 81920);
  REQUIRE(loaded.report.findings.size() == 1);
  CHECK(loaded.report.findings[0].least_bytes == 81930);
  for (const std::uint32_t together : {1u, 2u, 5u}) {
    RandomExecutor executor(file, {.together = together});
    CHECK(executor.run().hung == (together == 1));
  }
}

TEST_CASE("a hang that only a smaller buffer shows is a note, with the least that is enough") {
  MscclFile file = crossing(2, Protocol::ll, 5);
  file.most_bytes = 81920;
  const auto note_of = [&] {
    const ProgramReport report = judged(file).report;
    CHECK(report.verdict() == ProgramVerdict::holds);
    CHECK(report.findings.empty());
    REQUIRE_FALSE(report.notes.empty());
    CHECK(report.notes.back().kind == "buffer");
    return report.notes.back().message;
  };
  CHECK(note_of() ==
        "with a buffer of less than 262144 bytes, which is smaller than the executor's own, 2 blocks wait for one "
        "another: here for room for a message to rank 1");
  CHECK(verdict_of(file, ProgramProperty::deadlock, {.buffer = 262144}) == ProgramVerdict::holds);
  CHECK(verdict_of(file, ProgramProperty::deadlock, {.buffer = 200000}) != ProgramVerdict::holds);
  file.most_bytes = 40960;
  CHECK(note_of().starts_with("with a buffer of less than 131072 bytes"));
}

TEST_CASE("minBytes and maxBytes are read as 64 bits with sign, and compared with sizes that have none") {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  MscclFile file = crossing(2, Protocol::ll, 5);
  for (const auto& [least_bytes, most_bytes, limits] : {std::tuple{std::int64_t{0}, most, ProgramVerdict::holds},
                                                        {most - 20, most, ProgramVerdict::holds},
                                                        {std::int64_t{0}, std::int64_t{-1}, ProgramVerdict::holds},
                                                        {std::int64_t{-1}, most, ProgramVerdict::violated}}) {
    file.least_bytes = least_bytes;
    file.most_bytes = most_bytes;
    const Source source{"x.xml", write_msccl_xml(file)};
    const Result<MscclFile> read = read_msccl_xml(source, 0);
    REQUIRE(read.ok());
    CHECK(read->least_bytes == least_bytes);
    CHECK(read->most_bytes == most_bytes);
    CHECK(verdict_of(*read, ProgramProperty::limits) == limits);
  }
  file.least_bytes = 0;
  file.most_bytes = most;
  CHECK(judged(file).report.of(ProgramProperty::deadlock).condition.bytes_to == 81920);
  file.most_bytes = -1;
  CHECK(verdict_of(file, ProgramProperty::limits, {.executor = "msccl"}) == ProgramVerdict::violated);
}

TEST_CASE("buffers of more chunks than are followed cost nothing, and are unknown") {
  MscclFile file = small_file("allgather", 2, 2);
  file.chunks = 20'000'000;
  for (const ProgramProperty property : {ProgramProperty::structure, ProgramProperty::deadlock}) {
    CHECK(verdict_of(file, property) == ProgramVerdict::holds);
  }
  for (const ProgramProperty property : {ProgramProperty::race, ProgramProperty::data, ProgramProperty::agreement}) {
    const ProgramReport report = judged(file).report;
    CHECK(report.of(property).verdict == ProgramVerdict::unknown);
    CHECK(report.of(property).reason == Reason::limit);
    CHECK(report.of(property).why == "its buffers have 60000080 chunks, and 4194304 are followed at most");
  }
}

TEST_CASE("maxBytes=0 is no limit, but for msccl") {
  MscclFile file = crossing(2, Protocol::ll, 5);
  CHECK(verdict_of(file, ProgramProperty::deadlock) == ProgramVerdict::conditional);
  CHECK(regimes(1000, 10, 0, 0).back().bytes_to == 0);
  file.least_bytes = 1;
  CHECK(verdict_of(file, ProgramProperty::limits, {.executor = "msccl"}) == ProgramVerdict::violated);
  CHECK(verdict_of(file, ProgramProperty::limits) == ProgramVerdict::holds);
}

TEST_CASE("races never lean on the depth of a queue") {
  // The third send of block 0 finds room only after block 1 of rank 1 has received the first; still nothing orders
  // them.
  MscclFile file = small_file("alltoall", 2, 2);
  MscclBlock& sender = add_block(file, 0, 1, -1);
  for (int i = 0; i < 2; ++i) add_step(sender, "s", "i1", "o0");
  add_step(sender, "s", "i1", "o0", {.has_dependence = 1});
  MscclBlock& back = add_block(file, 0, -1, 1);
  add_step(back, "r", "o0", "s0");
  MscclBlock& reader = add_block(file, 0, -1, -1);
  add_step(reader, "cpy", "s0", "s1", {.depends_on_block = 0, .depends_on_step = 2});
  MscclBlock& receiver = add_block(file, 1, 0, 0);
  add_step(receiver, "s", "i0", "o1");
  for (int i = 0; i < 3; ++i) add_step(receiver, "r", "i1", "o0");
  CHECK(verdict_of(file, ProgramProperty::race) == ProgramVerdict::violated);
}

// Block 0 sends a chunk that block 1 overwrites once the send has set its flag.
MscclFile overwritten_after_send(Protocol protocol) {
  MscclFile file = small_file("allgather", 2, 2, protocol);
  add_step(add_block(file, 0, 1, -1), "s", "s0", "o0", {.has_dependence = 1});
  MscclBlock& writer = add_block(file, 0, -1, -1);
  add_step(writer, "cpy", "i0", "s0", {.depends_on_block = 0, .depends_on_step = 0});
  add_step(add_block(file, 1, -1, 0), "r", "s0", "o0");
  return file;
}

TEST_CASE("a flag that an LL send sets protects nothing in rccl, and does in msccl and azure") {
  CHECK(verdict_of(overwritten_after_send(Protocol::ll), ProgramProperty::race) == ProgramVerdict::violated);
  CHECK(verdict_of(overwritten_after_send(Protocol::ll128), ProgramProperty::race) == ProgramVerdict::holds);
  CHECK(verdict_of(overwritten_after_send(Protocol::simple), ProgramProperty::race) == ProgramVerdict::holds);
  for (const char* executor : {"msccl", "azure"}) {
    CHECK(verdict_of(overwritten_after_send(Protocol::ll), ProgramProperty::race, {.executor = executor}) ==
          ProgramVerdict::holds);
  }
}

TEST_CASE("a race with the threads of a send that has set its flag is shown by one run, and others by two") {
  const ProgramReport lagging = judged(overwritten_after_send(Protocol::ll)).report;
  REQUIRE(lagging.findings.size() == 1);
  CHECK(lagging.findings[0].runs.size() == 1);
  CHECK(lagging.findings[0].message.find("its threads still read") != std::string::npos);
  const ProgramReport other = judged(sample("ring-allgather-4-race.xml")).report;
  for (const Finding& finding : other.findings) {
    REQUIRE(finding.runs.size() == 2);
    CHECK(finding.runs[0].back().block != finding.runs[1].back().block);
  }
}

TEST_CASE("of a race a value says which of the two reads") {
  MscclFile file = small_file("allgather", 2, 2);
  add_step(add_block(file, 0, -1, -1), "cpy", "s0", "s1");
  add_step(add_block(file, 0, -1, -1), "cpy", "i0", "s0");
  const ProgramReport report = judged(file).report;
  REQUIRE(report.findings.size() == 1);
  const Finding& finding = report.findings[0];
  CHECK(finding.reads_first == (finding.at->block == 0));
}

TEST_CASE("under LL a reduction reads its own chunk before the message arrives") {
  for (const Protocol protocol : {Protocol::simple, Protocol::ll}) {
    // Rank 1 sends after rank 0 told it to, when block 0 has written s0; block 1 adds what arrives to s0.
    MscclFile file = small_file("allgather", 2, 2, protocol);
    MscclBlock& first = add_block(file, 0, 1, -1);
    add_step(first, "cpy", "i0", "s0");
    add_step(first, "s", "i0", "o0");
    add_step(add_block(file, 0, -1, 1, 1), "rrc", "s0", "s1");
    MscclBlock& answer = add_block(file, 1, -1, 0);
    add_step(answer, "r", "i0", "s0", {.has_dependence = 1});
    add_step(add_block(file, 1, 0, -1, 1), "s", "s0", "s0", {.depends_on_block = 0, .depends_on_step = 0});
    CHECK(verdict_of(file, ProgramProperty::race) ==
          (protocol == Protocol::simple ? ProgramVerdict::holds : ProgramVerdict::violated));
  }
}

TEST_CASE("flags without a fence are a note, and no race") {
  MscclFile file = small_file("allgather", 2, 2);
  file.channels = 1;
  add_step(add_block(file, 0, -1, -1), "cpy", "i0", "s0", {.has_dependence = 1});
  add_step(add_block(file, 0, -1, -1), "cpy", "s0", "o0", {.depends_on_block = 0, .depends_on_step = 0});
  const LoadedMsccl loaded = judged(file);
  CHECK(loaded.report.of(ProgramProperty::race).verdict == ProgramVerdict::holds);
  REQUIRE(loaded.report.notes.size() == 1);
  CHECK(loaded.report.notes[0].kind == "memory_order");
  // rccl releases after steps whose target is not scratch, and acquires before those whose source is the output.
  MscclFile ordered = small_file("allgather", 2, 2);
  ordered.channels = 1;
  add_step(add_block(ordered, 0, -1, -1), "cpy", "i0", "o0", {.has_dependence = 1});
  add_step(add_block(ordered, 0, -1, -1), "cpy", "o0", "s0", {.depends_on_block = 0, .depends_on_step = 0});
  CHECK(judged(ordered).report.notes.empty());
}

TEST_CASE("in place, buffers are the same memory as each collective has it") {
  const auto same = [](const char* collective, Space a, std::int64_t i, Space b, std::int64_t j) {
    MscclFile file = small_file(collective, 2, 4);
    const LoadedMsccl loaded = judged(file, {.in_place = true});
    const Cells cells(loaded.program);
    return cells.cell(1, a, i) == cells.cell(1, b, j);
  };
  CHECK(same("allreduce", Space::input, 3, Space::output, 3));
  CHECK(same("alltoall", Space::input, 0, Space::output, 0));
  CHECK(same("allgather", Space::input, 1, Space::output, 3));
  CHECK(same("reducescatter", Space::input, 3, Space::output, 1));
  CHECK(!same("allgather", Space::input, 1, Space::output, 1));
  CHECK(!same("allreduce", Space::input, 0, Space::scratch, 0));
}

TEST_CASE("an out-of-place call leaves its input alone") {
  MscclFile file = crossing(1, Protocol::simple);
  CHECK(verdict_of(file, ProgramProperty::data) == ProgramVerdict::holds);
  add_step(file.members[0].blocks[0], "cpy", "o1", "i0");
  CHECK(verdict_of(file, ProgramProperty::data) == ProgramVerdict::violated);
}

TEST_CASE("sums in another order disagree, and swapped summands do not") {
  // Rank 2 adds for both: in one order for rank 0, in another for rank 1.
  const auto file = [](bool alike) {
    MscclFile it = small_file("allreduce", 3, 1);
    for (std::int64_t r = 0; r < 3; ++r) {
      for (std::int64_t p = 0; p < 3; ++p) {
        if (p == r) continue;
        MscclBlock& sender = add_block(it, r, p, -1);
        add_step(sender, "s", "i0", "s0");
      }
      MscclBlock& adder = add_block(it, r, -1, -1);
      std::int64_t next = 3;
      for (std::int64_t p = 0; p < 3; ++p) {
        if (p != r) add_step(add_block(it, r, -1, p), "r", "i0", "s" + std::to_string(p), {.has_dependence = 1});
      }
      MscclBlock& sum = it.members[static_cast<std::size_t>(r)].blocks[2];
      (void)adder;
      const std::string own = "i0";
      const std::int64_t first = r == 0 ? 1 : 0;
      const std::int64_t second = r == 2 ? 1 : 2;
      // alike: always (0 + 1) + 2, up to commutativity; else own + first + second.
      std::vector<std::string> order = {own};
      for (const std::int64_t p : {first, second}) order.push_back("s" + std::to_string(p));
      if (alike) {
        order = {"s0", "s1", "s2"};
        order[static_cast<std::size_t>(r)] = own;
        if (r == 1) std::swap(order[0], order[1]);
      }
      add_step(sum, "nop", "i0", "i0", {.depends_on_block = next, .depends_on_step = 0});
      add_step(sum, "cpy", order[0], "o0", {.depends_on_block = next + 1, .depends_on_step = 0});
      add_step(sum, "re", order[1], "o0");
      add_step(sum, "cpy", "i0", "s30");
      add_step(sum, "re", order[2], "o0");
    }
    return it;
  };
  const LoadedMsccl different = judged(file(false));
  CHECK(different.report.of(ProgramProperty::data).verdict == ProgramVerdict::holds);
  CHECK(different.report.of(ProgramProperty::agreement).verdict == ProgramVerdict::violated);
  CHECK(judged(file(true)).report.verdict() == ProgramVerdict::holds);
}

}  // namespace
}  // namespace quadrille::programs
