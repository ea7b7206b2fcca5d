#include <doctest/doctest.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stop_token>
#include <string>
#include <vector>

#include "cli/run.h"
#include "dsl/load.h"
#include "model/verdict.h"
#include "tests/driver/memory_environment.h"

namespace quadrille::cli {
namespace {

const std::string rightly_claimed =
    "param L in 1..20\n"
    "fabric fat_tree(levels: L)\n"
    "collective broadcast(root: 0)\n"
    "at 1: send 0 -> all\n"
    "claim steps == 2*L\n";

const std::string late =
    "param L in 1..20\n"
    "fabric fat_tree(levels: L)\n"
    "collective broadcast(root: 0)\n"
    "at 1: send 0 -> all\n"
    "claim steps == 2\n";

int prove_command(std::vector<std::string> arguments, driver::MemoryEnvironment& environment) {
  return run(arguments, environment);
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_CASE("prove gives the status of its verdict") {
  driver::MemoryEnvironment environment;
  environment.files = {{"good.qd", rightly_claimed}, {"late.qd", late}};
  CHECK(prove_command({"prove", "good.qd"}, environment) == exit_done);
  CHECK(contains(environment.output, "\nproved for  L in 1..20\n"));
  CHECK(
      environment.output.ends_with("verdict     proved\ntheorem     good is a correct broadcast(root: 0) on a binary "
                                   "fat tree of L levels, for every L in "
                                   "1..20, in 2*L steps\n"));
  environment.output.clear();
  CHECK(prove_command({"prove", "late.qd"}, environment) == exit_violated);
  CHECK(environment.output.starts_with("late.qd:5:7: refuted: claims: steps == 2"));
  CHECK(contains(environment.output, "\n  with L = 2\n"));
  CHECK(contains(environment.output, "note: the checker finds at this size: claims: "));
  CHECK_FALSE(contains(environment.output, "proved for"));
}

// Someone presses Ctrl-C when so many pieces of the output have been sent off.
class PressedAfter final : public driver::MemoryEnvironment {
 public:
  explicit PressedAfter(std::size_t pieces) : pieces_(pieces) {
    if (pieces_ == 0) source_.request_stop();
  }

  std::stop_token interrupts() override { return source_.get_token(); }
  bool flush() override {
    sent.push_back(output);
    if (sent.size() == pieces_) source_.request_stop();
    return true;
  }
  bool print(std::string_view text) override {
    output += text;
    return true;
  }

  std::vector<std::string> sent;  // what was there at each piece

 private:
  std::size_t pieces_;
  std::stop_source source_;
};

TEST_CASE("of all that ships each proof is printed as it comes, and how many were done at the end") {
  const std::size_t schedules = shipped_schedules().size();
  PressedAfter text(1);
  CHECK(prove_command({"prove", "--all-shipped"}, text) == exit_unknown);
  REQUIRE(text.sent.size() == 1);
  CHECK(text.sent[0].starts_with("allgather_bruck  "));
  CHECK(text.sent[0].ends_with("\n"));
  CHECK(text.output == text.sent[0] + fmt::format("\nschedules   1 of {}: 1 proved, 0 refuted, 0 unknown\n"
                                                  "            interrupted before all were tried\n",
                                                  schedules));
}

TEST_CASE("as JSON, too: one document, which is closed where it is interrupted") {
  const std::size_t schedules = shipped_schedules().size();
  for (const std::size_t pieces : {0, 1}) {
    CAPTURE(pieces);
    PressedAfter environment(pieces);
    CHECK(prove_command({"prove", "--all-shipped", "--json"}, environment) == exit_unknown);
    CHECK(environment.sent.size() == pieces);
    for (const std::string& sent : environment.sent) {
      CHECK(environment.output.starts_with(sent));
      CHECK(nlohmann::json::accept(sent + "]}"));
    }
    const auto json = nlohmann::json::parse(environment.output);
    CHECK(json["schedules"].size() == pieces);
    CHECK(json["tried"] == pieces);
    CHECK(json["of"] == schedules);
    CHECK(json["proved"] == pieces);
    CHECK(json["unknown"] == 0);
    CHECK(json["reason"] == "cancelled");
  }
}

// Beyond the prover, and wrong on four processors.
const std::string flooded =
    "param L in 1..20\n"
    "fabric fat_tree(levels: L)\n"
    "collective multinode_broadcast\n"
    "by fifo: for k in processors: send k -> all\n"
    "claim steps == 3\n";

TEST_CASE("what only the checker refutes has the status of a refutation, and the place that it finds") {
  driver::MemoryEnvironment environment;
  environment.files = {{"flooded.qd", flooded}};
  CHECK(prove_command({"prove", "flooded.qd", "-D", "L=2"}, environment) == exit_violated);
  CHECK(environment.output.starts_with(
      "flooded.qd:3:12: refuted: by the checker alone: the schedule is wrong with L = 2\n"));
  CHECK(contains(environment.output, "flooded.qd:5:7: note: the checker finds at this size: claims: "));
  CHECK(contains(environment.output, "\n  to see it: `quadrille check flooded.qd -D L=2`\n"));
  CHECK(contains(environment.output, "verdict     refuted\n"));
  environment.output.clear();
  CHECK(prove_command({"prove", "flooded.qd", "-D", "L=2", "--json"}, environment) == exit_violated);
  const auto json = nlohmann::json::parse(environment.output);
  CHECK(json["verdict"] == "refuted");
  CHECK(json["properties"]["claims"] == "unknown");
  CHECK_FALSE(json["beyond"].is_null());
  REQUIRE(json["obligations"].size() == 1);
  const auto& found = json["obligations"][0];
  CHECK(found["property"] == "small_sizes");
  CHECK(found["verdict"] == "refuted");
  CHECK(found["counterexample"]["confirmed"] == true);
  CHECK(found["counterexample"]["arguments"]["L"] == "2");
  CHECK(found["counterexample"]["violation"].get<std::string>().starts_with("claims: "));
  CHECK(found["counterexample"]["command"] == "quadrille check flooded.qd -D L=2");
}

TEST_CASE("what is interrupted is unknown, and nothing is said to be proved for a range") {
  driver::MemoryEnvironment environment;
  environment.files = {{"good.qd", rightly_claimed}};
  environment.interrupt = true;
  CHECK(prove_command({"prove", "good.qd"}, environment) == exit_unknown);
  CHECK(contains(environment.output, "verdict     unknown\n"));
  CHECK_FALSE(contains(environment.output, "proved for"));
  environment.output.clear();
  CHECK(prove_command({"prove", "good.qd", "--json"}, environment) == exit_unknown);
  const auto json = nlohmann::json::parse(environment.output);
  CHECK(json["verdict"] == "unknown");
  CHECK(json["range"].is_null());
  environment.output.clear();
  CHECK(prove_command({"prove", "good.qd", "--sizes", "1..3"}, environment) == exit_unknown);
  CHECK(contains(environment.output, "checked     0 sizes"));
  CHECK(contains(environment.output, "\n            interrupted before all sizes were checked\n"));
}

TEST_CASE("sizes are checked, not proved; all together have their time") {
  driver::MemoryEnvironment environment;
  environment.files = {{"good.qd", rightly_claimed}};
  CHECK(prove_command({"prove", "good.qd", "--sizes", "1..3"}, environment) == exit_done);
  CHECK(contains(environment.output, "3 hold, 0 violated, 0 unknown; this is no proof for others\n"));
  environment.output.clear();
  environment.tick = std::chrono::milliseconds(1);  // the clock begins long ago: the time is over
  CHECK(prove_command({"prove", "good.qd", "--sizes", "3..3", "--timeout", "60"}, environment) == exit_unknown);
  CHECK(contains(environment.output, "\n            out of time before all sizes were checked\n"));
}

TEST_CASE("what the solver is asked is written in words and in SMT-LIB") {
  driver::MemoryEnvironment environment;
  environment.files = {{"late.qd", late}, {"file", ""}};
  CHECK(prove_command({"prove", "late.qd", "--emit-smt2", "asked"}, environment) == exit_violated);
  CHECK(environment.folders.contains("asked"));
  std::size_t refuted = 0;
  std::size_t asked = 0;
  for (const auto& [path, text] : environment.files) {
    if (!path.starts_with("asked/")) continue;
    ++asked;
    CHECK(path.ends_with(".smt2"));
    CHECK(text.starts_with("; late, binary fat tree of L levels\n; L: 1..20\n; "));
    CHECK(contains(text, "\n(set-logic QF_"));
    CHECK(text.ends_with("(check-sat)\n"));
    if (contains(text, "Z3 answered sat: it is refuted.")) ++refuted;
  }
  CHECK(asked > 2);
  CHECK(refuted == 1);
  CHECK(prove_command({"prove", "late.qd", "--emit-smt2", "file"}, environment) == exit_bad_input);
  CHECK(environment.errors == "error: cannot make the folder file: Not a directory\n");
  environment.errors.clear();
  environment.room = 100;
  CHECK(prove_command({"prove", "late.qd", "--emit-smt2", "asked"}, environment) == exit_bad_input);
  CHECK(contains(environment.errors, ".smt2: No space left on device\n"));
}

}  // namespace
}  // namespace quadrille::cli
