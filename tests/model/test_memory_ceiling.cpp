#include <doctest/doctest.h>

#include <cstdint>

#include "model/memory_ceiling.h"

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

}  // namespace
}  // namespace quadrille
