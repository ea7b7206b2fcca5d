// Sets of contributions, and what processors hold of them (motion).
#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "model/collective.h"
#include "model/limits/work.h"
#include "motion/contribution_set.h"
#include "motion/held_reductions.h"
#include "motion/packed_sets.h"

namespace {

using namespace quadrille;

ContributionSet contributions(const std::vector<std::uint32_t>& numbers) { return ContributionSet(numbers); }

}  // namespace

TEST_CASE("contribution sets are joined, compared and told apart") {
  const ContributionSet left(0, 3);
  const ContributionSet right(5, 9);
  CHECK(left.disjoint(right));
  const ContributionSet both = left.united(right);
  CHECK(both.intervals() == 2);
  CHECK(both.contains(left));
  CHECK_FALSE(left.contains(both));
  CHECK_FALSE(both.disjoint(right));
  CHECK(both.united(ContributionSet(4)) == ContributionSet(0, 9));
  CHECK(ContributionSet().disjoint(left));
  CHECK(left.contains(ContributionSet()));
  CHECK(contributions({0, 1, 2, 5}).text() == "{0-2, 5}");
  CHECK(contributions({0, 1, 2, 5}).size() == 4);
  CHECK(contributions({0, 1, 2, 3, 5}).without(contributions({1, 2, 5})) == contributions({0, 3}));
  CHECK(left.without(left).empty());
  CHECK(contributions({4, 5}).without(contributions({0, 5, 9})) == contributions({4}));
}

TEST_CASE("what arrives is combined, stored or kept, or comes to nothing") {
  const auto kind = [](const char* notation) { return parse_collective({"test", notation}, 0, 4).value(); };
  const Collective sum = kind("allreduce");
  const Limits limits;
  Work work(limits);
  HeldReductions held(sum, work);
  const NodeId p(1);
  CHECK(held.at(0, p) == ContributionSet(1));
  CHECK(held.arrive(0, p, ContributionSet(2), Arrival::joined) == Arrival::combined);
  CHECK(held.arrive(0, p, ContributionSet(2), Arrival::joined) == Arrival::joined);
  CHECK(held.arrive(0, p, ContributionSet(2, 3), Arrival::stored) == Arrival::joined);
  CHECK(held.arrive(0, p, ContributionSet(1, 3), Arrival::combined) == Arrival::joined);
  CHECK(held.at(0, p) == ContributionSet(1, 2));
  CHECK(held.arrive(0, p, ContributionSet(1, 3), Arrival::joined) == Arrival::stored);
  CHECK(held.arrive(0, p, ContributionSet(0), Arrival::kept) == Arrival::kept);
  CHECK(held.all(0, p) == std::vector{ContributionSet(1, 3), ContributionSet(0)});
  CHECK(held.all(1, p) == std::vector{ContributionSet(1)});
  CHECK(held.wanted(0, p, ContributionSet(0, 3)) == std::vector<std::uint32_t>{1, 0});
  CHECK(held.wanted(0, p, ContributionSet(0, 2)) == std::vector<std::uint32_t>{1});

  const auto chained = [&](std::vector<std::uint32_t> numbers) { return held.chained(0, p, numbers); };
  CHECK(chained({1, 0}).made == ContributionSet(0, 3));
  CHECK(chained({1, 0, 2}).missing);
  CHECK(chained({1, 0, 1}).overlapping == 1);
  CHECK(chained({0}).made == ContributionSet(1, 3));

  const Collective any = kind("barrier");  // idempotent: what comes again does no harm
  HeldReductions reached(any, work);
  CHECK(reached.arrive(0, p, ContributionSet(1, 2), Arrival::combined) == Arrival::combined);
  CHECK(reached.arrive(0, p, ContributionSet(2, 3), Arrival::joined) == Arrival::combined);
  CHECK(reached.at(0, p) == ContributionSet(1, 3));
}

TEST_CASE("sets that are packed are the same sets") {
  const Limits limits;
  Work work(limits);
  PackedSets packed(4, 8, work);
  std::vector<ContributionSet> plain(4);
  std::mt19937 dice(1);
  for (int times = 0; times < 5000; ++times) {
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t rank = 0; rank < 8; ++rank) {
      if (dice() % 3 > 0) numbers.push_back(rank);
    }
    if (numbers.empty()) continue;
    const std::uint64_t place = dice() % 4;
    plain[place] = contributions(numbers);
    packed.put(place, plain[place]);
    for (std::uint64_t i = 0; i < 4; ++i) REQUIRE(packed.at(i) == plain[i]);
  }
}

TEST_CASE("what is held of some values is the same in less memory") {
  const Limits limits;
  Work work(limits);
  for (const char* notation : {"allreduce:parts=6", "barrier"}) {
    const Collective collective = parse_collective({"test", notation}, 0, 8).value();
    const ValueRange values{collective.values() / 2, collective.values()};
    HeldReductions all(collective, work);
    HeldReductions some(collective, work, values);
    std::mt19937 engine(1);
    const auto below = [&](std::uint32_t end) { return static_cast<std::uint32_t>(engine() % end); };
    for (int times = 0; times < 2000; ++times) {
      const std::uint32_t value = values.begin + below(values.end - values.begin);
      const NodeId processor(below(8));
      const ContributionSet brought = all.at(value, NodeId(below(8)));
      const Arrival said = static_cast<Arrival>(below(4));
      REQUIRE(all.arrive(value, processor, brought, said) == some.arrive(value, processor, brought, said));
      REQUIRE(all.all(value, processor) == some.all(value, processor));
    }
  }
}
