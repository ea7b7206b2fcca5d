#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/limits/limits.h"
#include "model/limits/memory_ceiling.h"
#include "tests/environment.h"

namespace quadrille {
namespace {

TEST_CASE("who refused memory is told apart") {
  CHECK(why_no_memory(OverMemoryCeiling()) == "this needs more memory than the limit");
  CHECK(why_no_memory(std::bad_alloc()) == "the machine has no memory left");
}

TEST_CASE("a process without a ceiling is refused nothing") {
  CHECK(below_memory_ceiling(UINT64_MAX));
  CHECK_FALSE(memory_is_taken());
}

TEST_CASE("above the ceiling is what is more than the limit and a tenth, beside what the process had before") {
  constexpr std::uint64_t mib = std::uint64_t{1} << 20;
  set_memory_ceiling(1000 * mib);
  CHECK(below_memory_ceiling(1000 * mib));
  CHECK_FALSE(below_memory_ceiling(1200 * mib));
  CHECK_FALSE(memory_is_taken());
  set_memory_ceiling(0);
  CHECK(below_memory_ceiling(UINT64_MAX));
}

TEST_CASE("limits are reached while what the ceiling names is taken, and no longer") {
  if (tests::sanitized) return;
  constexpr std::size_t mib = std::size_t{1} << 20;
  const Limits limits;
  set_memory_ceiling(16 * mib);
  CHECK(limits.reached() == Reason::none);
  {
    std::vector<char> large(64 * mib, 'x');  // resident, since every page is written
    CHECK_FALSE(below_memory_ceiling(0));
    CHECK(limits.reached() == Reason::limit);
    Pulse pulse(limits, 1);
    CHECK(pulse.reached());
    CHECK(pulse.reason() == Reason::limit);
    CHECK(large.back() == 'x');
  }
  CHECK(limits.reached() == Reason::none);
  set_memory_ceiling(0);
  std::vector<char> large(64 * mib, 'x');
  CHECK(limits.reached() == Reason::none);
  CHECK(large.back() == 'x');
}

}  // namespace
}  // namespace quadrille
