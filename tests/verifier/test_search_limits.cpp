// Searches and bounds end when their limits are reached, and say which it was. No test waits: deadlines have passed,
// stops have been requested, and memory is nothing.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "model/fabric_notation.h"
#include "model/limits/watch.h"
#include "tests/environment.h"
#include "tests/verifier/stop_after.h"
#include "verifier/bounds.h"
#include "verifier/bounds/linear_program.h"
#include "verifier/search.h"
#include "verifier/search/heuristics/schedules.h"
#include "verifier/search/make_problem.h"
#include "verifier/search/problem/problem.h"
#include "verifier/search/solver/solver.h"

namespace quadrille::tests {
namespace {

Fabric fabric_of(const std::string& notation) { return parse_fabric({"", notation}, 0).value(); }

Collective collective_of(const std::string& notation, const Fabric& fabric) {
  return parse_collective({"", notation}, 0, fabric.processors()).value();
}

Limits past_deadline() {
  Limits limits;
  limits.deadline = Limits::Clock::now();
  return limits;
}

// The limits, with the stages that are reported counted.
Limits counting(Limits limits, std::vector<std::string>& stages) {
  limits.progress = [&stages](const Progress& it) { stages.emplace_back(it.stage); };
  return limits;
}

TEST_CASE("the progress of a search says what is known: the bound, and the schedule that is found") {
  std::stop_source stop;  // requested when both are said
  std::vector<std::string> stages;
  SearchOptions options;
  options.limits.stop = stop.get_token();
  options.limits.progress = [&](const Progress& it) {
    stages.emplace_back(it.stage);
    if (stages.back().find(", found ") != std::string::npos) stop.request_stop();
  };
  const Fabric fabric = fabric_of("mesh:3x3,ports=single,queue=8");
  CHECK(search(fabric, collective_of("total_exchange", fabric), {}, options).verdict != SearchVerdict::optimal);
  REQUIRE(!stages.empty());
  CHECK(stages.back().find("(at least 18, found ") != std::string::npos);
}

TEST_CASE("a search after its deadline, or that nobody wants any more, says so and begins no formula") {
  for (const std::string on : {"mesh:3x5,ports=single,duplex=half", "torus:4x4", "fat_tree:levels=3,queue=1"}) {
    for (const std::string what : {"allgather", "total_exchange", "allreduce", "reduce_scatter", "prefix"}) {
      for (const Engine engine : {Engine::cadical, Engine::z3}) {
        CAPTURE(on);
        CAPTURE(what);
        const Fabric fabric = fabric_of(on);
        const Collective collective = collective_of(what, fabric);
        for (const Reason reason : {Reason::timeout, Reason::cancelled}) {
          std::vector<std::string> stages;
          SearchOptions options;
          options.engine = engine;
          options.evidence = true;
          options.limits = counting(reason == Reason::timeout ? past_deadline() : stop_after(0), stages);
          const SearchResult result = search(fabric, collective, {}, options);
          CHECK(result.verdict == SearchVerdict::unknown);
          CHECK(result.reason == reason);
          CHECK_FALSE(result.why.empty());
          CHECK(std::none_of(stages.begin(), stages.end(),
                             [](const std::string& stage) { return stage.find("variables") != stage.npos; }));
        }
      }
    }
  }
}

TEST_CASE("what does not fit into memory is not begun, and is a limit, not a timeout") {
  for (const std::string what : {"allgather", "total_exchange", "allreduce"}) {
    CAPTURE(what);
    const Fabric fabric = fabric_of("fat_tree:levels=3,queue=1");
    std::vector<std::string> stages;
    SearchOptions options;
    options.limits = counting({.memory = 1000}, stages);
    const SearchResult result = search(fabric, collective_of(what, fabric), {}, options);
    CHECK(result.verdict != SearchVerdict::optimal);
    CHECK(result.reason == Reason::limit);
    CHECK(std::none_of(stages.begin(), stages.end(),
                       [](const std::string& stage) { return stage.find("variables") != stage.npos; }));
  }
}

// Half of the memory was kept free, so that it was not tried.
TEST_CASE("a formula about all schedules may take more than half of the memory") {
  if (tests::sanitized) return;  // the sanitizer keeps what is freed
  const Fabric fabric = fabric_of("ring:5,ports=single,duplex=half");
  const Collective reduce = collective_of("reduce", fabric);
  SearchOptions options;
  options.evidence = true;
  const SearchResult settled = search(fabric, reduce, {}, options);
  REQUIRE(settled.verdict == SearchVerdict::optimal);
  REQUIRE(settled.impossibility->by_formula);
  Watch open({});
  SearchGoal goal;
  goal.steps = settled.steps - 1;
  const auto problem = searching::make_problem(fabric, reduce, goal, open);
  const std::uint64_t bytes = problem->size(*goal.steps, searching::PathChoice::all) * problem->bytes_each();
  options.limits.memory = bytes + bytes * 9 / 10;
  const SearchResult again = search(fabric, reduce, goal, options);
  CAPTURE(again.why);
  CAPTURE(bytes);
  CHECK(again.verdict == SearchVerdict::impossible);
  CHECK(again.reason == Reason::none);
}

TEST_CASE("every stage of a search ends when its watch has reached the limits") {
  const Fabric fabric = fabric_of("torus:4x4");
  const Collective allgather = collective_of("allgather", fabric);
  const Collective allreduce = collective_of("allreduce", fabric);
  Watch open({});
  const std::vector<searching::Moves> moves = searching::moves_within(fabric, allgather, false, open);
  const auto problem = searching::make_problem(fabric, allgather, {}, open);
  const auto combining = searching::make_problem(fabric, allreduce, {}, open);
  const searching::Group all = searching::trivial_group(fabric);
  for (const Limits& limits : {past_deadline(), stop_after(0)}) {
    Watch watch(limits);
    CHECK_THROWS_AS(searching::moves_within(fabric, allgather, false, watch), Ended);
    CHECK_THROWS_AS(searching::greedy_schedule(fabric, moves, 0, &watch), Ended);
    CHECK_THROWS_AS(searching::chain_schedule(fabric, allreduce, &watch), Ended);
    CHECK_THROWS_AS(searching::groups_of(fabric, allgather, &watch), Ended);
    CHECK_THROWS_AS(problem->formula(9, all, searching::PathChoice::all, watch), Ended);
    CHECK_THROWS_AS(combining->formula(9, all, searching::PathChoice::all, watch), Ended);
    CHECK_THROWS_AS(searching::make_problem(fabric, allreduce, {}, watch), Ended);
    for (const auto& solver : {searching::make_cadical(), searching::make_z3()}) {
      problem->formula(9, all, searching::PathChoice::all, open)->write(*solver);
      CHECK(solver->solve({&watch, 0}) == searching::Answer::unknown);
    }
  }
}

// n + 1 pigeons do not fit into n holes.
void write_pigeons(int holes, searching::Solver& solver) {
  const auto in = [&](int pigeon, int hole) { return pigeon * holes + hole + 1; };
  for (int pigeon = 0; pigeon <= holes; ++pigeon) {
    std::vector<int> somewhere;
    for (int hole = 0; hole < holes; ++hole) somewhere.push_back(in(pigeon, hole));
    solver.clause(std::span<const int>(somewhere));
    for (int other = 0; other < pigeon; ++other) {
      for (int hole = 0; hole < holes; ++hole) solver.clause({-in(pigeon, hole), -in(other, hole)});
    }
  }
}

TEST_CASE("a proof is handed over while it is found, and no more of it than is wanted") {
  std::size_t bytes = 0;
  int pieces = 0;
  const auto solver = searching::make_cadical([&](std::string_view text) {
    bytes += text.size();
    return ++pieces < 3;
  });
  write_pigeons(9, *solver);
  Watch open({});
  CHECK(solver->solve({&open, 2000}) == searching::Answer::unknown);
  CHECK(pieces == 3);
  CHECK(bytes > 0);
  CHECK(bytes < 100'000);
}

TEST_CASE("bounds after the deadline are fewer, and none of them is more than it was") {
  for (const std::string on : {"line:20", "mesh:4x5,duplex=half", "fat_tree:levels=4", "torus:4x4"}) {
    for (const std::string what : {"allgather", "total_exchange", "prefix", "scatter"}) {
      CAPTURE(on);
      CAPTURE(what);
      const Fabric fabric = fabric_of(on);
      const Collective collective = collective_of(what, fabric);
      const std::vector<Bound> all = lower_bounds(fabric, collective);
      const std::vector<Bound> some = lower_bounds(fabric, collective, past_deadline());
      REQUIRE_FALSE(some.empty());
      CHECK(some.size() <= all.size());
      for (const Bound& bound : some) CHECK(bound.steps.value() <= all.front().steps.value());
      CHECK_FALSE(flow_bound(fabric, collective, 1, 100000, past_deadline()));
      CHECK(best_bound(fabric, collective, 1000, stop_after(0)).steps.value() <= all.front().steps.value());
    }
  }
}

TEST_CASE("a linear program that may not begin has no solution") {
  bounds::LinearProgram program(1);
  program.add_gain(0, 1);
  program.add_row({{0, 1}}, 1);
  CHECK(program.maximum(100));
  CHECK_FALSE(program.maximum(100, past_deadline()));
}

// 50,000 distances: quadratic in them, this took half a minute.
TEST_CASE("the mean lag on a long ring is summed up once") {
  const Fabric fabric = fabric_of("ring:100001");
  const std::vector<Bound> bounds = lower_bounds(fabric, collective_of("total_exchange", fabric));
  CHECK(bounds.front().steps.value() >= std::uint64_t{25000} * 50001);
}

}  // namespace
}  // namespace quadrille::tests
