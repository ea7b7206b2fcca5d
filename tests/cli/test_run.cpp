#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/progress.h"
#include "cli/render/report_text.h"
#include "cli/run.h"
#include "model/verdict.h"
#include "tests/driver/memory_environment.h"

namespace quadrille::cli {
namespace {

int run_command(std::vector<std::string> arguments, driver::MemoryEnvironment& environment) {
  return run(arguments, environment);
}

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
  driver::MemoryEnvironment environment;
  environment.files = {{"good.qd", good}, {"colliding.qd", colliding}};
  CHECK(run_command({"check", "good.qd"}, environment) == exit_done);
  CHECK(environment.output.find("\n  contention_free  holds\n") != std::string::npos);
  CHECK(environment.output.ends_with("verdict     holds\n"));
  CHECK(environment.errors.empty());
  environment.output.clear();
  CHECK(run_command({"check", "colliding.qd"}, environment) == exit_violated);
  CHECK(environment.output.starts_with("colliding.qd:4:9: violation: contention_free, capacity: "));
  CHECK(environment.output.find("\n        ^~~~~~~~~~~~~~~~~\n  with k = 1, d = 2\n") != std::string::npos);
}

TEST_CASE("check --json prints one object with what machines need") {
  driver::MemoryEnvironment environment;
  environment.files = {{"colliding.qd", colliding}};
  CHECK(run_command({"check", "colliding.qd", "--json"}, environment) == exit_violated);
  const auto report = nlohmann::json::parse(environment.output);
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
  driver::MemoryEnvironment environment;
  environment.files = {{"sub/certificate.txt",
                        "quadrille certificate 1\nfabric line:2\ncollective scatter:parts=3\nsteps 2\ninject many\n"
                        "evidence proof p/proof.drat\n"},
                       {"sub/p/proof.drat", "-1 0\n0\n"}};
  CHECK(run_command({"certify", "sub/certificate.txt"}, environment) == exit_done);
  CHECK(environment.output.ends_with("verdict      accepted\n"));
  environment.files.erase("sub/p/proof.drat");
  CHECK(run_command({"certify", "sub/certificate.txt"}, environment) == exit_bad_input);
  CHECK(environment.errors == "error: cannot read sub/p/proof.drat: No such file or directory\n");
  environment.errors.clear();
  environment.interrupt = true;
  CHECK(run_command({"certify", "sub/certificate.txt"}, environment) == exit_unknown);
  CHECK(environment.errors == "error: the reading was cancelled\n");
}

TEST_CASE("with --json, bad input is one object on standard output, and still said on standard error") {
  driver::MemoryEnvironment environment;
  environment.files = {{"bad.qd", "fabric ring(4)\ncollective allgathr\n"}};
  CHECK(run_command({"check", "--json", "bad.qd"}, environment) == exit_bad_input);
  auto json = nlohmann::json::parse(environment.output);
  CHECK(json["status"] == 2);
  REQUIRE(json["error"].size() == 1);
  CHECK(json["error"][0]["file"] == "bad.qd");
  CHECK(json["error"][0]["line"] == 2);
  CHECK(json["error"][0]["column"] == 12);
  CHECK(json["error"][0]["message"].get<std::string>().starts_with("unknown collective"));
  CHECK(json["error"][0]["notes"].empty());
  CHECK(environment.errors.starts_with("bad.qd:2:12: error: unknown collective"));
  environment.output.clear();
  CHECK(run_command({"check", "--json", "missing.qd"}, environment) == exit_bad_input);
  json = nlohmann::json::parse(environment.output);
  CHECK(json["error"][0]["file"].is_null());
  CHECK(json["error"][0]["message"] == "cannot read missing.qd: No such file or directory");
  environment.output.clear();
  CHECK(run_command({"search", "--json", "--steps", "0"}, environment) == exit_bad_input);
  json = nlohmann::json::parse(environment.output);
  CHECK(json["error"][0]["message"] == "--steps: 0 is not a number, 1 to 2147483647");
}

TEST_CASE("a compiled table is checked like its schedule") {
  driver::MemoryEnvironment environment;
  environment.files = {{"good.qd", good}};
  for (const std::string format : {"csv", "json", "binary"}) {
    CAPTURE(format);
    CHECK(run_command({"compile", "good.qd", "-o", "table", "--format", format}, environment) == exit_done);
    environment.output.clear();
    CHECK(run_command({"check", "table"}, environment) == exit_done);
    CHECK(run_command({"replay", "table"}, environment) == exit_done);
    CHECK(environment.output.find("fat_tree:levels=2,capacity=constant") != std::string::npos);
  }
  CHECK(environment.errors.empty());
}

TEST_CASE("a full disk leaves the old file") {
  driver::MemoryEnvironment environment;
  environment.files = {{"good.qd", good}, {"table", "old"}};
  environment.room = 10;
  CHECK(run_command({"compile", "good.qd", "-o", "table"}, environment) == exit_bad_input);
  CHECK(environment.files["table"] == "old");
  CHECK(environment.errors == "error: cannot write table: No space left on device\n");
}

TEST_CASE("standard input is a schedule or a table, by its first line") {
  driver::MemoryEnvironment environment;
  environment.input = good;
  CHECK(run_command({"compile", "-"}, environment) == exit_done);
  environment.input = std::exchange(environment.output, "");
  CHECK(environment.input.starts_with("# quadrille-table 1\n"));
  CHECK(run_command({"check", "-"}, environment) == exit_done);
}

TEST_CASE("a claim that fails on another fabric is told apart from the table") {
  driver::MemoryEnvironment environment;
  environment.files = {{"good.qd", good}};
  CHECK(run_command({"check", "good.qd", "--on", "star:4"}, environment) == exit_violated);
  CHECK(environment.output.find("\n  claims           violated") != std::string::npos);
  CHECK(environment.output.ends_with("verdict     table holds, claims violated\n"));
  environment.output.clear();
  CHECK(run_command({"check", "good.qd", "--on", "star:4", "--json"}, environment) == exit_violated);
  auto report = nlohmann::json::parse(environment.output);
  CHECK(report["verdict"] == "violated");
  CHECK(report["table_verdict"] == "holds");
  CHECK(report["claims_verdict"] == "violated");
  environment.output.clear();
  CHECK(run_command({"check", "good.qd", "--on", "star:4", "--no-claims"}, environment) == exit_done);
  CHECK(environment.output.find("\n  claims           not judged\n") != std::string::npos);
  CHECK(environment.output.ends_with("verdict     holds\n"));
  environment.output.clear();
  CHECK(run_command({"check", "good.qd", "--on", "star:4", "--no-claims", "--json"}, environment) == exit_done);
  report = nlohmann::json::parse(environment.output);
  CHECK(report["verdict"] == "holds");
  CHECK(report["claims_verdict"].is_null());
}

TEST_CASE("a table that is wrong itself is violated, whatever its claims") {
  driver::MemoryEnvironment environment;
  environment.files = {{"colliding.qd", colliding + "claim steps == 1\n"}};
  CHECK(run_command({"check", "colliding.qd"}, environment) == exit_violated);
  CHECK(environment.output.ends_with("verdict     violated\n"));
}

const std::string path_graph = R"({"processors": 3, "links": [[0, 1], [1, 2]]})";

TEST_CASE("a search on a graph declares it in the schedule") {
  driver::MemoryEnvironment environment;
  environment.files = {{"path.json", path_graph}};
  CHECK(run_command({"search", "--collective", "allgather", "--on", "graph:path.json", "--schedule", "found.qd"},
                    environment) == exit_done);
  CHECK(environment.errors.empty());
  CHECK(environment.files["found.qd"].find("fabric cluster:\n  processors 3\n  link 0 -- 1\n  link 1 -- 2\n") !=
        std::string::npos);
  CHECK(run_command({"check", "found.qd"}, environment) == exit_done);
}

TEST_CASE("a search that cannot write its files prints its answer all the same") {
  driver::MemoryEnvironment environment;
  environment.room = 100;
  CHECK(run_command({"search", "--collective", "allgather", "--on", "ring:4", "-o", "table.csv"}, environment) ==
        exit_bad_input);
  CHECK(environment.output.find("steps       2: ") != std::string::npos);
  CHECK(environment.output.ends_with("verdict     optimal\n"));
  CHECK(environment.errors == "error: cannot write table.csv: No space left on device\n");
}

TEST_CASE("a search that found a schedule has answered if a number of steps was asked for") {
  driver::MemoryEnvironment environment;
  const std::vector<std::string> shortest{"search",           "--collective", "total_exchange", "--on",
                                          "mesh:3x3,queue=9", "--memory",     "0.001"};
  CHECK(run_command(shortest, environment) == exit_unknown);
  CHECK(environment.output.find("verdict     found") != std::string::npos);
  environment.output.clear();
  std::vector<std::string> some = shortest;
  some.insert(some.end(), {"--steps", "60"});
  CHECK(run_command(some, environment) == exit_done);
}

TEST_CASE("where no number of steps is enough, JSON says null") {
  driver::MemoryEnvironment environment;
  environment.files = {{"apart.json", R"({"processors": 3, "links": [[0, 1]]})"}};
  for (const std::string command : {"bounds", "search"}) {
    CAPTURE(command);
    run_command({command, "--collective", "allgather", "--on", "graph:apart.json", "--json"}, environment);
    const auto report = nlohmann::json::parse(environment.output);
    CHECK(report["lower_bound"].is_null());
    CHECK(report["bounds"][0][command == "bounds" ? "steps" : "value"].is_null());
    CHECK(environment.output.find("2147483648") == std::string::npos);
    environment.output.clear();
  }
}

TEST_CASE("fmt rewrites what differs and nothing else") {
  driver::MemoryEnvironment environment;
  environment.files = {{"loose.qd", "fabric ring( 4 )\ncollective allgather\n"}, {"bad.qd", "fabric ring("}};
  CHECK(run_command({"fmt", "--check", "loose.qd"}, environment) == exit_violated);
  CHECK(environment.output == "loose.qd\n");
  CHECK(run_command({"fmt", "bad.qd", "loose.qd"}, environment) == exit_bad_input);
  CHECK(environment.files["loose.qd"] == "fabric ring(4)\ncollective allgather\n");
  CHECK(environment.files["bad.qd"] == "fabric ring(");
  CHECK(run_command({"fmt", "--check", "loose.qd"}, environment) == exit_done);
}

TEST_CASE("help and version go to standard output, mistakes to standard error") {
  driver::MemoryEnvironment environment;
  CHECK(run_command({"check", "--help"}, environment) == exit_done);
  CHECK(environment.output.find("Exit status: 0 holds, proved, optimal, accepted or done") != std::string::npos);
  CHECK(run_command({"--version"}, environment) == exit_done);
  CHECK(environment.errors.empty());
  CHECK(run_command({}, environment) == exit_bad_input);
  CHECK(run_command({"chek"}, environment) == exit_bad_input);
  CHECK(environment.errors.find("did you mean 'check'?") != std::string::npos);
}

TEST_CASE("progress appears after a second, on a terminal only, and is erased") {
  driver::MemoryEnvironment environment;
  environment.tick = std::chrono::milliseconds(600);
  environment.terminal = true;
  {
    ProgressLine line(environment);
    const auto report = line.reporter();
    report({.stage = "checking", .done = 1, .of = 40, .unit = "steps", .rows = 1'000'000});
    CHECK(environment.errors.empty());
    report({.stage = "checking", .done = 2, .of = 40, .unit = "steps", .rows = 2'400'000});
    CHECK(environment.errors == "\r\x1b[Kchecking: 2 of 40 steps, 2.4 million rows, 2.0 million rows/s");
  }
  CHECK(environment.errors.ends_with("rows/s\r\x1b[K"));
  environment.terminal = false;
  CHECK_FALSE(ProgressLine(environment).reporter());
}

TEST_CASE("the last report stays on the terminal while nothing more is reported") {
  driver::MemoryEnvironment environment;
  environment.tick = std::chrono::milliseconds(600);
  environment.terminal = true;
  ProgressLine line(environment);
  const auto report = line.reporter();
  REQUIRE(environment.on_tick);
  environment.on_tick();  // nothing has been reported yet
  environment.on_tick();
  CHECK(environment.errors.empty());
  report({.stage = "retiming", .done = std::nullopt});
  CHECK(environment.errors.empty());
  environment.on_tick();
  environment.on_tick();
  CHECK(environment.errors == "\r\x1b[Kretiming, 1 s\r\x1b[Kretiming, 2 s");
  environment.errors.clear();
  report({.stage = "", .done = std::nullopt});
  environment.on_tick();
  CHECK(environment.errors == "\r\x1b[K");
  line.erase();
  CHECK_FALSE(environment.on_tick);
  CHECK(environment.errors == "\r\x1b[K");
}

// What a command shows where every look at the clock is a second later than the one before.
std::string shown_by(const std::vector<std::string>& arguments) {
  driver::MemoryEnvironment environment;
  environment.files = {{"good.qd", good}};
  environment.terminal = true;
  environment.variables = {{"NO_COLOR", "1"}};
  environment.tick = std::chrono::seconds(1);
  CHECK(run_command(arguments, environment) == exit_done);
  // Nothing of the line stays; a comparison's rows do.
  CHECK((environment.errors.ends_with("\r\x1b[K") || environment.errors.ends_with("\n")));
  return environment.errors;
}

TEST_CASE("rows a second are those of their stage") {
  driver::MemoryEnvironment environment;
  environment.tick = std::chrono::seconds(1);
  environment.terminal = true;
  ProgressLine line(environment);
  const auto report = line.reporter();
  for (int i = 0; i < 9; ++i) report({.stage = "retiming", .done = std::nullopt});
  report({.stage = "checking", .done = 1, .unit = "steps", .rows = 0});
  report({.stage = "checking", .done = 2, .unit = "steps", .rows = 4'000'000});
  CHECK(environment.errors.ends_with("checking: 2 steps, 4.0 million rows, 4.0 million rows/s"));
}

TEST_CASE("every command that may take long shows what it does") {
  const auto shows = [](const std::vector<std::string>& arguments, const std::string& stage) {
    CAPTURE(arguments.front());
    return shown_by(arguments).find(stage) != std::string::npos;
  };
  CHECK(shows({"check", "good.qd"}, "compiling"));
  CHECK(shows({"check", "good.qd", "--retime"}, "retiming"));
  CHECK(shows({"check", "good.qd"}, "looking for lower bounds"));
  CHECK(shows({"replay", "good.qd"}, "looking for lower bounds"));
  CHECK(shows({"compile", "good.qd", "-o", "table.csv"}, "writing: "));
  CHECK(shows({"bounds", "--collective", "allgather", "--on", "ring:4"}, "looking for lower bounds"));
  CHECK(shows({"compare", "--collective", "allgather", "--on", "ring:4"}, "trying allgather_ring: "));
  CHECK(shows({"compare", "--collective", "allgather", "--on", "ring:4"},
              "\r\x1b[Kallgather_ring N=4: 3 rounds, 3 steps\n"));
}

TEST_CASE("a table that runs over the terminal is not mixed with the progress") {
  driver::MemoryEnvironment environment;
  environment.files = {{"good.qd", good}};
  environment.terminal = true;
  environment.tick = std::chrono::seconds(1);
  CHECK(run_command({"compile", "good.qd"}, environment) == exit_done);
  CHECK(environment.errors.find("writing") == std::string::npos);
}

TEST_CASE("verdicts, claims and errors have colours on a terminal, and where they are asked for") {
  driver::MemoryEnvironment environment;
  environment.files = {{"good.qd", good}, {"colliding.qd", colliding}, {"bad.qd", "fabric ring(4)\nsend 0 to 1\n"}};
  const auto output = [&](const std::vector<std::string>& arguments) {
    environment.output.clear();
    environment.errors.clear();
    run_command(arguments, environment);
    return environment.output + environment.errors;
  };
  const std::string plain = output({"check", "good.qd"});
  CHECK(plain.find('\x1b') == plain.npos);
  const std::string asked = output({"check", "good.qd", "--color", "always"});
  CHECK(asked.find("  capacity         \x1b[1m\x1b[32mholds\x1b[0m\n") != asked.npos);
  CHECK(asked.find("    \x1b[1m\x1b[32msteps == 4\x1b[0m\n") != asked.npos);
  CHECK(asked.ends_with("verdict     \x1b[1m\x1b[32mholds\x1b[0m\n"));
  environment.terminal = true;
  CHECK(output({"check", "good.qd"}) == asked);
  CHECK(output({"check", "good.qd", "--color=never"}) == plain);
  const std::string wrong = output({"check", "bad.qd"});
  CHECK(wrong.find("\x1b[1mbad.qd:2:8: \x1b[0m\x1b[1m\x1b[31merror\x1b[0m\x1b[1m: ") == 0);
  CHECK(wrong.find("\n       \x1b[1m\x1b[31m^~\x1b[0m\n") != wrong.npos);
  const std::string collisions = output({"check", "colliding.qd"});
  CHECK(collisions.find("\x1b[31mviolation\x1b[0m") != collisions.npos);
  CHECK(output({"check", "good.qd", "--json"}).find('\x1b') == plain.npos);
  environment.variables = {{"NO_COLOR", "1"}};
  CHECK(output({"check", "good.qd"}) == plain);
  environment.variables = {{"NO_COLOR", ""}, {"TERM", "dumb"}};
  CHECK(output({"check", "good.qd"}) == plain);
  environment.variables.clear();
  CHECK(output({"chek"}).starts_with("\x1b[1m\x1b[31merror\x1b[0m: there is no command"));
}

TEST_CASE("the chart shows the least traffic, and fills a block only when full") {
  const std::vector<std::uint64_t> values{0, 1, 99, 100, 50};
  CHECK(chart(values, 100) == " ▁▇█▄");
  CHECK(percentage(1, 8) == "12.5%");
  CHECK(percentage(1, 0) == "-");
}

TEST_CASE("a command is told as a shell takes it") {
  CHECK(command_text("check", {"exchange.qd", {"L=4", "capacity=constant"}}) ==
        "quadrille check exchange.qd -D L=4 -D capacity=constant");
  CHECK(command_text("replay", {"it's.qd", {"sources={0,3}"}, "fat_tree:levels=2", {"0->1"}, true}) ==
        "quadrille replay 'it'\\''s.qd' -D 'sources={0,3}' --on fat_tree:levels=2 --without '0->1' --retime");
}

}  // namespace
}  // namespace quadrille::cli
