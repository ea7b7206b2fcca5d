// Ranges of sizes: at each size that is asked for the choice that is given there, and between them the least of all.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "driver/files/best_index.h"
#include "driver/search/best_by_size.h"
#include "tests/environment.h"
#include "tests/reference/random_tables.h"

namespace quadrille::driver {
namespace {

TEST_CASE("a third choice stands between two where it takes less than both") {
  const std::vector<LinearTime> times{{2, 1}, {10, 0.25}, {5, 0.5}};
  const auto ranges = best_by_size({{100, 1}, {1, 0}}, times);
  REQUIRE(ranges.size() == 3);
  CHECK(ranges[0].choice == 0);
  CHECK(ranges[0].above == 0);
  CHECK(ranges[0].up_to == 6);
  CHECK(ranges[1].choice == 2);
  CHECK(ranges[1].up_to == 20);
  CHECK(ranges[2].choice == 1);
  CHECK_FALSE(ranges[2].up_to);
}

TEST_CASE("one size, or one choice, makes one range") {
  CHECK(best_by_size({}, {}).empty());
  CHECK(best_by_size({{7, 0}}, {{1, 0}}).size() == 1);
  CHECK(best_by_size({{7, 0}, {9, 0}, {700, 0}}, {{1, 1}}).size() == 1);
}

TEST_CASE("ranges follow one another, keep what is asked for, and nowhere is another choice much better") {
  const std::uint64_t first = reference::first_seed();
  for (std::uint64_t seed = first; seed < first + tests::share(300); ++seed) {
    CAPTURE(seed);
    reference::Dice dice(seed);
    std::vector<LinearTime> times(dice.from_to(1, 6));
    for (LinearTime& it : times) it = {dice.from_to(1, 1000) * 1e-6, dice.from_to(1, 1000) * 1e-9};
    const auto least_at = [&](double bytes) {
      const auto of = [&](const LinearTime& it) { return it.of(bytes); };
      return static_cast<std::size_t>(std::ranges::min_element(times, {}, of) - times.begin());
    };
    std::vector<BestAt> best;
    for (std::uint32_t i = dice.from_to(1, 4); i > 0; --i) {
      const std::uint64_t size = std::uint64_t{1} << dice.from_to(0, 20);
      best.push_back({size, least_at(static_cast<double>(size))});
    }
    const auto ranges = best_by_size(best, times);
    CHECK(ranges.front().above == 0);
    CHECK_FALSE(ranges.back().up_to);
    for (std::size_t i = 0; i + 1 < ranges.size(); ++i) {
      CHECK(*ranges[i].up_to > ranges[i].above);
      CHECK(ranges[i + 1].above == *ranges[i].up_to);
      CHECK(ranges[i + 1].choice != ranges[i].choice);
    }
    const auto at = [&](std::uint64_t size) {
      return std::ranges::find_if(ranges, [&](const BestInRange& it) { return !it.up_to || size <= *it.up_to; })
          ->choice;
    };
    for (const BestAt& it : best) CHECK(at(it.size) == it.choice);
    const auto [least, most] = std::ranges::minmax(best, {}, &BestAt::size);
    for (int i = 0; i < 20; ++i) {
      const std::uint64_t size = least.size + dice.from_to(0, 1'000'000) % (most.size - least.size + 1);
      const auto bytes = static_cast<double>(size);
      CHECK(times[at(size)].of(bytes) <= times[least_at(bytes)].of(bytes) * (1 + 1.0 / 16));
    }
  }
}

TEST_CASE("an index is read as it was written, and what is none is refused") {
  const BestIndex index{"allreduce", "ring:4", {{0, 5, "a N=4", "1-a.csv", "1-a.qd"}, {5, {}, "b N=4", "2-b.csv", ""}}};
  const std::string text = best_index_text(index);
  const auto read = read_best_index(text);
  REQUIRE(read.ok());
  CHECK(best_index_text(*read) == text);
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string result = text;
    const auto place = result.find(from);
    REQUIRE(place != std::string::npos);
    return result.replace(place, from.size(), to);
  };
  for (const std::string& wrong :
       {std::string(), std::string("[]"), std::string("{}"), changed("quadrille-best", "other"),
        changed("\"version\": 1", "\"version\": 2"), changed("1-a.csv", "../1-a.csv"), changed("1-a.qd", ".."),
        changed("\"above\": 5", "\"above\": 6"), changed("\"up_to\": 5", "\"up_to\": null"),
        changed("\"up_to\": null", "\"up_to\": 9"), changed("\"above\": 0", "\"above\": -1"),
        changed("\"above\": 0", "\"above\": \"0\""), changed("\"ranges\"", "\"range\"")}) {
    CAPTURE(wrong);
    const auto refused = read_best_index(wrong);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.diagnostics().front().message.starts_with("best.json: expected"));
  }
}

}  // namespace
}  // namespace quadrille::driver
