// Bandwidths as nccl-tests counts them: factors by collective, and sizes of the whole.
#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/inputs/bandwidth.h"
#include "driver/inputs/costs.h"
#include "model/collective.h"
#include "model/families.h"

namespace quadrille::driver {
namespace {

Collective named(const std::string& notation, std::uint32_t n) {
  return parse_collective({"it", notation}, 0, n, standard_families()).value();
}

TEST_CASE("the whole is n messages where each processor has or gets one of its own") {
  for (const char* own : {"allgather", "reduce_scatter", "total_exchange", "scatter", "gather", "allgather:parts=4"}) {
    CAPTURE(own);
    CHECK(messages_in_whole(named(own, 8)) == 8);
  }
  for (const char* one : {"broadcast", "reduce", "allreduce", "prefix", "barrier", "allreduce:idempotent"}) {
    CAPTURE(one);
    CHECK(messages_in_whole(named(one, 8)) == 1);
  }
}

TEST_CASE("a size of the whole is divided by its messages, and is at least a byte") {
  using Sizes = std::vector<std::uint64_t>;
  CHECK(message_sizes({1 << 20, 1000, 8}, "whole", named("allgather", 8)).value() == Sizes{1 << 17, 125, 1});
  CHECK(message_sizes({1 << 20, 1000, 7}, "part", named("allgather", 8)).value() == Sizes{1 << 20, 1000, 7});
  CHECK(message_sizes({1 << 20}, "", named("allgather", 8)).value() == Sizes{1 << 20});
  CHECK(message_sizes({1 << 20}, "whole", named("allreduce", 8)).value() == Sizes{1 << 20});
  CHECK(message_sizes({}, "", named("allreduce", 8)).value().empty());
  CHECK_FALSE(message_sizes({1 << 20, 7}, "whole", named("allgather", 8)).ok());
  CHECK_FALSE(message_sizes({}, "whole", named("allreduce", 8)).ok());
  CHECK_FALSE(message_sizes({1}, "all", named("allreduce", 8)).ok());
}

TEST_CASE("bus bandwidths are those of nccl-tests") {
  const auto of = [](const char* collective, std::uint32_t n) { return bandwidth(named(collective, n), 1000, 1e-3); };
  CHECK(of("allreduce", 8)->algorithm == doctest::Approx(1e6));
  CHECK(of("allreduce", 8)->bus == doctest::Approx(1e6 * 2 * 7 / 8));
  CHECK(of("allgather", 8)->whole == 8000);
  CHECK(of("allgather", 8)->algorithm == doctest::Approx(8e6));
  CHECK(of("allgather", 8)->bus == doctest::Approx(7e6));
  CHECK(of("reduce_scatter", 4)->bus == doctest::Approx(3e6));
  CHECK(of("total_exchange", 4)->bus == doctest::Approx(3e6));
  CHECK(of("broadcast", 8)->bus == doctest::Approx(1e6));
  CHECK(of("reduce", 8)->bus == doctest::Approx(1e6));
  CHECK(of("allreduce", 1)->bus == doctest::Approx(0));
  for (const char* none : {"prefix", "exclusive_prefix", "barrier"}) {
    CAPTURE(none);
    CHECK_FALSE(of(none, 8));
  }
  constexpr std::uint64_t large = std::uint64_t{1} << 61;
  CHECK_FALSE(bandwidth(named("allgather", 8), large, 1e-3));
  CHECK(bandwidth(named("allgather", 7), large, 1e-3)->whole == 7 * large);
  CHECK_FALSE(bandwidth(named("allreduce", 8), 1000, std::nullopt));
  CHECK_FALSE(bandwidth(named("allreduce", 8), 1000, 0.0));
}

TEST_CASE("a range of sizes goes up by four, and has both ends") {
  using Sizes = std::vector<std::uint64_t>;
  CHECK(parse_sizes({"1KiB..20KiB,7"}).value() == Sizes{1024, 4096, 16384, 20480, 7});
  CHECK(parse_sizes({"1KiB..16KiB"}).value() == Sizes{1024, 4096, 16384});
  CHECK(parse_sizes({"5..5"}).value() == Sizes{5});
  CHECK(parse_sizes({"1..1000000GB"}).value().size() == 26);
  for (const char* const wrong : {"2..1", "1..", "..1", "1..2..3", "0..4"}) CHECK_FALSE(parse_sizes({wrong}).ok());
}

}  // namespace
}  // namespace quadrille::driver
