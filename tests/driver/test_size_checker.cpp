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
    const auto sizes = run(SizesRequest{"it.qd", {}, "2..5"}, context);
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
