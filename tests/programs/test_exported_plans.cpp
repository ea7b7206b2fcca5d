// Exported execution plans never fail in a run of the tests' executor. The first seed is QUADRILLE_SEED.
#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/export.h"
#include "tests/driver/memory_environment.h"
#include "tests/environment.h"
#include "tests/programs/plan_executor.h"
#include "tests/reference/random_tables.h"

namespace quadrille::driver {
namespace {

using namespace programs;
using exporting::PlanChoices;

struct ExportedRun {
  TableRequest table;
  PlanChoices choices;
};

std::vector<ExportedRun> exported_runs() {
  const std::vector<std::string> four = {"N=4"};
  return {
      {{"allreduce_ring", four}, {}},
      {{"allreduce_ring", four}, {.in_place = true, .ranks_per_node = 2}},
      {{"allreduce_one_shot", four}, {.instances = 2}},
      {{"allreduce_one_shot", four}, {.protocol = "LL"}},
      {{"allreduce_recursive_doubling", four}, {.protocol = "LL", .in_place = true}},
      {{"allreduce_one_shot", four, "nvswitch:gpus=4,switches=reduce"}, {}},
      {{"allreduce_one_shot", four, "nvswitch:gpus=4,switches=reduce"}, {.in_place = true}},
      {{"allgather_ring", four}, {.protocol = "LL"}},
      {{"allgather_ring", four}, {.in_place = true, .ranks_per_node = 1}},
      {{"reduce_scatter_ring", four}, {.ranks_per_node = 2}},
      {{"total_exchange_pairwise", four}, {}},
      {{"broadcast_binomial", four}, {.ranks_per_node = 2}},
      {{"reduce_binomial", four}, {}},
  };
}

TEST_CASE("exported plans never fail in a run") {
  const std::uint64_t runs = tests::share(600);
  for (const ExportedRun& exported : exported_runs()) {
    CAPTURE(exported.table.file);
    MemoryEnvironment environment;
    Context context{environment};
    ExportRequest request{exported.table, "mscclpp", "plan.json"};
    request.plan = exported.choices;
    REQUIRE(run(request, context).ok());
    const auto plan = read_execution_plan(environment.files.at("plan.json"), {});
    REQUIRE(plan.ok());
    for (std::uint64_t i = 0; i < runs; ++i) {
      const std::uint64_t seed = reference::first_seed() + i;
      const auto others = static_cast<std::uint32_t>(i % 3);
      const std::optional<PlanFailure> failure = run_plan(*plan, {.seed = seed, .others = others});
      if (!failure) continue;
      CAPTURE(seed);
      FAIL_CHECK(to_string(failure->property) << ": " << failure->message);
      break;
    }
  }
}

}  // namespace
}  // namespace quadrille::driver
