// Judging ends when its limits are reached, in whichever of its parts it is then.
#include <doctest/doctest.h>

#include <string>

#include "programs/deadlock.h"
#include "programs/goal/judge.h"
#include "programs/goal/match.h"
#include "programs/goal/read.h"
#include "tests/programs/small_msccl.h"

namespace quadrille::programs {
namespace {

Limits over() {
  Limits limits;
  limits.deadline = Limits::Clock::time_point::min();
  return limits;
}

// Two blocks of one rank that write the same chunk.
MscclFile racing() {
  MscclFile file = small_file("allreduce", 1, 1);
  for (int b = 0; b < 2; ++b) add_step(add_block(file, 0, -1, -1), "cpy", "i0", "o0");
  return file;
}

TEST_CASE("of a program that is judged when the time is up nothing is said to hold") {
  LoadedMsccl loaded = judged(racing());
  CHECK(loaded.report.of(ProgramProperty::race).verdict == ProgramVerdict::violated);
  loaded.report = {};
  judge(loaded.program, loaded.report, {.limits = over()});
  for (const ProgramProperty property :
       {ProgramProperty::structure, ProgramProperty::matching, ProgramProperty::deadlock, ProgramProperty::race,
        ProgramProperty::data, ProgramProperty::agreement}) {
    CAPTURE(to_string(property));
    CHECK(loaded.report.of(property).verdict == ProgramVerdict::unknown);
    CHECK(loaded.report.of(property).reason == Reason::timeout);
    CHECK(loaded.report.of(property).why == "there was no time left");
  }
}

TEST_CASE("each part of the judging of a program hears that the time is up") {
  const LoadedMsccl loaded = judged(racing());
  const Program& program = loaded.program;
  const Limits all_the_time;
  Work ample(all_the_time);
  const Limits no_time = over();
  Work late(no_time);
  ProgramReport report;
  const ProgramNetwork network = connect(program, report, 3, ample);
  CHECK_THROWS_AS(connect(program, report, 3, late), Ended);
  CHECK_THROWS_AS(find_deadlock(program, network, 1, late), Ended);
  CHECK_THROWS_AS(judge_deadlock(program, network, report, 3, late), Ended);
  CHECK_THROWS_AS(HappensBefore(program, network, late), Ended);
  const HappensBefore order(program, network, ample);
  CHECK_THROWS_AS(judge_races(program, network, order, {}, report, late), Ended);
  CHECK_THROWS_AS(judge_data(program, network, order, {}, report, late), Ended);
}

TEST_CASE("what is violated stays so when the judging ends early, and may be so elsewhere, too") {
  ProgramReport report;
  report.add({ProgramProperty::race, "a race"}, 3);
  report.cut_short(ProgramProperty::race, Reason::limit);
  report.cut_short(ProgramProperty::data, Reason::limit);
  CHECK(report.of(ProgramProperty::race).verdict == ProgramVerdict::violated);
  CHECK(report.of(ProgramProperty::race).partial);
  CHECK(report.of(ProgramProperty::data).verdict == ProgramVerdict::unknown);
  CHECK(report.of(ProgramProperty::data).why == "there was no memory left");
}

TEST_CASE("of a schedule in GOAL that is judged when the time is up nothing is said to hold but its structure") {
  const std::string text = "num_ranks 2\nrank 0 {\nsend 8b to 1 tag 1\n}\nrank 1 {\nrecv 8b from 0 tag 1\n}\n";
  const auto schedule = read_goal_text({"text", text}, 0);
  REQUIRE(schedule.ok());
  CHECK(judge_goal(*schedule, {}).verdict() == ProgramVerdict::holds);
  const ProgramReport report = judge_goal(*schedule, {.limits = over()});
  CHECK(report.of(ProgramProperty::structure).verdict == ProgramVerdict::holds);
  CHECK(report.of(ProgramProperty::matching).reason == Reason::timeout);
  CHECK(report.of(ProgramProperty::deadlock).reason == Reason::timeout);
  const Limits all_the_time;
  Work ample(all_the_time);
  const Limits no_time = over();
  Work late(no_time);
  ProgramReport scratch;
  const GoalMatch match = match_goal(*schedule, {}, scratch, ample);
  CHECK_THROWS_AS(judge_goal_deadlock(*schedule, match, {}, scratch, late), Ended);
}

}  // namespace
}  // namespace quadrille::programs
