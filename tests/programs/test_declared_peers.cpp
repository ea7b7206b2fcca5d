// What thread blocks declare counts, whether they use it or not: set-up connects declared peers, every kernel takes up
// their counters and puts them back, and channels are made by their declared number.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "tests/programs/random_executor.h"
#include "tests/programs/small_msccl.h"

namespace quadrille::programs {
namespace {

constexpr const char* each_executor[] = {"msccl", "azure", "rccl"};
constexpr Protocol each_protocol[] = {Protocol::simple, Protocol::ll, Protocol::ll128};

// Each of two ranks sends its chunk to the other in block 0, receives in block 1, and copies its own in block 2.
MscclFile exchange(Protocol protocol) {
  MscclFile file = small_file("allgather", 2, 2, protocol);
  file.channels = 1;
  for (std::int64_t r = 0; r < 2; ++r) {
    const std::string own = "o" + std::to_string(r);
    add_step(add_block(file, r, 1 - r, -1), "s", "i0", own);
    add_step(add_block(file, r, -1, 1 - r), "r", "i0", "o" + std::to_string(1 - r));
    add_step(add_block(file, r, -1, -1), "cpy", "i0", own);
  }
  return file;
}

bool fails_sometimes(const MscclFile& file, const char* executor) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    if (RandomExecutor(file, {.executor = executor, .seed = seed, .calls = 2}).run().failed()) return true;
  }
  return false;
}

const Finding& first_of(const ProgramReport& report, ProgramProperty property) {
  const auto found = std::find_if(report.findings.begin(), report.findings.end(),
                                  [&](const Finding& each) { return each.property == property; });
  REQUIRE(found != report.findings.end());
  return *found;
}

TEST_CASE("an exchange of declared and used peers holds, call after call") {
  for (const char* executor : each_executor) {
    for (const Protocol protocol : each_protocol) {
      CHECK(judged(exchange(protocol), {.executor = executor}).report.verdict() == ProgramVerdict::holds);
      CHECK(!fails_sometimes(exchange(protocol), executor));
    }
  }
}

TEST_CASE("a block that declares another's end and never uses it sets its step counter back") {
  for (const char* executor : each_executor) {
    for (const Protocol protocol : each_protocol) {
      for (const bool sending : {true, false}) {
        MscclFile file = exchange(protocol);
        MscclBlock& idle = file.members[0].blocks[2];
        (sending ? idle.send : idle.receive) = 1;
        CAPTURE(executor);
        CAPTURE(to_string(protocol));
        CAPTURE(sending);
        const ProgramReport report = judged(file, {.executor = executor}).report;
        CHECK(report.of(ProgramProperty::structure).findings == 1);
        const Finding& finding = first_of(report, ProgramProperty::structure);
        CHECK(finding.at->block == 2);
        CHECK(finding.message.find("never does") != std::string::npos);
        CHECK(fails_sometimes(file, executor));
      }
    }
  }
}

TEST_CASE("the idle block is named, whichever of the two comes first") {
  MscclFile file = exchange(Protocol::simple);
  std::swap(file.members[0].blocks[0].steps, file.members[0].blocks[2].steps);
  file.members[0].blocks[2].send = 1;
  CHECK(first_of(judged(file).report, ProgramProperty::structure).at->block == 0);
}

TEST_CASE("two blocks at an end over which nothing goes are not in each other's way") {
  for (const char* executor : each_executor) {
    for (const Protocol protocol : each_protocol) {
      MscclFile file = exchange(protocol);
      file.channels = 2;
      for (std::int64_t r = 0; r < 2; ++r) {
        for (int i = 0; i < 2; ++i) add_block(file, r, r == 0 ? 1 : -1, r == 0 ? -1 : 0, 1);
      }
      CHECK(judged(file, {.executor = executor}).report.verdict() == ProgramVerdict::holds);
      CHECK(!fails_sometimes(file, executor));
    }
  }
}

TEST_CASE("a declared peer needs a block that declares the other end, on that channel") {
  for (const char* executor : each_executor) {
    for (const bool sending : {true, false}) {
      MscclFile file = exchange(Protocol::ll);
      file.channels = 2;
      MscclBlock& idle = file.members[0].blocks[2];
      (sending ? idle.send : idle.receive) = 1;
      idle.channel = 1;
      const ProgramReport report = judged(file, {.executor = executor}).report;
      CHECK(report.of(ProgramProperty::structure).findings == 1);
      CHECK(first_of(report, ProgramProperty::structure).at->block == 2);
      CHECK(report.of(ProgramProperty::deadlock).verdict == ProgramVerdict::unknown);
      CHECK(RandomExecutor(file, {.executor = executor}).run().unconnected);
      // With one at the other end it holds, though neither uses it.
      MscclBlock& other = file.members[1].blocks[2];
      (sending ? other.receive : other.send) = 0;
      other.channel = 1;
      CHECK(judged(file, {.executor = executor}).report.verdict() == ProgramVerdict::holds);
      CHECK(!fails_sometimes(file, executor));
    }
  }
}

TEST_CASE("a block without peers may lie on a channel that is not set up") {
  MscclFile file = exchange(Protocol::simple);
  file.members[0].blocks[2].channel = 5;
  for (const char* executor : each_executor) {
    CHECK(judged(file, {.executor = executor}).report.verdict() == ProgramVerdict::holds);
    CHECK(!fails_sometimes(file, executor));
  }
  file.members[0].blocks[0].channel = 5;
  CHECK(verdict_of(file, ProgramProperty::structure) == ProgramVerdict::violated);
}

TEST_CASE("nchannels beyond an executor's table is refused") {
  for (const Executor& executor : executors()) {
    const std::string name(executor.name);
    MscclFile file = exchange(Protocol::simple);
    file.channels = executor.channels;
    CHECK(verdict_of(file, ProgramProperty::limits, {.executor = name}) == ProgramVerdict::holds);
    CHECK(!RandomExecutor(file, {.executor = name}).run().refused);
    ++file.channels;
    CHECK(verdict_of(file, ProgramProperty::limits, {.executor = name}) == ProgramVerdict::violated);
    CHECK(RandomExecutor(file, {.executor = name}).run().refused);
  }
}

TEST_CASE("the channels that a communicator must have are a note, but for msccl, which adds them") {
  MscclFile file = exchange(Protocol::simple);
  for (const char* executor : each_executor) CHECK(judged(file, {.executor = executor}).report.notes.empty());
  file.channels = 8;
  for (const char* executor : {"azure", "rccl"}) {
    const ProgramReport report = judged(file, {.executor = executor}).report;
    CHECK(report.verdict() == ProgramVerdict::holds);
    REQUIRE(report.notes.size() == 1);
    CHECK(report.notes[0].kind == "channels");
    CHECK(report.notes[0].message.find("8 channels") != std::string::npos);
  }
  CHECK(judged(file, {.executor = "msccl"}).report.notes.empty());
}

TEST_CASE("a channel's table of 32 peers counts blocks that declare one and never use it") {
  MscclFile file = exchange(Protocol::simple);
  file.ranks = 2;
  for (int i = 0; i < 32; ++i) {
    CHECK(verdict_of(file, ProgramProperty::limits) == ProgramVerdict::holds);
    add_block(file, 0, 1, -1);
  }
  CHECK(verdict_of(file, ProgramProperty::limits) == ProgramVerdict::violated);
}

}  // namespace
}  // namespace quadrille::programs
