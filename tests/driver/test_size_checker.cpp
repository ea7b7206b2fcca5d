#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "driver/check/check.h"
#include "driver/prove/size_checker.h"
#include "driver/prove/sizes.h"
#include "dsl/load.h"
#include "tests/driver/memory_environment.h"

namespace quadrille::driver {
namespace {

TEST_CASE("a size that is too large is unknown, one that the compiler refuses is violated") {
  const std::string text =
      "param L in 1..62\n"
      "fabric fat_tree(levels: L)\n"
      "collective broadcast(root: 0)\n"
      "at 1: send L - 2 -> 0\n";
  Sources sources;
  const auto program = load(
      {"text", text}, [](const std::string&) { return std::optional<std::string>(); }, sources);
  MemoryEnvironment environment;
  Context context{environment};
  SizeChecker sizes(*compile(*program, "text"), context, OptimalClaims::judged);
  CHECK(sizes.at({{"L", "40"}}).verdict == Verdict::unknown);
  CHECK(sizes.at({{"L", "40"}}).why.starts_with("too large to check: "));
  CHECK(sizes.at({{"L", "2"}}).verdict == Verdict::violated);
  CHECK(sizes.at({{"L", "2"}}).refused.size() == 1);
  CHECK(sizes.at({{"L", "3"}}).verdict == Verdict::violated);
  CHECK(sizes.at({{"L", "3"}}).refused.empty());
}

SizeResult judged_with(const std::string& text, const Arguments& arguments, std::uint64_t most_rows) {
  Sources sources;
  const auto program = load(
      {"text", text}, [](const std::string&) { return std::optional<std::string>(); }, sources);
  MemoryEnvironment environment;
  Context context{environment};
  return SizeChecker(*compile(*program, "text"), context, OptimalClaims::only_if_violated, most_rows).at(arguments);
}

const std::string chain =
    "param N in 2..10000\nfabric complete(N, ports: single, timing: rounds)\ncollective broadcast(root: 0)\n"
    "for k in 1..N-1: at k: send k - 1 -> k\n";

TEST_CASE("where rows are limited, a size whose table has more is unknown") {
  CHECK(judged_with(chain, {{"N", "101"}}, 100).verdict == Verdict::holds);
  const SizeResult more = judged_with(chain, {{"N", "102"}}, 100);
  CHECK(more.verdict == Verdict::unknown);
  CHECK(more.reason == Reason::limit);
  CHECK(more.why == "too large to check: its table has more than 100 rows");
  CHECK(judged_with(chain, {{"N", "10000"}}, 100).reason == Reason::limit);
}

TEST_CASE("where rows are limited, a size is not lost because its invariants cost too much") {
  const std::string dear =
      "invariant after t in 0..N-1: for k in processors: held(k) contains {0} when "
      "k <= t and sum(x for x in 1..100000) > 0\n";
  CHECK(judged_with(chain + dear, {{"N", "9"}}, 100).verdict == Verdict::unknown);
  CHECK(judged_with(chain + "claim rounds == 3\n" + dear, {{"N", "9"}}, 100).verdict == Verdict::violated);
}

TEST_CASE("where rows are limited, a claim that nothing is better is not weighed on a large fabric") {
  CHECK(judged_with(chain + "claim optimal volume\n", {{"N", "600"}}, 1000).verdict == Verdict::unknown);
  CHECK(judged_with(chain + "claim optimal volume\nclaim rounds == 3\n", {{"N", "600"}}, 1000).verdict ==
        Verdict::violated);
}

TEST_CASE("one by one, sizes have the verdict that `check` gives each of them, claims that nothing is better too") {
  const std::string ring =
      "param N in 2..6\nfabric complete(N, ports: single, timing: rounds)\ncollective allgather\n"
      "for t in 1..n-1:\n  at t: for k in processors: send k -> (k + 1) mod n carrying (k - t + 1 + n) mod n\n";
  for (const std::string claim : {"claim optimal volume\n", "claim optimal rounds\n",
                                  "claim optimal steps when N < 4\n", "claim optimal rounds\nclaim rounds == 2\n"}) {
    CAPTURE(claim);
    MemoryEnvironment environment;
    environment.files = {{"it.qd", ring + claim}};
    Context context{environment};
    const auto sizes = run(SizesRequest{"it.qd", {}, {"2..5"}}, context);
    REQUIRE(sizes.ok());
    REQUIRE(sizes->checked.size() == 4);
    for (const CheckedSize& size : sizes->checked) {
      const std::string n = size.arguments.at("N");
      CAPTURE(n);
      const auto alone = run(CheckRequest{{"it.qd", {"N=" + n}}}, context);
      REQUIRE(alone.ok());
      CHECK(size.result.verdict == alone->report.verdict);
      CHECK(size.result.verdict != Verdict::unknown);
    }
  }
}

}  // namespace
}  // namespace quadrille::driver
