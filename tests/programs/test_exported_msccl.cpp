// Files that are exported, carried out: by an executor that knows nothing but the file, in orders drawn at random.
#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "driver/export.h"
#include "programs/msccl/executor.h"
#include "tests/driver/memory_environment.h"
#include "tests/programs/random_executor.h"

namespace quadrille::programs {
namespace {

std::uint64_t first_exported_seed() {
  const char* seed = std::getenv("QUADRILLE_SEED");
  return seed == nullptr ? 1 : std::strtoull(seed, nullptr, 10);
}

}  // namespace

TEST_CASE(
    "exported schedules give what their collective demands in every run, with one chunk in a message or several") {
  const std::uint64_t first_seed = first_exported_seed();
  MESSAGE("QUADRILLE_SEED=" << first_seed);
  for (const char* name :
       {"allgather_ring", "allgather_bruck", "allgather_recursive_doubling", "allreduce_ring", "allreduce_rabenseifner",
        "allreduce_recursive_doubling", "allreduce_swing", "broadcast_binomial", "broadcast_scatter_allgather",
        "reduce_binomial", "reduce_scatter_recursive_halving", "reduce_scatter_pairwise", "total_exchange_bruck",
        "total_exchange_pairwise"}) {
    CAPTURE(name);
    for (const char* define : {"N=2", "N=4", "N=5", "N=8"}) {
      CAPTURE(define);
      driver::MemoryEnvironment environment;
      driver::Context context{environment};
      const auto exported = run(driver::ExportRequest{{name, {define}}, "msccl", "out.xml", "", "rccl"}, context);
      if (!exported) {
        const std::string why = exported.diagnostics().front().message;
        CAPTURE(why);
        CHECK(exported.diagnostics().front().code == Code::range);  // only powers of two
        continue;
      }
      const auto file = read_msccl_xml({"out.xml", environment.files.at("out.xml")}, 0);
      REQUIRE(file.ok());
      for (std::uint64_t seed = first_seed; seed < first_seed + 4; ++seed) {
        for (const std::uint32_t together : {1U, 2U}) {
          RandomExecutor executor(*file, {"rccl", false, together, true, seed});
          const ExecutorRun done = executor.run();
          CHECK_FALSE(done.hung);
          CHECK_FALSE(done.read_poison);
          CHECK_FALSE(done.wrong);
        }
      }
    }
  }
}

}  // namespace quadrille::programs
