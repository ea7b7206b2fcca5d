// Which values a parameter may have, also where its set is not listed.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "tests/compiler/compile_text.h"

namespace {

using namespace quadrille;

// "", or what is wrong.
std::string given(const std::string& set, long value) {
  return compile_text("param m in " + set + "\nfabric ring(4)\ncollective broadcast\n", {{"m", std::to_string(value)}})
      .messages;
}

}  // namespace

TEST_CASE("a value of a set of several variables is one of its elements, listed or not") {
  for (const int a : {-2, 0, 1, 3}) {
    for (const int b : {-3, 1, 2}) {
      std::set<long> elements;
      for (int x = 1; x <= 3; ++x) {
        for (int y = 2; y <= 5; ++y) elements.insert(x * y + a * x + b * y);
      }
      for (const bool down : {false, true}) {
        const std::string set = fmt::format("{{x*y + x*({} - 9) + y*({} - 9) for x in 1..3, y in {}}}", a + 9, b + 9,
                                            down ? "5 downto 2" : "2..5");
        for (long value = 0; value <= 30; ++value) {
          CAPTURE(set);
          CAPTURE(value);
          CHECK(given(set, value).empty() == elements.contains(value));
        }
      }
    }
  }
}

TEST_CASE("a set of products may have more elements than can be listed") {
  const std::string products = "{s*g for s in 2..4096, g in 2..2^40}";
  CHECK(given(products, 67 * 8).empty());
  CHECK(given(products, 4096 * (1L << 40)).empty());
  const std::string refusal = given(products, 13);
  CAPTURE(refusal);
  CHECK(refusal.find("one of 4, 6, 8, 9, 10, 12, 14, 15, 16, 18, 20, 21, 22, 24, 25, … 4503599627370496") !=
        std::string::npos);
}
