// What the judge of execution plans says of small plans, each wrong in one way: the property, and the words.
#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "programs/mscclpp/judge.h"
#include "tests/programs/small_plans.h"

namespace quadrille::programs {
namespace {

bool passes(const ProgramReport& report, ProgramProperty property) {
  const ProgramVerdict verdict = report.of(property).verdict;
  return verdict == ProgramVerdict::holds || verdict == ProgramVerdict::conditional;
}

// The first finding with its place: "race: writes …  @ gpu 0 block 1 ops[2] put".
std::string first_finding(const ExecutionPlan& plan, const ProgramReport& report) {
  if (report.findings.empty()) return "nothing";
  const Finding& it = report.findings.front();
  std::string text = std::string(to_string(it.property)) + ": " + it.message;
  for (const auto& place : {it.at, it.other}) {
    if (!place) continue;
    text += " @ gpu " + std::to_string(place->rank) + " block " + std::to_string(place->block);
    if (place->step >= 0) text += " " + plan_operation_text(plan, *place);
  }
  return text;
}

SmallPlan named(const std::vector<SmallPlan>& plans, const std::string& name) {
  const auto found = std::ranges::find(plans, name, &SmallPlan::name);
  REQUIRE_MESSAGE(found != plans.end(), name);
  return *found;
}

TEST_CASE("a right plan is never called wrong") {
  for (const SmallPlan& small : right_plans()) {
    CAPTURE(small.name);
    const ProgramReport report = judge_plan(small.plan, {.alone = true});
    if (small.name.find("waits for one turn") != small.name.npos) continue;  // wrong for other numbers of turns
    for (const ProgramProperty property : report.covers) {
      if (report.only_warns(property)) continue;
      CAPTURE(to_string(property));
      CHECK_MESSAGE(passes(report, property), first_finding(small.plan, report));
    }
  }
}

TEST_CASE("a plan that is wrong by some reading of the executor's rules is never passed") {
  for (const SmallPlan& small : wrong_plans()) {
    CAPTURE(small.name);
    const ProgramReport report = judge_plan(small.plan, {});
    CHECK(report.verdict() != ProgramVerdict::holds);
    CHECK(report.verdict() != ProgramVerdict::conditional);
  }
}

TEST_CASE("a finding says what races, hangs or is lost, and where") {
  struct Said {
    const char* plan;
    const char* text;
  };
  const std::vector<SmallPlan> plans = wrong_plans();
  for (const auto& [name, text] :
       {Said{"no order of the block after a wait",
             "race: writes scratch chunk 0 of gpu 0, and the other reads it: nothing orders them @ gpu 1 block 0 "
             "ops[3] put @ gpu 0 block 0 ops[7] re"},
        {"each waits before it signals",
         "deadlock: waits for a signal of gpu 1 at memory channel 0 of gpu 0 for ever @ gpu 0 block 0 ops[6] wait @ "
         "gpu 1 block 0 ops[6] wait"},
        {"a barrier of fewer blocks than use it",
         "matching: barrier 0 waits for 2 blocks, and 3 blocks use it @ gpu 0 block 0 ops[3] barrier"},
        {"a signal more than waits",
         "matching: in a launch gpu 0 signals memory channel 0 of gpu 1 3 times, and that waits 2 times @ gpu 0 block "
         "0 "
         "ops[9] signal"},
        {"another chunk", "data: output chunk 1 of gpu 1 contains input chunk 0 of gpu 0, which is not due"},
        {"plain writes over packets",
         "race: writes plain data into scratch chunk 3 of gpu 0, where packets are written: data may look like their "
         "flag @ gpu 0 block 0 ops[4] copy @ gpu 1 block 0 ops[1] respkt"},
        {"ends before a port has read",
         "race: reads input chunk 0 of gpu 0, which may have ended its launch before @ gpu 0 block 0 ops[4] put"},
        {"writes before the other one has begun",
         "race: writes output chunk 1 of gpu 0, which may not have begun this launch @ gpu 1 block 0 ops[1] put"},
        {"the next launch writes over scratch",
         "relaunch: reads scratch chunk 0 of gpu 0, and the other writes it, in the next launch: nothing orders them @ "
         "gpu 0 block 0 ops[5] re @ gpu 1 block 0 ops[0] put"}}) {
    CAPTURE(name);
    const SmallPlan small = named(plans, name);
    CHECK(first_finding(small.plan, judge_plan(small.plan, {})) == text);
  }
}

TEST_CASE("what is not known is said to be unknown, with the reason") {
  const std::vector<SmallPlan> plans = wrong_plans();
  const ProgramReport acquirers = judge_plan(named(plans, "two acquirers of a semaphore").plan, {});
  CHECK(acquirers.of(ProgramProperty::deadlock).verdict == ProgramVerdict::unknown);
  CHECK(acquirers.of(ProgramProperty::deadlock).why ==
        "blocks 1 and 2 wait at semaphore 0 of gpu 0, and nothing orders them");
  const ProgramReport halves = judge_plan(named(plans, "halves of the scratch, with a plan between").plan, {});
  CHECK(halves.of(ProgramProperty::relaunch).verdict == ProgramVerdict::unknown);
  CHECK(halves.of(ProgramProperty::relaunch)
            .why.starts_with("with another plan between, two launches use the same half"));

  const ExecutionPlan barrier = named(right_plans(), "a barrier").plan;
  CHECK(judge_plan(barrier, {.multiprocessors = 1}).of(ProgramProperty::deadlock).verdict == ProgramVerdict::unknown);
  CHECK(passes(judge_plan(barrier, {.multiprocessors = 64}), ProgramProperty::deadlock));
}

TEST_CASE("a plan is judged within its limits, or said to be unknown") {
  const ExecutionPlan plan = named(right_plans(), "a ring").plan;
  const Limits small{.memory = 1000};
  const ProgramReport report = judge_plan(plan, {.limits = small});
  CHECK(report.verdict() == ProgramVerdict::unknown);
  CHECK(report.of(ProgramProperty::race).reason == Reason::limit);
}

TEST_CASE("the order of a plan lists each operation once, and what orders them") {
  const ExecutionPlan plan = named(right_plans(), "puts").plan;
  OrderGraph order;
  judge_plan(plan, {.order = &order});
  std::size_t count = 0;
  for (const PlanRank& rank : plan.ranks)
    for (const PlanBlock& block : rank.blocks) count += block.operations.size();
  CHECK(order.operations.size() == count);
  CHECK(std::ranges::any_of(order.edges, [](const OrderEdge& it) { return it.why == OrderReason::message; }));
  CHECK(std::ranges::all_of(order.edges, [&](const OrderEdge& it) { return it.earlier < count && it.later < count; }));
}

}  // namespace
}  // namespace quadrille::programs
