#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/progress.h"
#include "cli/report_text.h"
#include "cli/run.h"
#include "model/verdict.h"
#include "tests/cli/memory_outside.h"

namespace quadrille::cli {
namespace {

int run_command(std::vector<std::string> arguments, MemoryOutside& outside) { return run(arguments, outside); }

const std::string good =
    "fabric fat_tree(levels: 2)\n"
    "collective broadcast(root: 0)\n"
    "at 1: send 0 -> all\n"
    "claim steps == 4\n";

const std::string colliding =
    "fabric fat_tree(levels: 2)\n"
    "collective total_exchange\n"
    "for k in processors, d in 1..3:\n"
    "  at d: send k -> k xor d\n";

TEST_CASE("check gives the status of the verdict, and each property its line") {
  MemoryOutside outside;
  outside.files = {{"good.qd", good}, {"colliding.qd", colliding}};
  CHECK(run_command({"check", "good.qd"}, outside) == exit_done);
  CHECK(outside.output.find("\n  contention_free  holds\n") != std::string::npos);
  CHECK(outside.output.ends_with("verdict     holds\n"));
  CHECK(outside.errors.empty());
  outside.output.clear();
  CHECK(run_command({"check", "colliding.qd"}, outside) == exit_violated);
  CHECK(outside.output.starts_with("colliding.qd:4:9: violation: contention_free: "));
  CHECK(outside.output.find("\n        ^~~~~~~~~~~~~~~~~\n  with k = 1, d = 2\n") != std::string::npos);
}

TEST_CASE("check --json prints one object with what machines need") {
  MemoryOutside outside;
  outside.files = {{"colliding.qd", colliding}};
  CHECK(run_command({"check", "colliding.qd", "--json"}, outside) == exit_violated);
  const auto report = nlohmann::json::parse(outside.output);
  CHECK(report["verdict"] == "violated");
  CHECK(report["steps"] == 6);
  CHECK(report["lower_bound"] == 7);
  CHECK(report["messages"] == 12);
  CHECK(report["rows"] == 40);
  CHECK(report["max_queue"] == 0);
  const auto& violation = report["violations"][0];
  CHECK(violation["property"] == "contention_free");
  CHECK(violation["step"] == 3);
  CHECK(violation["channel"] == "1.0->2.0");
  CHECK(violation["source"]["file"] == "colliding.qd");
  CHECK(violation["source"]["line"] == 4);
  CHECK(violation["source"]["column"] == 9);
  CHECK(violation["source"]["variables"] == nlohmann::json{{"k", 1}, {"d", 2}});
}

TEST_CASE("certify finds the proof beside the certificate, and may be interrupted") {
  MemoryOutside outside;
  outside.files = {{"sub/certificate.txt",
                    "quadrille certificate 1\nfabric line:2\ncollective scatter:parts=3\nsteps 2\ninject many\n"
                    "evidence proof p/proof.drat\n"},
                   {"sub/p/proof.drat", "-1 0\n0\n"}};
  CHECK(run_command({"certify", "sub/certificate.txt"}, outside) == exit_done);
  CHECK(outside.output.ends_with("verdict      accepted\n"));
  outside.output.clear();
  outside.interrupt = true;
  CHECK(run_command({"certify", "sub/certificate.txt"}, outside) == exit_unknown);
  CHECK(outside.output.ends_with("because      cancelled\nverdict      unknown\n"));
  outside.files.erase("sub/p/proof.drat");
  CHECK(run_command({"certify", "sub/certificate.txt"}, outside) == exit_bad_input);
  CHECK(outside.errors == "error: cannot read sub/p/proof.drat\n");
}

TEST_CASE("with --json, bad input still goes to standard error") {
  MemoryOutside outside;
  CHECK(run_command({"check", "--json", "missing.qd"}, outside) == exit_bad_input);
  CHECK(outside.output.empty());
  CHECK(outside.errors == "error: cannot read missing.qd\n");
}

TEST_CASE("a compiled table is checked like its schedule") {
  MemoryOutside outside;
  outside.files = {{"good.qd", good}};
  for (const std::string format : {"csv", "json", "binary"}) {
    CAPTURE(format);
    CHECK(run_command({"compile", "good.qd", "-o", "table", "--format", format}, outside) == exit_done);
    outside.output.clear();
    CHECK(run_command({"check", "table"}, outside) == exit_done);
    CHECK(run_command({"replay", "table"}, outside) == exit_done);
    CHECK(outside.output.find("fat_tree:levels=2,capacity=constant") != std::string::npos);
  }
  CHECK(outside.errors.empty());
}

TEST_CASE("a full disk leaves the old file") {
  MemoryOutside outside;
  outside.files = {{"good.qd", good}, {"table", "old"}};
  outside.room = 10;
  CHECK(run_command({"compile", "good.qd", "-o", "table"}, outside) == exit_bad_input);
  CHECK(outside.files["table"] == "old");
  CHECK(outside.errors == "error: cannot write table: No space left on device\n");
}

TEST_CASE("standard input is a schedule or a table, by its first line") {
  MemoryOutside outside;
  outside.input = good;
  CHECK(run_command({"compile", "-"}, outside) == exit_done);
  outside.input = std::exchange(outside.output, "");
  CHECK(outside.input.starts_with("# quadrille-table 1\n"));
  CHECK(run_command({"check", "-"}, outside) == exit_done);
}

TEST_CASE("a claim that fails on another fabric is told apart from the table") {
  MemoryOutside outside;
  outside.files = {{"good.qd", good}};
  CHECK(run_command({"check", "good.qd", "--on", "star:4"}, outside) == exit_violated);
  CHECK(outside.output.find("\n  claims           violated") != std::string::npos);
  CHECK(outside.output.ends_with("verdict     table holds, claims violated\n"));
  outside.output.clear();
  CHECK(run_command({"check", "good.qd", "--on", "star:4", "--json"}, outside) == exit_violated);
  auto report = nlohmann::json::parse(outside.output);
  CHECK(report["verdict"] == "violated");
  CHECK(report["table_verdict"] == "holds");
  CHECK(report["claims_verdict"] == "violated");
  outside.output.clear();
  CHECK(run_command({"check", "good.qd", "--on", "star:4", "--no-claims"}, outside) == exit_done);
  CHECK(outside.output.find("\n  claims           not judged\n") != std::string::npos);
  CHECK(outside.output.ends_with("verdict     holds\n"));
  outside.output.clear();
  CHECK(run_command({"check", "good.qd", "--on", "star:4", "--no-claims", "--json"}, outside) == exit_done);
  report = nlohmann::json::parse(outside.output);
  CHECK(report["verdict"] == "holds");
  CHECK(report["claims_verdict"].is_null());
}

TEST_CASE("a table that is wrong itself is violated, whatever its claims") {
  MemoryOutside outside;
  outside.files = {{"colliding.qd", colliding + "claim steps == 1\n"}};
  CHECK(run_command({"check", "colliding.qd"}, outside) == exit_violated);
  CHECK(outside.output.ends_with("verdict     violated\n"));
}

const std::string path_graph = R"({"processors": 3, "links": [[0, 1], [1, 2]]})";

TEST_CASE("a search whose answer the language cannot name is refused before it begins") {
  MemoryOutside outside;
  outside.files = {{"path.json", path_graph}};
  CHECK(run_command({"search", "--collective", "allgather", "--on", "graph:path.json", "--schedule", "found.qd"},
                    outside) == exit_bad_input);
  CHECK(outside.output.empty());
  CHECK(outside.errors ==
        "error: --schedule: the language has no name for this fabric; -o writes the table as it is\n");
}

TEST_CASE("a search that cannot write its files prints its answer all the same") {
  MemoryOutside outside;
  outside.room = 100;
  CHECK(run_command({"search", "--collective", "allgather", "--on", "ring:4", "-o", "table.csv"}, outside) ==
        exit_bad_input);
  CHECK(outside.output.find("steps       2: ") != std::string::npos);
  CHECK(outside.output.ends_with("verdict     optimal\n"));
  CHECK(outside.errors == "error: cannot write table.csv: No space left on device\n");
}

TEST_CASE("a search that found a schedule has answered if a number of steps was asked for") {
  MemoryOutside outside;
  const std::vector<std::string> shortest{"search",   "--collective", "total_exchange", "--on",
                                          "mesh:3x3", "--memory",     "0.001"};
  CHECK(run_command(shortest, outside) == exit_unknown);
  CHECK(outside.output.find("verdict     found") != std::string::npos);
  outside.output.clear();
  std::vector<std::string> some = shortest;
  some.insert(some.end(), {"--steps", "60"});
  CHECK(run_command(some, outside) == exit_done);
}

TEST_CASE("where no number of steps is enough, JSON says null") {
  MemoryOutside outside;
  outside.files = {{"apart.json", R"({"processors": 3, "links": [[0, 1]]})"}};
  for (const std::string command : {"bounds", "search"}) {
    CAPTURE(command);
    run_command({command, "--collective", "allgather", "--on", "graph:apart.json", "--json"}, outside);
    const auto report = nlohmann::json::parse(outside.output);
    CHECK(report["lower_bound"].is_null());
    CHECK(report["bounds"][0][command == "bounds" ? "steps" : "value"].is_null());
    CHECK(outside.output.find("2147483648") == std::string::npos);
    outside.output.clear();
  }
}

TEST_CASE("fmt rewrites what differs and nothing else") {
  MemoryOutside outside;
  outside.files = {{"loose.qd", "fabric ring( 4 )\ncollective allgather\n"}, {"bad.qd", "fabric ring("}};
  CHECK(run_command({"fmt", "--check", "loose.qd"}, outside) == exit_violated);
  CHECK(outside.output == "loose.qd\n");
  CHECK(run_command({"fmt", "bad.qd", "loose.qd"}, outside) == exit_bad_input);
  CHECK(outside.files["loose.qd"] == "fabric ring(4)\ncollective allgather\n");
  CHECK(outside.files["bad.qd"] == "fabric ring(");
  CHECK(run_command({"fmt", "--check", "loose.qd"}, outside) == exit_done);
}

TEST_CASE("help and version go to standard output, mistakes to standard error") {
  MemoryOutside outside;
  CHECK(run_command({"check", "--help"}, outside) == exit_done);
  CHECK(outside.output.find("Exit status: 0 holds, proved, optimal, accepted or done") != std::string::npos);
  CHECK(run_command({"--version"}, outside) == exit_done);
  CHECK(outside.errors.empty());
  CHECK(run_command({}, outside) == exit_bad_input);
  CHECK(run_command({"chek"}, outside) == exit_bad_input);
  CHECK(outside.errors.find("did you mean 'check'?") != std::string::npos);
}

TEST_CASE("progress appears after a second, on a terminal only, and is erased") {
  MemoryOutside outside;
  outside.tick = std::chrono::milliseconds(600);
  outside.terminal = true;
  {
    Progress progress(outside, StepId{40});
    const auto report = progress.reporter();
    report(StepId{1}, 1'000'000);
    CHECK(outside.errors.empty());
    report(StepId{2}, 2'400'000);
    CHECK(outside.errors == "\r\x1b[Kstep 2 of 40, 2.4 million rows, 2.0 million rows/s");
  }
  CHECK(outside.errors.ends_with("rows/s\r\x1b[K"));
  outside.terminal = false;
  CHECK_FALSE(Progress(outside, std::nullopt).reporter());
}

TEST_CASE("the chart shows the least traffic, and fills a block only when full") {
  const std::vector<std::uint64_t> values{0, 1, 99, 100, 50};
  CHECK(chart(values, 100) == " ▁▇█▄");
  CHECK(percentage(1, 8) == "12.5%");
  CHECK(percentage(1, 0) == "-");
}

}  // namespace
}  // namespace quadrille::cli
