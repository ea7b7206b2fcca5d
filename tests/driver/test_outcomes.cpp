// What a program that links the library gets: the same as the command.
#include <doctest/doctest.h>

#include <string>

#include "driver/catalogue.h"
#include "driver/check.h"
#include "driver/prove.h"
#include "driver/search.h"
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
  REQUIRE(size.first("claims") != nullptr);
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
  CHECK(outcome->only_claims_violated());
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

}  // namespace
}  // namespace quadrille::driver
