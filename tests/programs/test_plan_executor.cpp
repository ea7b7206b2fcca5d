// The executor of the tests finds what is wrong with small plans, and nothing wrong with right ones. The first seed is
// QUADRILLE_SEED.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "tests/environment.h"
#include "tests/programs/plan_executor.h"
#include "tests/programs/small_plans.h"
#include "tests/reference/random_tables.h"

namespace quadrille::programs {
namespace {

PlanRunOptions run_of(const SmallPlan& small, std::uint64_t i) {
  return {.seed = reference::first_seed() + i,
          .launches = i % 2 == 0 ? 3U : 4U,
          .others = small.others,
          .turns = small.turns};
}

TEST_CASE("right plans never fail in a run") {
  const std::uint64_t runs = tests::share(3000);
  for (const SmallPlan& small : right_plans()) {
    for (std::uint64_t i = 0; i < runs; ++i) {
      PlanRunOptions options = run_of(small, i);
      if (i % 3 == 0) options.others = 0;
      const std::optional<PlanFailure> failure = run_plan(small.plan, options);
      if (!failure) continue;
      CAPTURE(options.seed);
      FAIL_CHECK(small.name << ": " << to_string(failure->property) << ": " << failure->message);
      break;
    }
  }
}

TEST_CASE("each wrong plan fails in some run") {
  const std::uint64_t runs = 3000;
  std::uint64_t most = 0;
  for (const SmallPlan& small : wrong_plans()) {
    std::uint64_t i = 0;
    while (i < runs && !run_plan(small.plan, run_of(small, i))) ++i;
    CAPTURE(reference::first_seed());
    if (i == runs) FAIL_CHECK(small.name << ": does not fail in " << runs << " runs");
    most = std::max(most, i + 1);
  }
  MESSAGE("each has failed by run " << most << ", from seed " << reference::first_seed());
}

}  // namespace
}  // namespace quadrille::programs
