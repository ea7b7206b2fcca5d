// The writer of SVG: numbers, escapes, lines of text.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "pages/curves.h"
#include "pages/svg.h"
#include "tests/pages/read_figure.h"

namespace quadrille::pages {
namespace {

TEST_CASE("numbers have two decimals at most, and no needless ones") {
  CHECK(number(3) == "3");
  CHECK(number(100) == "100");
  CHECK(number(2.5) == "2.5");
  CHECK(number(1.0 / 3) == "0.33");
  CHECK(number(-0.001) == "0");
  CHECK(number(-1.5) == "-1.5");
}

TEST_CASE("text is escaped, and what must not be shown is written out") {
  Svg svg;
  svg.text({10, 10}, "a<b> & \"c\"\x1b[31m \xff é");
  const ReadFigure read = read_figure(svg.finished(300, 20, "</svg>"));
  CHECK(read.error.empty());
  CHECK(read.says(R"(a<b> & "c"\x1b[31m \xff é)"));
}

TEST_CASE("lines are broken at blanks, and words that are too long anywhere") {
  const double width = text_width("12345");
  CHECK(wrapped("ab cd efg", width) == std::vector<std::string>{"ab cd", "efg"});
  CHECK(wrapped("abcdefg h", width) == std::vector<std::string>{"abcde", "fg h"});
  CHECK(wrapped("ééééééé", width) == std::vector<std::string>{"ééééé", "éé"});
  CHECK(wrapped("", width) == std::vector<std::string>{""});
  CHECK(wrapped("abc", 0) == std::vector<std::string>{"a", "b", "c"});
}

TEST_CASE("curves of any numbers lie within their picture, and a panel by itself fits a column") {
  const std::vector<std::vector<std::pair<double, double>>> many{
      {}, {{1, 1}}, {{64, 1}}, {{1, 1}, {2, 1e9}}, {{3, 7}, {1e6, 2}}, {{5, 0.1}, {6, 3}}};
  for (const auto& points : many) {
    const std::string svg = drawn({{"a title", {{"one", points}, {"two", {{4, 4}}}}}}, "n", "steps");
    const ReadFigure read = read_figure(svg);
    CHECK(read.error.empty());
    CHECK(read.outside().empty());
    CHECK(read.width == 320);
    CHECK(read.says("one"));
    CHECK(svg == drawn({{"a title", {{"one", points}, {"two", {{4, 4}}}}}}, "n", "steps"));
  }
}

TEST_CASE("curves that coincide, or nearly so, are drawn side by side within the panel, in their order") {
  for (const double value : {1.0, 1.01, 300.0, 1e6}) {
    CAPTURE(value);
    Panel panel{"nine", {}};
    for (int i = 0; i < 9; ++i) panel.curves.push_back({std::to_string(i), {{1, value * (1 + i / 1e4)}, {2, value}}});
    panel.curves.push_back({"another", {{1, 1e6}, {2, 1}}});
    std::map<double, std::vector<double>> heights;  // by x
    for (const Element& it : read_figure(drawn({panel}, "x", "y")).elements) {
      if (it.name == "circle") heights[std::stod(it.attributes.at("cx"))].push_back(std::stod(it.attributes.at("cy")));
    }
    REQUIRE(heights.size() == 2);
    for (auto& [x, all] : heights) {
      REQUIRE(all.size() == 10);
      if (x == heights.rbegin()->first) CHECK(std::is_sorted(all.begin(), all.begin() + 9));
      std::sort(all.begin(), all.end());
      for (std::size_t i = 1; i < all.size(); ++i) CHECK(all[i] - all[i - 1] > 2);
      CHECK(all.back() - all.front() <= 180);
    }
  }
}

TEST_CASE("each of nine curves looks different from the others") {
  Panel panel{"nine", {}};
  for (int i = 0; i < 9; ++i) panel.curves.push_back({std::to_string(i), {{1, 1}, {2, 2}}});
  std::vector<std::string> looks;
  for (const Element& it : read_figure(drawn({panel}, "x", "y")).elements) {
    const auto dashes = it.attributes.find("stroke-dasharray");
    const auto colour = it.attributes.find("stroke");
    if (it.name != "polyline" || colour->second == "#DDDDDD") continue;
    looks.push_back(colour->second + (dashes == it.attributes.end() ? "" : dashes->second));
  }
  REQUIRE(looks.size() == 18);  // each curve, and its line in the legend
  for (std::size_t i = 0; i < 9; ++i) {
    CHECK(looks[i] == looks[i + 9]);
    for (std::size_t j = 0; j < i; ++j) CHECK(looks[i] != looks[j]);
  }
}

}  // namespace
}  // namespace quadrille::pages
