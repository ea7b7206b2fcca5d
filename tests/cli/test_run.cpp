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
  CHECK(outside.output.find("Exit status: 0 holds, proved, found or done") != std::string::npos);
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
