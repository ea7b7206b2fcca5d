#include <doctest/doctest.h>

#include <string>

#include "driver/size_checker.h"
#include "dsl/load.h"

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
  SizeChecker sizes(*compile(*program, "text"), Limits());
  CHECK(sizes.at({{"L", "40"}}).verdict == Verdict::unknown);
  CHECK(sizes.at({{"L", "40"}}).why.starts_with("too large to check: "));
  CHECK(sizes.at({{"L", "2"}}).verdict == Verdict::violated);
  CHECK(sizes.at({{"L", "2"}}).refused.size() == 1);
  CHECK(sizes.at({{"L", "3"}}).verdict == Verdict::violated);
  CHECK(sizes.at({{"L", "3"}}).refused.empty());
}

}  // namespace
}  // namespace quadrille::driver
