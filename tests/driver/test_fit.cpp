// Which collectives' tables are tables of which others, and what is left out of them.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "driver/inputs/input.h"
#include "driver/inputs/notations.h"
#include "driver/search/fit.h"
#include "tests/driver/memory_environment.h"
#include "verifier/check.h"

namespace quadrille::driver {
namespace {

constexpr std::uint32_t four = 4;

Collective among_four(const std::string& notation) {
  MemoryEnvironment environment;
  Context context{environment};
  return collective_named(notation, four, context).value();
}

bool serves(const std::string& done, const std::string& asked) {
  return driver::serves(among_four(done), among_four(asked));
}

// The schedule that ships, among 4 processors in rounds, as one of what is asked.
Result<SendTable> table_serving(const std::string& schedule, const std::string& asked,
                                ChunkCount chunks = ChunkCount::any) {
  MemoryEnvironment environment;
  Context context{environment};
  ElaborateOptions options;
  options.fabric = fabric_on("complete:4,ports=single,timing=rounds", {}, context).value();
  return elaborate_serving(open_shipped_schedule(schedule, context).value(), {{"N", "4"}}, among_four(asked), chunks,
                           options);
}

std::size_t row_count_of(const SendTable& table) { return all_rows(table).size(); }

TEST_CASE("what is known of an operation is for the checker to judge, not for the names") {
  for (const std::string done : {"allreduce", "allreduce:ordered", "allreduce:idempotent", "barrier"}) {
    for (const std::string asked : {"allreduce", "allreduce:ordered", "allreduce:idempotent", "barrier"}) {
      CAPTURE(done);
      CAPTURE(asked);
      CHECK(serves(done, asked));
    }
  }
}

TEST_CASE("what leaves more serves what asks for less, and not the other way round") {
  CHECK(serves("allreduce", "reduce:root=3"));
  CHECK_FALSE(serves("reduce:root=3", "allreduce"));
  CHECK(serves("allreduce:parts=4", "reduce_scatter"));
  CHECK_FALSE(serves("reduce_scatter", "allreduce:parts=4"));
  CHECK(serves("prefix", "reduce:root=3,ordered"));
  CHECK_FALSE(serves("prefix", "reduce:root=2"));
  CHECK_FALSE(serves("exclusive_prefix", "prefix"));
  CHECK_FALSE(serves("reduce:root=1", "reduce:root=2"));
}

TEST_CASE("chunks count: unless any will do, there are as many") {
  CHECK_FALSE(serves("allreduce:parts=4", "allreduce"));
  CHECK_FALSE(serves("allreduce:parts=4", "reduce:root=0"));
  CHECK_FALSE(table_serving("allreduce_ring", "allreduce:ordered", ChunkCount::as_asked).ok());
  auto ring = table_serving("allreduce_ring", "reduce_scatter", ChunkCount::as_asked);
  REQUIRE(ring.ok());
  ring->claims.clear();  // of an allreduce
  ring->invariants.clear();
  CHECK(check(*ring).verdict == Verdict::holds);
}

TEST_CASE("what copies serves the same only") {
  CHECK(serves("broadcast:root=1", "broadcast:root=1"));
  CHECK_FALSE(serves("broadcast:root=1", "broadcast"));
  CHECK_FALSE(serves("allgather", "broadcast"));
  CHECK_FALSE(serves("total_exchange", "reduce_scatter"));
}

TEST_CASE("rows that nobody has any use for are left out, and all others kept") {
  auto all = table_serving("allreduce_recursive_doubling", "allreduce:ordered");
  auto root = table_serving("allreduce_recursive_doubling", "reduce:root=2,ordered");
  REQUIRE(all.ok());
  REQUIRE(root.ok());
  CHECK(row_count_of(*all) == 8);
  CHECK(row_count_of(*root) == 3);
  root->claims.clear();
  root->invariants.clear();
  CHECK(check(*root).verdict == Verdict::holds);
}

TEST_CASE("where words are named, nothing that came is left out") {
  const auto root = table_serving("allreduce_one_shot_ordered", "reduce:root=2,ordered");
  REQUIRE(root.ok());
  CHECK(row_count_of(*root) == 12);
}

}  // namespace
}  // namespace quadrille::driver
