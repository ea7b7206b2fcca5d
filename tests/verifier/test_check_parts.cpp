// The checker's own containers, against obvious ones.
#include <doctest/doctest.h>

#include <map>
#include <random>
#include <set>

#include "model/containers/packet_table.h"
#include "verifier/checker/contributions.h"
#include "verifier/checker/rows/bits.h"
#include "verifier/checker/rows/flight_table.h"

namespace quadrille::checker {
namespace {

TEST_CASE("the flight table agrees with a map while packets come, move and go") {
  Budget budget(1 << 20);
  FlightTable table(1000, 50, budget);
  std::map<std::uint64_t, ChunkInFlight> map;
  std::mt19937 random(7);
  for (int round = 0; round < 20000; ++round) {
    const std::uint64_t chunk = random() % 1000;
    const std::size_t slot = table.find(chunk, table.home(chunk));
    REQUIRE((slot != FlightTable::nowhere) == map.contains(chunk));
    if (slot == FlightTable::nowhere) {
      table.reserve(1);
      table.insert(map[chunk] = {chunk, static_cast<std::uint32_t>(random() % 50),
                                 static_cast<std::uint32_t>(random() % 100000)});
    } else {
      CHECK(table.at(slot).node == map[chunk].node);
      CHECK(table.at(slot).arrival == map[chunk].arrival);
      table.erase(slot);
      map.erase(chunk);
    }
    REQUIRE(table.size() == map.size());
  }
}

TEST_CASE("the packet table agrees with a map, and stops at its budget") {
  Budget budget(1 << 18);
  PacketTable<PairKey, int> table(budget);
  std::map<std::pair<std::uint64_t, std::uint32_t>, int> map;
  std::mt19937 random(7);
  for (int round = 0; round < 5000; ++round) {
    const std::uint64_t id = random() % 100;
    const auto place = static_cast<std::uint32_t>(random() % 30);
    CHECK((table.find({id, place}) != nullptr) == map.contains({id, place}));
    CHECK(++*table.insert({id, place}).first == ++map[{id, place}]);
  }
  CHECK(table.size() == map.size());
  CHECK_THROWS_AS(
      [&] {
        for (std::uint32_t place = 0;; ++place) table.insert({1000, place});
      }(),
      OverBudget);
}

TEST_CASE("bits are counted and searched") {
  Budget budget(10000);  // two pages
  Bits bits(130, budget);
  for (std::uint64_t index = 0; index < 130; ++index) CHECK(bits.set(index) == true);
  CHECK_FALSE(bits.set(64));
  CHECK(bits.count() == 130);
  CHECK(bits.next_clear(0) == 130);
  Bits few(130, budget);
  few.set(0);
  CHECK(few.next_clear(0) == 1);
  CHECK(few.next_clear(129) == 129);
  CHECK(budget.left() < 2000);
  CHECK_THROWS_AS(Bits(1000000000, budget), OverBudget);
}

Intervals intervals_of(const std::set<std::uint32_t>& set) {
  Intervals intervals;
  for (const std::uint32_t it : set) {
    if (!intervals.empty() && intervals.back().last + 1 == it) {
      intervals.back().last = it;
    } else {
      intervals.push_back({it, it});
    }
  }
  return intervals;
}

TEST_CASE("contribution sets agree with sets") {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::set<std::uint32_t> a;
    std::set<std::uint32_t> b;
    for (std::uint32_t it = 0; it < 12; ++it) {
      if (random() % 3 == 0) a.insert(it);
      if (random() % 3 == 0) b.insert(it);
    }
    std::set<std::uint32_t> both = a;
    both.insert(b.begin(), b.end());
    const bool apart = both.size() == a.size() + b.size();
    CHECK(disjoint(intervals_of(a), intervals_of(b)) == apart);
    CHECK(contains(intervals_of(a), intervals_of(b)) == (both.size() == a.size()));
    if (apart) CHECK(united(intervals_of(a), intervals_of(b)) == intervals_of(both));
  }
}

}  // namespace
}  // namespace quadrille::checker
