// A search is never longer than a schedule that ships, retimed: on fabrics of each kind of model/FABRICS.md, of 16 to
// 128 processors, for the collectives that have names of their own.
//
// Each question is searched until the time limit; where the answer is not known to be optimal, each schedule that ships
// and serves it is retimed with each choice of its arguments, for as long again. A pair that fails is printed with both
// numbers.
//
//   QUADRILLE_SEARCH_SECONDS=5 QUADRILLE_SEARCH_ON=torus test_driver --source-file=*against_shipped_long.cpp
//
// asks for 5 seconds instead of 60, and on those fabrics only whose notation contains the word.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/compile.h"
#include "driver/inputs/context.h"
#include "driver/inputs/input.h"
#include "driver/search/fit.h"
#include "driver/search/known_arguments.h"
#include "driver/search/search.h"
#include "dsl/load.h"
#include "tests/driver/memory_environment.h"
#include "tests/environment.h"
#include "verifier/check.h"

namespace quadrille::driver {
namespace {

constexpr auto asked_collectives = {"broadcast", "scatter",        "gather", "allgather", "total_exchange",
                                    "reduce",    "reduce_scatter", "prefix", "allreduce"};

constexpr auto asked_fabrics = {
    "fat_tree:levels=4",
    "fat_tree:levels=5,capacity=exponential",
    "ring:16",
    "line:16",
    "mesh:4x8",
    "torus:4x4",
    "torus:8x8",
    "torus:4x4x4",
    "hypercube:5",
    "hypercube:7",
    "complete:32",
    "star:16",
    "product(ring:4,hypercube:3)",
    "leaf_spine:hosts=16,leaves=4,spines=4",
    "leaf_spine:hosts=32,leaves=4,spines=2",
    "clos3:4",
    "dragonfly:routers=4,hosts=2,global=2",
    "hyperx:side=4,dimensions=2",
    "k_ary_n_cube:k=3,dimensions=3",
    "cube_connected_cycles:4",
    "connection_machine:dimensions=1",
    "butterfly:3",
    "wrapped_butterfly:3",
    "butterfly_fat_tree:levels=4",
    "nvswitch:gpus=16",
    "dgx2",
    "rails:servers=4",
    "dgx1_rails:servers=2",
    "dgx2_rails:servers=2",
    "dgx_a100_rails:servers=2",
    "dgx_a100_rails:servers=16",
    "dgx_h100_rails:servers=8",
    "nvl72",
    "rail_pod:racks=2,servers=2,gpus=4,spines=2",
    "rail_pod:racks=2,servers=4",
    "tpu_slice:x=2,y=2,z=4",
    "tpu_slice:x=4,y=4,z=4",
    "dragonfly_plus:leaves=4,spines=4,hosts=4,global=1",
    "slim_fly:q=5",
    "bcube:n=4,levels=2",
    "de_bruijn:5",
    "omega:4",
    "clos:m=4,n=4,r=4",
    "crossbar:hosts=16",
    "shared_bus:hosts=16",
};

std::string variable_or(const char* name, const std::string& otherwise) {
  const char* given = std::getenv(name);
  return given != nullptr ? given : otherwise;
}

std::chrono::seconds time_limit() {
  return std::chrono::seconds(std::stoi(variable_or("QUADRILLE_SEARCH_SECONDS", "60")));
}

struct RetimedSchedule {
  std::string name;
  std::uint64_t steps = 0;
};

// The shortest of the schedules that ship for the collective, retimed on the fabric, if it takes fewer steps than that;
// of those that are tried before the time limit.
std::optional<RetimedSchedule> shipped_in_fewer(std::uint64_t steps, const Fabric& fabric,
                                                const Collective& collective) {
  MemoryEnvironment environment;
  Context context{environment};
  context.limits.deadline = Limits::Clock::now() + time_limit();
  std::optional<RetimedSchedule> best;
  for (const ShippedFile& shipped : shipped_schedules()) {
    Context unlimited{environment};
    const auto schedule = open_shipped_schedule(std::string(shipped.name), unlimited);
    REQUIRE(schedule.ok());
    if (!may_serve((*schedule)->collective.kind, collective) || !suits(**schedule, fabric)) continue;
    for (const Arguments& arguments : every_arguments_for(**schedule, fabric, collective, context.limits)) {
      if (context.limits.reached() != Reason::none) return best;
      ElaborateOptions options;
      options.fabric = fabric;
      options.retime = true;
      options.limits = context.limits;
      auto table = elaborate_serving(*schedule, arguments, collective, ChunkCount::as_asked, options);
      if (!table) continue;
      table->claims.clear();
      const Report report = check(*table);
      if (report.verdict != Verdict::holds || report.steps >= (best ? best->steps : steps)) continue;
      best = RetimedSchedule{table->schedule, report.steps};
    }
  }
  return best;
}

// Whether a search within the time limit is as short as all that ships. Prints what is shorter.
bool is_never_longer(const std::string& collective, const std::string& on) {
  MemoryEnvironment environment;
  Context context{environment};
  context.limits.deadline = Limits::Clock::now() + time_limit();
  const auto outcome = run(SearchRequest{.collective = collective, .on = on}, context);
  REQUIRE(outcome.ok());
  if (outcome->result.verdict == SearchVerdict::optimal || outcome->result.verdict == SearchVerdict::impossible)
    return true;
  const std::uint64_t found = outcome->result.table ? outcome->result.steps : std::uint64_t{max_step} + 1;
  const auto shorter = shipped_in_fewer(found, outcome->fabric, outcome->collective);
  if (!shorter) return true;
  const std::string steps = outcome->result.table ? fmt::format("{} steps", found) : "nothing";
  MESSAGE(fmt::format("search --collective {} --on {} finds {}; {} --retime takes {}", collective, on, steps,
                      shorter->name, shorter->steps));
  return false;
}

TEST_CASE("no schedule that ships is shorter, retimed, than what a search finds in a minute") {
  if (tests::sanitized) return;  // a minute is not enough for anything
  const std::string word = variable_or("QUADRILLE_SEARCH_ON", "");
  for (const char* const fabric : asked_fabrics) {
    const std::string on = fabric;
    if (on.find(word) == std::string::npos) continue;
    for (const char* const kind : asked_collectives) {
      const std::string collective = kind;
      CAPTURE(on);
      CAPTURE(collective);
      CHECK(is_never_longer(collective, on));
    }
  }
}

}  // namespace
}  // namespace quadrille::driver
