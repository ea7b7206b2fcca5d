// What is exported as an MSCCL++ execution plan keeps the executor's limits, moves what the table says, and gives what
// the collective demands.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "driver/export.h"
#include "dsl/load.h"
#include "programs/mscclpp/judge.h"
#include "programs/mscclpp/write_plan.h"
#include "tests/driver/memory_environment.h"

namespace quadrille::driver {
namespace {

using namespace programs;
using exporting::PlanChoices;

struct ExportedPlan {
  std::string refusal = {};  // empty: there is a file
  std::string text = {};
};

ExportedPlan export_plan(const TableRequest& table, const PlanChoices& choices = {}) {
  MemoryEnvironment environment;
  Context context{environment};
  ExportRequest request{table, "mscclpp", "plan.json"};
  request.plan = choices;
  const auto outcome = run(request, context);
  if (!outcome) {
    CHECK(environment.files.empty());
    return {outcome.diagnostics().front().message};
  }
  return {"", environment.files.at("plan.json")};
}

ExecutionPlan plan_of(const std::string& text) {
  const auto plan = read_execution_plan(text, {});
  REQUIRE(plan.ok());
  CHECK(write_execution_plan(*plan) == text);
  return *plan;
}

// Operations of that kind, in all blocks.
std::size_t operations(const ExecutionPlan& plan, PlanKind kind) {
  std::size_t count = 0;
  for (const PlanRank& rank : plan.ranks) {
    for (const PlanBlock& block : rank.blocks) {
      count += static_cast<std::size_t>(std::ranges::count(block.operations, kind, &PlanOperation::kind));
    }
  }
  return count;
}

std::vector<PlanChoices> all_choices() {
  return {{},
          {.instances = 3},
          {.ranks_per_node = 2},
          {.instances = 2, .ranks_per_node = 1},
          {.protocol = "LL"},
          {.instances = 2, .protocol = "LL"},
          {.in_place = true},
          {.in_place = true, .ranks_per_node = 2},
          {.protocol = "LL", .in_place = true}};
}

void check_plan(const std::string& text) {
  const ExecutionPlan plan = plan_of(text);
  const ProgramReport report = judge_plan(plan, {});
  for (std::size_t i = 0; i < programs::property_count; ++i) {
    const auto property = static_cast<ProgramProperty>(i);
    CAPTURE(to_string(property));
    const std::string why = report.findings.empty() ? report.of(property).why : report.findings.front().message;
    CAPTURE(why);
    const bool of_custom = property == ProgramProperty::data && plan.collective == "custom";
    const bool holds = property != ProgramProperty::agreement && !of_custom;
    if (holds) CHECK(report.of(property).verdict == ProgramVerdict::holds);
    if (of_custom) CHECK(report.of(property).verdict == ProgramVerdict::unknown);
  }
  for (const PlanKind kind : {PlanKind::get, PlanKind::flush, PlanKind::group_load_reduce, PlanKind::pipeline})
    CHECK(operations(plan, kind) == 0);
}

}  // namespace

TEST_CASE("every schedule that ships and that MSCCL++ can run, exported as an execution plan and read back, is sound") {
  std::map<std::string, std::size_t> exported;
  std::map<std::string, std::string> refused;
  for (const ShippedFile& shipped : shipped_schedules()) {
    const std::string name(shipped.name);
    CAPTURE(name);
    for (const char* define : {"N=2", "N=3", "N=4", "N=5", "N=8", "L=2", "L=3", "d=3", ""}) {
      CAPTURE(define);
      const TableRequest request{name, *define == '\0' ? std::vector<std::string>() : std::vector<std::string>{define}};
      MemoryEnvironment environment;
      Context context{environment};
      const Result<SendTable> table = open_table(request, context);
      if (!table || table->fabric.processors() < 2) continue;
      for (const PlanChoices& choices : all_choices()) {
        const ExportedPlan result = export_plan(request, choices);
        if (!result.refusal.empty()) {
          refused[name] = result.refusal;
          continue;
        }
        check_plan(result.text);
        if (std::string_view(define) == "N=4") CHECK(export_plan(request, choices).text == result.text);
        ++exported[name];
      }
    }
  }
  for (const auto& [name, times] : exported) refused.erase(name);
  for (const auto& refusal : refused) {
    CAPTURE(refusal.first);
    const std::string& why = refusal.second;
    CAPTURE(why);
    const bool known = why.find("cannot be said") != why.npos || why.find("add up what passes them") != why.npos ||
                       why.find("ordered") != why.npos || why.find("mscclpp: ") == 0;
    CHECK(known);
  }
  CHECK(exported.size() > 30);
}

TEST_CASE("what does not fit one block goes on in another one") {
  const ExecutionPlan plan = plan_of(export_plan({"total_exchange_pairwise", {"N=40"}}).text);
  CHECK(plan.ranks.size() == 40);
  CHECK(plan.ranks[0].blocks.size() > 1);
  CHECK(plan.ranks[0].semaphores.size() == plan.ranks[0].blocks.size() - 1);
  CHECK(operations(plan, PlanKind::release) == operations(plan, PlanKind::acquire));
}

TEST_CASE("what a slot of the output gets last goes there at once, and each message has scratch of its own") {
  const ExecutionPlan plan = plan_of(export_plan({"allreduce_ring", {"N=4"}}).text);
  for (const PlanRank& rank : plan.ranks) CHECK(rank.scratch == 5);
  CHECK(operations(plan, PlanKind::copy) == 0);
  CHECK(operations(plan, PlanKind::reduce) == 12);
}

TEST_CASE("ranks of different nodes use ports, and what ports send is acknowledged") {
  const ExecutionPlan plan = plan_of(export_plan({"allgather_ring", {"N=4"}}, {.ranks_per_node = 2}).text);
  for (const PlanRank& rank : plan.ranks) {
    CHECK(rank.peers[0].size() == 1);
    CHECK(rank.peers[1].size() == 1);
  }
  CHECK(operations(plan, PlanKind::wait) == operations(plan, PlanKind::signal));
}

TEST_CASE("instances share each chunk, and have channels of their own") {
  const ExecutionPlan plan = plan_of(export_plan({"allgather_ring", {"N=4"}}, {.instances = 3}).text);
  for (const PlanRank& rank : plan.ranks) {
    CHECK(rank.blocks.size() == 3);
    CHECK(rank.peers[0].size() == 6);
  }
  CHECK(plan.bytes_from == 16 * 4 * 3);
}

TEST_CASE("with packets nothing is signalled but that a rank has begun, and what comes is added to what is there") {
  const ExecutionPlan plan = plan_of(export_plan({"allreduce_recursive_doubling", {"N=4"}}, {.protocol = "LL"}).text);
  CHECK(plan.packets());
  CHECK_FALSE(plan.double_scratch);
  for (const PlanKind kind : {PlanKind::signal, PlanKind::wait, PlanKind::put}) CHECK(operations(plan, kind) == 0);
  CHECK(operations(plan, PlanKind::relaxed_signal) == 4);
  CHECK(operations(plan, PlanKind::put_packets) == 8);
  CHECK(operations(plan, PlanKind::reduce_packets) == 8);
  const auto passed = plan_of(export_plan({"allgather_ring", {"N=4"}}, {.protocol = "LL"}).text);
  CHECK(operations(passed, PlanKind::unpack_packets) == 12);
}

TEST_CASE("in place a rank's own part is not copied, and what it still reads is not overwritten by others") {
  const ExecutionPlan gathered = plan_of(export_plan({"allgather_ring", {"N=4"}}, {.in_place = true}).text);
  CHECK(gathered.in_place);
  CHECK(operations(gathered, PlanKind::copy) == 0);
  for (const PlanRank& rank : gathered.ranks) CHECK(rank.scratch == 0);
  const ExecutionPlan summed = plan_of(export_plan({"allreduce_ring", {"N=4"}}, {.in_place = true}).text);
  for (const PlanRank& rank : summed.ranks) {
    CHECK(std::ranges::all_of(rank.remote_buffers, [](const auto& it) { return it.space == Space::scratch; }));
  }
}

TEST_CASE("in place who sends by a port from what it overwrites later waits until that is sent") {
  const PlanChoices choices{.in_place = true, .ranks_per_node = 2};
  const ExecutionPlan gathered = plan_of(export_plan({"allgather_ring", {"N=4"}}, choices).text);
  CHECK(operations(gathered, PlanKind::put_signal_flush) == 0);
  const ExecutionPlan summed = plan_of(export_plan({"allreduce_ring", {"N=4"}}, choices).text);
  CHECK(operations(summed, PlanKind::put_signal_flush) == 2 * 6);
  check_plan(export_plan({"allreduce_ring", {"N=4"}}, choices).text);
  check_plan(export_plan({"allreduce_one_shot", {"N=8"}}, choices).text);
}

TEST_CASE("what packets have no room for, or cannot keep apart, is refused by name") {
  const auto refusal = [](const char* schedule, PlanChoices choices) {
    choices.protocol = "LL";
    return export_plan({schedule, {"N=4"}}, choices).refusal;
  };
  CHECK(refusal("broadcast_binomial", {}).empty());
  CHECK(refusal("allgather_ring", {.ranks_per_node = 2}).find("mscclpp: LL: packets go by memory channels") == 0);
  CHECK(refusal("reduce_scatter_ring", {}).find("packets leave no room beside the results") != std::string::npos);
}

TEST_CASE("what MSCCL++ has no name for is custom, in buffers of one size") {
  const ExecutionPlan gathered = plan_of(export_plan({"gather_binomial", {"N=4"}}).text);
  const ExecutionPlan summed = plan_of(export_plan({"prefix_recursive_doubling", {"N=4"}}).text);
  CHECK(gathered.collective == "custom");
  CHECK(summed.collective == "custom");
  for (const PlanRank& rank : gathered.ranks) {
    CHECK(rank.input == 1);
    CHECK(rank.output == 4);
  }
  CHECK(gathered.bytes_from == 16);  // of the input
}

TEST_CASE("what all ranks add up in one step they add in one order") {
  for (const char* n : {"N=8", "N=16"}) {
    const ExecutionPlan plan = plan_of(export_plan({"allreduce_one_shot", {n}}).text);
    CHECK(judge_plan(plan, {}).of(ProgramProperty::agreement).verdict == ProgramVerdict::holds);
  }
}

TEST_CASE("ranks whose links are the fastest, or that are nearest, are of one node, if nothing else is said") {
  const auto peers_by_port = [](TableRequest table, const char* fabric, const PlanChoices& choices = {}) {
    table.on = fabric;
    const ExecutionPlan plan = plan_of(export_plan(table, choices).text);
    const std::vector<std::uint32_t>& peers = plan.ranks.front().peers[1];
    return std::set(peers.begin(), peers.end()).size();
  };
  const TableRequest table{"allgather_direct", {"N=16"}};
  CHECK(peers_by_port(table, "dgx_h100_rails:servers=2") == 1);  // on its rail
  CHECK(peers_by_port(table, "rail_pod:racks=2,servers=1") == 8);
  CHECK(peers_by_port(table, "leaf_spine:hosts=16,leaves=4,spines=2") == 12);
  CHECK(peers_by_port(table, "nvswitch:gpus=16") == 0);
  CHECK(peers_by_port(table, "tpu_slice:x=4,y=2,z=2") == 0);
  CHECK(peers_by_port(table, "dgx_h100_rails:servers=2", {.ranks_per_node = 16}) == 0);
}

TEST_CASE("where switches add up, each rank has them do a part of an all-reduce") {
  const auto in_switch = [](const char* n, const char* fabric, const PlanChoices& choices) {
    return export_plan({"allreduce_one_shot", {n}, fabric}, choices);
  };
  for (const PlanChoices& choices : {PlanChoices{}, {.in_place = true}, {.instances = 2}}) {
    const ExportedPlan of_server = in_switch("N=8", "dgx_h100:switches=reduce", choices);
    REQUIRE(of_server.refusal == "");
    check_plan(of_server.text);
    CHECK(operations(plan_of(of_server.text), PlanKind::group_load_reduce_store) == 8 * choices.instances);
    const ExportedPlan of_many = in_switch("N=40", "nvswitch:gpus=40,switches=reduce", choices);
    REQUIRE(of_many.refusal == "");
    check_plan(of_many.text);
    CHECK(plan_of(of_many.text).ranks[39].blocks.size() == 3 * choices.instances);
  }
  CHECK(in_switch("N=8", "dgx_h100:switches=reduce", {.protocol = "LL"}).refusal.find("sums in the switch") !=
        std::string::npos);
  CHECK(in_switch("N=8", "dgx_h100:switches=reduce", {.ranks_per_node = 4}).refusal.find("sums in the switch") !=
        std::string::npos);
}

TEST_CASE("what a plan cannot say is refused by name") {
  CHECK(export_plan({"barrier_dissemination", {"N=4"}}).refusal.find("barrier cannot be said") != std::string::npos);
  CHECK(export_plan({"scatter_linear", {"N=4"}}, {.in_place = true}).refusal.find("in place are not known") !=
        std::string::npos);
  MemoryEnvironment environment;
  Context context{environment};
  ExportRequest request{{"allgather_ring", {"N=4"}}, "msccl", "out.xml"};
  request.plan.instances = 2;
  const auto outcome = run(request, context);
  REQUIRE_FALSE(outcome.ok());
  CHECK(outcome.diagnostics().front().message == "--instances: a file for msccl says nothing of that");
}

}  // namespace quadrille::driver
