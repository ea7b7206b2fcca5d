// What a comparison names can be had: its files pass `check`, take its time, and are exported whole.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "driver/check/check.h"
#include "driver/export.h"
#include "driver/files/best_index.h"
#include "driver/files/file_set.h"
#include "driver/replay.h"
#include "driver/search/compare.h"
#include "programs/mscclpp/judge.h"
#include "tests/driver/memory_environment.h"

namespace quadrille::driver {
namespace {

// Judges the file as it is, and compares its times.
void check_file(const std::string& file, const BestOfSizes& best, MemoryEnvironment& environment) {
  CAPTURE(file);
  CAPTURE(best.choice.name());
  Context context{environment};
  const auto checked = run(CheckRequest{.input = {.file = file}}, context);
  REQUIRE(checked.ok());
  CHECK(checked->report.verdict == Verdict::holds);
  for (const std::uint64_t size : {std::uint64_t{4096}, std::uint64_t{1} << 26}) {
    const auto replayed = run(ReplayRequest{.input = {.file = file}, .sizes = {std::to_string(size)}}, context);
    REQUIRE(replayed.ok());
    REQUIRE(replayed->times.front());
    CHECK(*replayed->times.front() == doctest::Approx(best.time.of(static_cast<double>(size))).epsilon(1e-9));
  }
}

TEST_CASE("the files of each range hold, and take the time that is told, on machines whole and broken") {
  struct Case {
    std::string what, on;
    std::vector<std::string> without;
  };
  int schedules = 0;
  for (const Case& it : {Case{"allreduce", "dgx_h100", {}}, Case{"broadcast:root=2", "dgx_h100", {"0--nvswitch[1]"}},
                         Case{"allgather", "dgx_a100_rails:servers=2", {}}, Case{"reduce", "torus:3x3", {"0--1"}},
                         Case{"total_exchange", "star:6", {}}, Case{"reduce_scatter", "mi300x", {}}}) {
    CAPTURE(it.what);
    CAPTURE(it.on);
    MemoryEnvironment environment;
    Context context{environment};
    const auto outcome = run(CompareRequest{.collective = it.what,
                                            .on = it.on,
                                            .without = it.without,
                                            .sizes = {"4096,256KiB,64MiB"},
                                            .output = "best/"},
                             context);
    REQUIRE(outcome.ok());
    CHECK(outcome->failures.empty());
    REQUIRE_FALSE(outcome->by_size.empty());
    std::size_t files = 2;  // best.json and the manifest
    for (const BestOfSizes& best : outcome->by_size) {
      check_file(best.table, best, environment);
      ++files;
      if (best.schedule_file.empty()) continue;
      check_file(best.schedule_file, best, environment);
      ++files;
      ++schedules;
    }
    CHECK(environment.files.size() == files);
    const auto index = read_best_index(environment.files.at("best/best.json"));
    REQUIRE(index.ok());
    CHECK(index->ranges.size() == outcome->by_size.size());
  }
  CHECK(schedules > 6);
}

TEST_CASE("every row can be had by its name") {
  for (const auto& [what, on] : {std::pair("allreduce", "dgx_h100"), std::pair("allgather", "torus:2x3")}) {
    MemoryEnvironment environment;
    Context context{environment};
    const auto all = run(CompareRequest{.collective = what, .on = on, .sizes = {"4096"}}, context).value();
    for (const Compared& row : all.algorithms) {
      if (!row.times.front()) continue;
      const std::string name = row.first().schedule->name;
      CAPTURE(name);
      const auto one =
          run(CompareRequest{.collective = what, .on = on, .sizes = {"4096,64MiB"}, .only = {name}, .output = "row"},
              context)
              .value();
      REQUIRE(one.algorithms.size() == 1);
      CHECK(one.failures.empty());
      // Beside others, some of its choices may have been passed over.
      CHECK(*one.algorithms.front().times.front() <= *row.times.front() * (1 + 1e-9));
      for (const BestOfSizes& best : one.by_size) check_file(best.table, best, environment);
      for (const BestOfSizes& best : one.by_size) {
        if (!best.schedule_file.empty()) check_file(best.schedule_file, best, environment);
      }
    }
  }
}

TEST_CASE("a folder is exported whole, each file for its sizes, and only what the executor takes is in it") {
  MemoryEnvironment environment;
  Context context{environment};
  for (const auto& [what, whole] : {std::pair("allreduce", 1U), std::pair("allgather", 8U)}) {
    environment.files.clear();
    const auto outcome = run(CompareRequest{.collective = what,
                                            .on = "dgx_h100",
                                            .sizes = {"1KiB,1MiB,256MiB"},
                                            .consumer = "rccl",
                                            .output = "best"},
                             context)
                             .value();
    REQUIRE(outcome.failures.empty());
    const auto exported = run(ExportRequest{{.file = "best"}, "msccl", "xml", {}, "rccl"}, context);
    REQUIRE(exported.ok());
    for (std::size_t i = 0; i < outcome.by_size.size(); ++i) {
      const BestOfSizes& best = outcome.by_size[i];
      const std::string stem = best.table.substr(5, best.table.size() - 8);  // "1-allreduce_one_shot."
      REQUIRE(environment.files.contains("xml/" + stem + "xml"));
      const std::string& text = environment.files.at("xml/" + stem + "xml");
      const std::uint64_t least = best.above == 0 ? 0 : best.above * whole + 1;
      CHECK(text.find("minBytes=\"" + std::to_string(least) + "\"") != std::string::npos);
      CHECK(text.find("maxBytes=\"" + std::to_string(best.up_to.value_or(0) * whole) + "\"") != std::string::npos);
    }
  }
  CHECK_FALSE(run(ExportRequest{{.file = "best"}, "msccl"}, context).ok());
  const auto before = environment.files;
  CHECK_FALSE(run(ExportRequest{{.file = "best"}, "msccl", "best/"}, context).ok());
  CHECK(environment.files == before);
  environment.files["best/best.json"] = "{}";
  CHECK_FALSE(run(ExportRequest{{.file = "best"}, "msccl", "xml"}, context).ok());
  CHECK(environment.files.at("xml/manifest.txt") == before.at("xml/manifest.txt"));
}

TEST_CASE(
    "a folder as plans: each for its sizes, with a name of its own, and a program that loads them all or nothing") {
  MemoryEnvironment environment;
  Context context{environment};
  for (const auto& [what, whole] : {std::pair("allreduce", 1U), std::pair("allgather", 8U)}) {
    environment.files.clear();
    const std::vector<std::string> sizes = {"1KiB,1MiB,256MiB"};
    const CompareRequest request{
        .collective = what, .on = "dgx_h100", .sizes = sizes, .consumer = "mscclpp", .output = "best"};
    const auto outcome = run(request, context).value();
    REQUIRE(outcome.failures.empty());
    const auto before = environment.files;
    ExportRequest refused{{.file = "best"}, "mscclpp", "plans"};
    refused.plan = {.protocol = "LL", .ranks_per_node = 4};
    CHECK_FALSE(run(refused, context).ok());
    CHECK(environment.files == before);
    REQUIRE(run(ExportRequest{{.file = "best"}, "mscclpp", "plans"}, context).ok());
    const std::string loader = environment.files.at("plans/register.py");
    for (const BestOfSizes& best : outcome.by_size) {
      const std::string stem = best.table.substr(5, best.table.size() - 9);  // "1-allreduce_one_shot"
      CAPTURE(stem);
      CHECK(loader.find(fmt::format("\n    \"{}.json\",\n", stem)) != std::string::npos);
      const auto plan = programs::read_execution_plan(environment.files.at(fmt::format("plans/{}.json", stem)), {});
      REQUIRE(plan.ok());
      CHECK(plan->name == "plans/" + stem);
      const std::uint64_t unit = plan->alignment * std::max(plan->ranks[0].input, plan->ranks[0].output);
      for (const std::uint64_t size : outcome.sizes) CHECK((size * whole < unit || size * whole % unit == 0));
      CHECK(plan->bytes_from == std::max<std::uint64_t>(unit, best.above == 0 ? 0 : best.above * whole + 1));
      if (best.up_to) CHECK(plan->bytes_to == *best.up_to * whole);
      CHECK(programs::judge_plan(*plan, {}).verdict() != programs::ProgramVerdict::violated);
    }
  }
}

TEST_CASE("what cannot be written is said, and nothing is left of it") {
  MemoryEnvironment environment;
  Context context{environment};
  CompareRequest request{.collective = "allreduce", .on = "star:4", .sizes = {"1KiB,1GiB"}, .output = "all.csv"};
  const auto several = run(request, context).value();
  REQUIRE(several.failures.size() == 1);
  CHECK(several.failures.front().message.find("schedules are best") != std::string::npos);
  CHECK(environment.files.empty());
  request.sizes.clear();
  CHECK_FALSE(run(request, context).ok());
  request.sizes = {"1KiB"};
  request.only = {"allreduce_rong"};
  CHECK_FALSE(run(request, context).ok());
  request.only = {};
  request.collective = "prefix";
  request.consumer = "rccl";
  CHECK_FALSE(run(request, context).ok());
}

TEST_CASE("a text that a limit cuts short leaves the old file, and its set unfinished") {
  MemoryEnvironment environment;
  environment.files["best/1.csv"] = "old";
  const auto cut = [](const Sink& sink) { return sink("half"), false; };
  const auto whole = [](const Sink& sink) { return sink("whole"), true; };
  const auto wrong = write_set("best", {{"1.csv", cut}, {"2.csv", whole}}, environment);
  REQUIRE(wrong);
  CHECK(wrong->code == Code::limit);
  CHECK(environment.files.at("best/1.csv") == "old");
  CHECK_FALSE(environment.files.contains("best/manifest.txt"));
  CHECK_FALSE(write_set("best", {{"1.csv", whole}}, environment));
  CHECK(environment.files.at("best/1.csv") == "whole");
  environment.room = 3;
  const auto full = write_set("best", {{"1.csv", whole}}, environment);
  REQUIRE(full);
  CHECK(full->code == Code::file);
}

}  // namespace
}  // namespace quadrille::driver
