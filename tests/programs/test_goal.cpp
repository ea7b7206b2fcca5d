// GOAL: written and read it is the same, and what is judged of it is what an executor shows that was written apart.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "programs/goal/judge.h"
#include "programs/goal/read.h"
#include "programs/goal/write.h"
#include "tests/programs/goal_executor.h"
#include "tests/programs/random_goal.h"

namespace quadrille::programs {
namespace {

std::string as_goal_text(const GoalSchedule& schedule) {
  std::string text;
  write_goal_text(schedule, {}, [&](std::string_view more) {
    text += more;
    return true;
  });
  return text;
}

std::string as_goal_bytes(const GoalSchedule& schedule) {
  std::string bytes;
  write_goal_binary(schedule, [&](std::string_view more) {
    bytes += more;
    return true;
  });
  return bytes;
}

GoalSchedule goal_of(const std::string& text) {
  const auto schedule = read_goal_text({"text", text}, 0);
  REQUIRE(schedule.ok());
  return *schedule;
}

ProgramReport goal_judged(const std::string& text) { return judge_goal(goal_of(text), {}); }

TEST_CASE("the samples have their verdicts") {
  const auto sample = [](const std::string& name) {
    std::ifstream file(QUADRILLE_SOURCE_FOLDER "/tests/programs/samples/" + name + ".goal");
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  CHECK(goal_judged(sample("a2a8")).verdict() == ProgramVerdict::holds);
  const ProgramReport tag = goal_judged(sample("bad_tag"));
  CHECK(tag.of(ProgramProperty::matching).verdict == ProgramVerdict::violated);
  CHECK(tag.of(ProgramProperty::deadlock).verdict == ProgramVerdict::violated);
  REQUIRE(tag.findings.size() == 2);
  CHECK(tag.findings[0].at->rank == 7);
  CHECK(tag.findings[0].other->rank == 0);
  const ProgramReport cycle = goal_judged(sample("cyc"));
  CHECK(cycle.of(ProgramProperty::matching).verdict == ProgramVerdict::holds);
  CHECK(cycle.of(ProgramProperty::deadlock).verdict == ProgramVerdict::violated);
  CHECK(cycle.stuck.size() == 4);
}

TEST_CASE("GOAL text and binary, written and read, are the same") {
  for (unsigned seed = 0; seed < 300; ++seed) {
    const GoalSchedule schedule = RandomGoal(seed).make();
    const std::string text = as_goal_text(schedule);
    const GoalSchedule read = goal_of(text);
    CHECK(as_goal_text(read) == text);
    const std::string bytes = as_goal_bytes(schedule);
    CHECK(as_goal_bytes(read) == bytes);
    const auto again = read_goal_binary(bytes);
    REQUIRE(again.ok());
    CHECK(as_goal_bytes(*again) == bytes);
  }
}

TEST_CASE("a binary file cut off anywhere, or with any byte changed, is refused or read, and nothing else") {
  const std::string bytes = as_goal_bytes(RandomGoal(7).make());
  for (std::size_t size = 0; size < bytes.size(); ++size) CHECK(!read_goal_binary(bytes.substr(0, size)).ok());
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (const char value : {'\0', '\1', '\x7f', '\xff'}) {
      std::string changed = bytes;
      changed[at] = value;
      const auto read = read_goal_binary(changed);
      if (read.ok()) (void)judge_goal(*read, {});
    }
  }
}

TEST_CASE("what is judged of matching and deadlock is what random executions show") {
  std::size_t held = 0;
  std::size_t hung = 0;
  std::size_t unmatched = 0;
  std::size_t unknown = 0;
  for (unsigned seed = 0; seed < 4000; ++seed) {
    CAPTURE(seed);
    RandomGoal random(seed);
    const GoalSchedule schedule = random.make();
    CAPTURE(as_goal_text(schedule));
    for (const std::uint64_t eager : {0U, 50U, 1000U}) {
      CAPTURE(eager);
      const ProgramReport report = judge_goal(schedule, {.eager_bytes = eager});
      const ProgramVerdict matching = report.of(ProgramProperty::matching).verdict;
      const ProgramVerdict deadlock = report.of(ProgramProperty::deadlock).verdict;
      held += matching == ProgramVerdict::holds && deadlock == ProgramVerdict::holds;
      hung += deadlock == ProgramVerdict::violated;
      unmatched += matching == ProgramVerdict::violated;
      unknown += deadlock == ProgramVerdict::unknown;
      for (int run = 0; run < 12; ++run) {
        const GoalOutcome outcome = execute_goal(schedule, eager, random.dice());
        if (deadlock == ProgramVerdict::holds) CHECK(outcome.ended);
        if (deadlock == ProgramVerdict::violated) CHECK(!outcome.ended);
        if (matching == ProgramVerdict::holds) CHECK(outcome.sizes_agreed);
        if (matching == ProgramVerdict::holds && outcome.ended) CHECK(outcome.empty);
        if (matching == ProgramVerdict::violated && outcome.ended) CHECK(!(outcome.empty && outcome.sizes_agreed));
      }
    }
  }
  CHECK(held > 1000);
  CHECK(hung > 1000);
  CHECK(unmatched > 500);
  CHECK(unknown > 100);
}

TEST_CASE("the limit up to which messages have to be eager is the least with which it ends") {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    CAPTURE(seed);
    const GoalSchedule schedule = RandomGoal(seed).make();
    const PropertyVerdict verdict = judge_goal(schedule, {}).of(ProgramProperty::deadlock);
    const auto with = [&](std::uint64_t eager) {
      return judge_goal(schedule, {.eager_bytes = eager}).of(ProgramProperty::deadlock).verdict;
    };
    if (verdict.verdict == ProgramVerdict::holds) CHECK(with(0) == ProgramVerdict::holds);
    if (verdict.verdict != ProgramVerdict::conditional) continue;
    CHECK(with(*verdict.condition.buffer) == ProgramVerdict::holds);
    CHECK(with(*verdict.condition.buffer - 1) != ProgramVerdict::holds);
    CHECK(with(0) == ProgramVerdict::violated);
  }
}

TEST_CASE("messages that leave by two interfaces have no order") {
  const std::string begin = "num_ranks 2\nrank 0 {\na: send 1b to 1\nb: send 2b to 1";
  const std::string end = "\nb requires a\n}\nrank 1 {\na: recv 1b from 0\nb: recv 2b from 0\nb requires a\n}\n";
  CHECK(goal_judged(begin + end).of(ProgramProperty::matching).verdict == ProgramVerdict::holds);
  CHECK(goal_judged(begin + " nic 1" + end).of(ProgramProperty::matching).verdict == ProgramVerdict::unknown);
}

TEST_CASE("comments, cpu, nic and operations without labels are read") {
  const GoalSchedule schedule = goal_of(
      "// one\n/* two\n three */ num_ranks 1 rank 0 { send 3b to 0 tag 4 cpu 1 nic 2\n\tcalc 5 cpu 6\r\n"
      "x: recv 3 b from -1 tag -1\n x irequires x\n}");
  REQUIRE(schedule.ranks[0].operations.size() == 3);
  const GoalOperation& sent = schedule.ranks[0].operations[0];
  CHECK(sent.size == 3);
  CHECK(sent.tag == 4);
  CHECK(sent.cpu == 1);
  CHECK(sent.nic == 2);
  CHECK(schedule.ranks[0].operations[1].cpu == 6);
  CHECK(schedule.ranks[0].operations[2].peer == goal_any);
  CHECK(schedule.ranks[0].operations[2].tag == goal_any);
  CHECK(schedule.ranks[0].dependencies[0].started);
}

TEST_CASE("text that takes more memory than there is is refused before it is read") {
  Limits limits;
  limits.memory = 1000;
  const std::string text = "num_ranks 1\nrank 0 {\n" + std::string(200, '\n') + "}\n";
  const auto read = read_goal_text({"text", text}, 0, limits);
  REQUIRE(!read.ok());
  CHECK(read.diagnostics().front().code == Code::limit);
}

}  // namespace
}  // namespace quadrille::programs
