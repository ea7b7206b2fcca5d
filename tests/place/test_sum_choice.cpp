// The choice of the partial reductions that make up a sum.
#include <doctest/doctest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "motion/contribution_set.h"
#include "place/held/sum_choice.h"

namespace {

using namespace quadrille;

ContributionSet set_of(std::vector<std::uint32_t> numbers) { return ContributionSet(numbers); }

}  // namespace

TEST_CASE("a sum is of the largest words that lead to the end, of equal ones the first") {
  std::vector<ContributionSet> held = {set_of({3})};
  const auto chosen = [&](std::vector<std::uint32_t> numbers) {
    return making_up(held, set_of(std::move(numbers)), false);
  };
  const auto keep = [&](std::vector<std::uint32_t> numbers) { held.push_back(set_of(std::move(numbers))); };
  using Numbers = std::vector<std::uint32_t>;
  keep({0}), keep({1, 2}), keep({0, 1}), keep({0});
  CHECK(chosen({0, 1, 2, 3}) == Numbers{1, 2, 0});
  CHECK(chosen({0, 1}) == Numbers{3});
  CHECK(chosen({0}) == Numbers{1});
  CHECK_FALSE(chosen({2, 3}));
  CHECK_FALSE(chosen({0, 3, 4}));
  // What is missing need not be an interval.
  keep({5, 7}), keep({6});
  CHECK(chosen({3, 5, 6, 7}) == Numbers{0, 5, 6});
  keep({1});  // {0} and {1} would do, too
  CHECK(chosen({0, 1}) == Numbers{3});
}
