// The best schedules for all-reduce and all-gather on machines of 8 to 72 processors, as dsl/BEST.md has them, exported
// as execution plans that hold.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "driver/export.h"
#include "programs/mscclpp/judge.h"
#include "tests/driver/memory_environment.h"
#include "tests/environment.h"

namespace quadrille::driver {
namespace {

using namespace programs;
using exporting::PlanChoices;

// A best schedule of `compare`.
struct BestOnMachine {
  const char* machine;
  const char* schedule;
  std::vector<std::string> defines;
  bool retime = true;
  std::uint32_t node = 0;  // ranks of a node; 0: all
};

std::vector<BestOnMachine> best_of_servers() {
  const std::string levels = "gpus=8";
  return {
      {"dgx_h100", "allreduce_one_shot", {"N=8"}},
      {"dgx_h100", "allreduce_by_levels", {"N=8", levels, "pieces=9"}},
      {"dgx_h100", "allreduce_by_levels", {"N=8", levels, "segments=4", "pieces=9"}},
      {"dgx_h100", "allgather_by_levels", {"N=8", levels, "segments=16", "pieces=9"}},
      {"dgx_b200", "allreduce_one_shot", {"N=8"}},
      {"dgx_b200", "allreduce_by_levels", {"N=8", levels, "segments=2"}},
      {"dgx_b200", "allreduce_rings", {"N=8", "gpus=2", "rings=2", "lanes=1"}},
      {"dgx_b200", "allgather_by_levels", {"N=8", levels, "segments=2"}},
      {"mi300x", "allreduce_one_shot", {"N=8"}, false},
      {"mi300x", "allreduce_by_levels", {"N=8", levels}, false},
      {"mi300x", "allgather_by_levels", {"N=8", levels}, false},
      {"dgx_h100_rails:servers=2", "allreduce_one_shot_hierarchical", {"N=16", levels}, true, 8},
      {"dgx_h100_rails:servers=2", "allreduce_by_levels", {"N=16", levels, "pieces=9", "across=3"}, true, 8},
      {"dgx_h100_rails:servers=2", "allgather_by_levels", {"N=16", levels, "pieces=9"}, true, 8},
  };
}

std::vector<BestOnMachine> best_of_large_machines() {
  return {
      {"dgx_h100_rails:servers=2", "allreduce_by_levels", {"N=16", "gpus=8", "segments=4", "pieces=9"}, true, 8},
      {"leaf_spine:hosts=32,leaves=4,spines=8", "allreduce_by_levels", {"N=32", "gpus=32"}, false, 8},
      {"leaf_spine:hosts=32,leaves=4,spines=8", "allgather_by_levels", {"N=32", "gpus=32"}, false, 8},
      {"tpu_slice:x=4,y=4,z=4", "allreduce_on_torus", {"sides=4,4,4"}, false},
      {"tpu_slice:x=4,y=4,z=4", "allgather_on_torus", {"sides=4,4,4"}, false},
      {"nvl72", "allreduce_by_levels", {"N=72", "gpus=72"}, false},
      {"nvl72", "allgather_by_levels", {"N=72", "gpus=72"}, false},
  };
}

// The ranks of a node, by the channels of rank 0: those that it does not reach through ports.
void check_nodes(const ExecutionPlan& plan, std::uint32_t node) {
  for (const PlanRank& rank : plan.ranks) {
    const auto near = [&](std::uint32_t peer) { return node == 0 || peer / node == rank.id / node; };
    for (const std::uint32_t peer : rank.peers[static_cast<std::size_t>(PlanChannel::memory)]) CHECK(near(peer));
    for (const std::uint32_t peer : rank.peers[static_cast<std::size_t>(PlanChannel::port)]) CHECK_FALSE(near(peer));
  }
}

void check_holds(const BestOnMachine& best, const PlanChoices& choices) {
  MemoryEnvironment environment;
  Context context{environment};
  ExportRequest request{{best.schedule, best.defines, best.machine}, "mscclpp", "plan.json"};
  request.input.retime = best.retime;
  request.plan = choices;
  const auto outcome = run(request, context);
  const std::string refusal = outcome ? "" : outcome.diagnostics().front().message;
  REQUIRE(refusal == "");
  const auto plan = read_execution_plan(environment.files.at("plan.json"), {});
  REQUIRE(plan.ok());
  check_nodes(*plan, best.node);
  const ProgramReport report = judge_plan(*plan, {.multiprocessors = 132});
  const std::string finding = report.findings.empty() ? "" : report.findings.front().message;
  CAPTURE(finding);
  for (std::size_t i = 0; i < programs::property_count; ++i) {
    const auto property = static_cast<ProgramProperty>(i);
    CAPTURE(to_string(property));
    if (property != ProgramProperty::agreement) CHECK(report.of(property).verdict == ProgramVerdict::holds);
  }
}

void check_all(const std::vector<BestOnMachine>& all) {
  for (const BestOnMachine& best : all) {
    const std::string name = std::string(best.machine) + " " + best.schedule;
    CAPTURE(name);
    check_holds(best, {});
    if (best.node == 0) check_holds(best, {.in_place = true});
  }
}

}  // namespace

TEST_CASE("the best schedules of servers are exported to plans that hold, with ports between servers") {
  check_all(best_of_servers());
}

TEST_CASE("the best schedules of machines of up to 72 processors are exported to plans that hold") {
  if (tests::brief) return;
  check_all(best_of_large_machines());
}

}  // namespace quadrille::driver
