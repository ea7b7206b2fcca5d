// What a program that links the library gets: the same as the command.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "driver/catalogue.h"
#include "driver/check/check.h"
#include "driver/compile.h"
#include "driver/inputs/context.h"
#include "driver/prove/prove.h"
#include "driver/prove/prove_summary.h"
#include "driver/search/search.h"
#include "tests/driver/memory_environment.h"

namespace quadrille::driver {
namespace {

const std::string late =
    "param L in 1..20\nfabric fat_tree(levels: L)\ncollective broadcast(root: 0)\nat 1: send 0 -> all\n"
    "claim steps == 2\n";

TEST_CASE("a refutation comes with the checker's word on it") {
  MemoryEnvironment environment;
  environment.files = {{"late.qd", late}};
  Context context{environment};
  const Result<ProveOutcome> outcome = run(ProveRequest{"late.qd"}, context);
  REQUIRE(outcome.ok());
  CHECK(outcome->proof.verdict == ProofVerdict::refuted);
  REQUIRE(outcome->checked.size() == 1);
  const auto& [arguments, size] = *outcome->checked.begin();
  CHECK(arguments == Arguments{{"L", "2"}});
  CHECK(size.verdict == Verdict::violated);
  REQUIRE(size.first(Property::claims) != nullptr);
  CHECK(outcome->first_sizes == "1..8");
}

TEST_CASE("a table and its claims have verdicts of their own") {
  MemoryEnvironment environment;
  environment.files = {{"late.qd", late}};
  Context context{environment};
  const Result<CheckOutcome> outcome = run(CheckRequest{{"late.qd", {"L=2"}}}, context);
  REQUIRE(outcome.ok());
  CHECK(outcome->report.verdict == Verdict::violated);
  CHECK(outcome->table_verdict() == Verdict::holds);
  CHECK(outcome->only_violated_of_schedule() == Property::claims);
}

SearchRequest ring_misspelt() {
  SearchRequest request;
  request.collective = "allgather";
  request.on = "rign:4";
  return request;
}

TEST_CASE("what is refused has its place in the context's sources") {
  MemoryEnvironment environment;
  Context context{environment};
  const Result<SearchOutcome> outcome = run(ring_misspelt(), context);
  REQUIRE_FALSE(outcome.ok());
  CHECK(render(outcome.diagnostics(), context.sources).starts_with("--on:1:1: error: unknown fabric `rign`"));
}

TEST_CASE("files with the names of shipped schedules are not taken for them") {
  MemoryEnvironment environment;
  environment.files = {{"scatter", "this is no schedule"}};
  Context context{environment};
  CHECK(run(ListRequest{}, context).ok());
  const Result<ShowOutcome> shown = run(ShowRequest{"scatter"}, context);
  REQUIRE(shown.ok());
  CHECK(shown->text.find("collective scatter") != std::string::npos);
  CHECK_FALSE(run(ShowRequest{"none"}, context).ok());
}

TEST_CASE("what the process has taken since the work began is not there for what comes next") {
  MemoryEnvironment environment;
  const Context context{environment};
  constexpr std::uint64_t mib = std::uint64_t{1} << 20;
  const std::vector<char> table(64 * mib, 'x');
  CHECK(table.back() == 'x');
  CHECK(remaining(context).memory <= context.limits.memory - 40 * mib);
  CHECK(remaining(context).memory >= context.limits.memory - 200 * mib);
}

Context past_its_deadline(MemoryEnvironment& environment) {
  Context context{environment};
  context.limits.deadline = Limits::Clock::now() - std::chrono::seconds(1);
  return context;
}

TEST_CASE("a proof that ended before it had come to a property says nothing of that property") {
  MemoryEnvironment environment;
  environment.files = {{"late.qd", late}};
  Context context = past_its_deadline(environment);
  const Result<ProveOutcome> outcome = run(ProveRequest{"total_exchange"}, context);
  if (!outcome) {  // not even the schedule has been read
    CHECK(reason_of(outcome.diagnostics()) == Reason::timeout);
    return;
  }
  CHECK(outcome->proof.verdict == ProofVerdict::unknown);
  CHECK_FALSE(outcome->proof.all_listed);
  for (const ProvedProperty property : proved_properties) {
    CAPTURE(to_string(property));
    CHECK(verdict_of(property, outcome->proof) == ProofVerdict::unknown);
  }
}

TEST_CASE("the verdict of a property does not hang on words") {
  Proof proof;
  proof.all_listed = true;
  proof.why = "something";
  CHECK(verdict_of(ProvedProperty::queue, proof) == ProofVerdict::proved);
  proof.all_listed = false;
  ProvedObligation open;
  open.property = ProvedProperty::causal;
  open.why = proof.why;
  proof.obligations.push_back(open);
  CHECK(verdict_of(ProvedProperty::queue, proof) == ProofVerdict::unknown);
}

TEST_CASE("the reading of a table keeps to the limits") {
  MemoryEnvironment environment;
  environment.files = {{"late.qd", late}};
  Context context{environment};
  REQUIRE(run(CompileRequest{{"late.qd", {"L=12"}}, "late.csv", ""}, context).ok());
  Context late_context = past_its_deadline(environment);
  const Result<CheckOutcome> outcome = run(CheckRequest{{"late.csv"}}, late_context);
  REQUIRE_FALSE(outcome.ok());
  CHECK(reason_of(outcome.diagnostics()) == Reason::timeout);
}

SearchRequest frontier_on(const std::string& fabric) {
  SearchRequest request;
  request.collective = "allgather";
  request.on = fabric;
  return request;
}

TEST_CASE("a frontier that was interrupted says so, and is not taken for all of it") {
  MemoryEnvironment environment;
  environment.interrupt = true;
  Context context{environment, make_limits({}, environment)};
  const Result<FrontierOutcome> outcome = run(FrontierRequest{frontier_on("ring:6")}, context);
  REQUIRE(outcome.ok());
  CHECK_FALSE(outcome->points.empty());
  CHECK_FALSE(outcome->all_optimal());
  CHECK_FALSE(outcome->impossible());
}

TEST_CASE("where there is no way, the frontier is impossible") {
  MemoryEnvironment environment;
  Context context{environment};
  const auto request = frontier_on(R"(graph:{"processors":4,"links":[[0,1],[2,3]]})");
  const Result<FrontierOutcome> outcome = run(FrontierRequest{request}, context);
  REQUIRE(outcome.ok());
  REQUIRE(outcome->points.size() == 1);
  CHECK(outcome->points.front().result.verdict == SearchVerdict::impossible);
  CHECK_FALSE(outcome->points.front().result.lower_bound.has_value());
  CHECK(outcome->impossible());
  CHECK_FALSE(why_not_fewer(outcome->points.front().result).empty());
}

TEST_CASE("a format that is not known, or cannot be written, is refused before the schedule is read") {
  MemoryEnvironment environment;
  Context context{environment};
  const Result<CompileOutcome> outcome = run(CompileRequest{{"none.qd"}, "out.csv", "cvs"}, context);
  REQUIRE_FALSE(outcome.ok());
  CHECK(outcome.diagnostics().front().code == Code::name);
  CHECK(outcome.diagnostics().front().message == "no format 'cvs' can be written; expected one of csv, json, binary");
}

TEST_CASE("chunks cannot be split where they are listed") {
  MemoryEnvironment environment;
  Context context{environment};
  SearchRequest request;
  request.collective = R"(custom:{"chunks":[{"origin":0,"held_by":[0],"wanted_by":[1,2]}]})";
  request.on = "ring:4";
  request.chunks = 2;
  const Result<SearchOutcome> outcome = run(request, context);
  REQUIRE_FALSE(outcome.ok());
  CHECK(outcome.diagnostics().front().message == "--chunks: a custom collective lists its parts chunk by chunk");
}

}  // namespace
}  // namespace quadrille::driver
