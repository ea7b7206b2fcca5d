// What test_crossed_search.cpp has found, each as a case of its own.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "cli/run.h"
#include "tests/cli/crossed_commands.h"
#include "tests/environment.h"

namespace quadrille::cli::crossed {
namespace {

TEST_CASE("to ask for evidence loses no bound and no answer") {
  for (const std::string on : {"ring:3,capacity=2,ports=single,queue=1", "complete:4,ports=single",
                               R"(graph:{"processors":3,"channels":[[0,1],[1,2],[2,0]]},duplex=half,ports=single)"}) {
    for (const std::string what : {"allreduce", "barrier", "allreduce:idempotent"}) {
      if (tests::sanitized && what != "allreduce") continue;  // each takes ten seconds
      CAPTURE(on);
      CAPTURE(what);
      driver::MemoryEnvironment environment;
      const Words question = {"search", "--collective", what, "--on", on};
      Words with_evidence = question;
      with_evidence.insert(with_evidence.end(), {"--certificate", "evidence"});
      const Answer without = run_json(question, environment);
      const Answer with = run_json(with_evidence, environment);
      CHECK(with.number("lower_bound") == without.number("lower_bound"));
      CHECK(with.text("verdict") == without.text("verdict"));
      if (with.has("certificate")) check_certificate(environment, with.text("certificate"), with.said);
    }
  }
}

TEST_CASE("a schedule found in rounds is written with its messages") {
  for (const auto& [what, on] : std::vector<std::pair<std::string, std::string>>{
           {"allgather", "torus:2x2,paths=shared,ports=single,timing=rounds"},
           {"allreduce:ordered", "line:3,paths=shared,timing=rounds"},
           {"total_exchange:parts=2", "ring:4,timing=rounds"},
           {"broadcast:parts=2", "star:4,timing=rounds"},
           {"scatter", "fat_tree:levels=2,timing=rounds"}}) {
    CAPTURE(on);
    CAPTURE(what);
    driver::MemoryEnvironment environment;
    Words command = {"search", "--collective", what, "--on", on, "-o", "table.csv", "--schedule", "made.qd"};
    const Answer answer = run_json(command, environment);
    CAPTURE(environment.files["made.qd"]);
    const Answer table = run_json({"check", "table.csv"}, environment);
    const Answer schedule = run_json({"check", "made.qd"}, environment);
    for (const char* key : {"verdict", "steps", "rows", "messages", "volume", "hops"}) {
      CAPTURE(key);
      CHECK(schedule.said[key] == table.said[key]);
    }
    CHECK(schedule.text("verdict") == "holds");
  }
}

TEST_CASE("a table whose messages wait in switches becomes programs of its processors") {
  driver::MemoryEnvironment environment;
  const Words command = {"search", "--collective", "allgather", "--on", "shared_bus:hosts=3,timing=rounds",
                         "-o",     "table.csv"};
  run_json(command, environment);
  CHECK(run_json({"check", "table.csv"}, environment).text("verdict") == "holds");
  CHECK(cli::run(Words{"export", "table.csv", "--to", "mpi-c", "-o", "out.c"}, environment) == exit_done);
  CHECK(cli::run(Words{"export", "table.csv", "--to", "msccl", "-o", "out.xml"}, environment) == exit_done);
  CHECK(run_json({"check", "out.xml"}, environment).text("verdict") == "holds");
}

TEST_CASE("a frontier ends where nothing has to be sent") {
  for (const std::string what : {"allreduce", "broadcast", "prefix:parts=2"}) {
    CAPTURE(what);
    driver::MemoryEnvironment environment;
    const Answer answer =
        run_json({"search", "--collective", what, "--on", "line:1", "--pareto", "--timeout", "20"}, environment);
    CHECK(answer.status == exit_done);
    REQUIRE(answer.said["points"].size() == 1);
    CHECK(answer.said["points"][0]["volume"] == 0);
  }
}

}  // namespace
}  // namespace quadrille::cli::crossed
