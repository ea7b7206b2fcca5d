// Commands that are interrupted, at any of their reports of progress, or whose time runs out: what is known so far is
// printed, with the reason, and the status is that of what is not known.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "cli/run.h"
#include "model/verdict.h"
#include "tests/driver/memory_environment.h"
#include "tests/environment.h"

namespace quadrille::cli {
namespace {

// Files of the program's own and of others' that the commands below are about.
std::map<std::string, std::string> made_files() {
  driver::MemoryEnvironment environment;
  const std::string qd =
      "param L in 1..4\nfabric fat_tree(levels: L)\ncollective broadcast(root: 0)\nat 1: send 0 -> all\n"
      "claim optimal steps\n";
  const std::string goal =
      "num_ranks 2\nrank 0 {\nsend 8b to 1 tag 1\nrecv 8b from 1 tag 2\n}\nrank 1 {\nrecv 8b from 0 tag 1\n"
      "send 8b to 0 tag 2\n}\n";
  environment.files = {{"good.qd", qd}, {"sends.goal", goal}};
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"export", "allgather_ring", "-D", "N=4", "--to", "msccl", "-o", "sends.xml"},
           {"search", "--collective", "allgather", "--on", "ring:4", "--certificate", "short"}}) {
    REQUIRE(run(command, environment) == exit_done);
  }
  return environment.files;
}

const std::map<std::string, std::string>& all_files() {
  static const std::map<std::string, std::string> files = made_files();
  return files;
}

// Someone presses Ctrl-C at a given one of the looks at the clock; the line of progress looks at it for each report.
class Interrupted final : public driver::MemoryEnvironment {
 public:
  explicit Interrupted(std::uint64_t at) : at_(at) {
    terminal = true;
    variables = {{"NO_COLOR", "1"}};
    files = all_files();
  }

  std::stop_token interrupts() override { return source_.get_token(); }
  std::chrono::steady_clock::time_point now() const override {
    if (++looks_ == at_) source_.request_stop();
    return std::chrono::steady_clock::now();
  }
  std::uint64_t looks() const { return looks_; }

 private:
  std::uint64_t at_;
  mutable std::uint64_t looks_ = 0;
  mutable std::stop_source source_;
};

struct Cut {
  std::vector<std::string> arguments;
  bool only_whole = false;  // what it writes is of no use in part, and an error says so
  bool at_once = false;     // it asks no limits, so that nothing of it is ever cut
};

std::vector<Cut> commands() {
  return {{{"check", "good.qd", "-D", "L=3"}},
          {{"check", "allreduce_ring", "-D", "N=6", "--size", "1KiB"}},
          {{"replay", "good.qd", "-D", "L=3"}},
          {{"replay", "allgather_ring", "-D", "N=6", "--size", "1KiB,1MiB", "--show", "buffers"}},
          {{"replay", "--pattern", "bit_reversal", "--on", "hypercube:4", "--seeds", "3"}},
          {{"compare", "--collective", "broadcast:root=0", "--on", "complete:4,ports=single", "--size", "1KiB"}},
          {{"bounds", "--collective", "total_exchange", "--on", "mesh:2x3"}},
          {{"bounds", "--collective", "allgather", "--on", "complete:4,ports=single,timing=rounds"}, false, true},
          {{"search", "--collective", "allgather", "--on", "ring:4"}},
          {{"search", "--collective", "allgather", "--on", "ring:4", "--pareto"}},
          {{"search", "--collective", "allgather", "--on", "complete:3,ports=single,timing=rounds", "--pareto"}},
          {{"search", "--collective", "broadcast:root=0", "--on", "complete:4,ports=single", "--size", "1KiB"}},
          {{"prove", "good.qd"}},
          {{"prove", "good.qd", "--sizes", "1..4"}},
          {{"check", "sends.xml"}},
          {{"check", "sends.goal"}},
          {{"certify", "short/certificate.txt"}},
          {{"export", "allgather_ring", "-D", "N=4", "--to", "msccl"}, true},
          {{"compile", "good.qd", "-D", "L=3", "-o", "out.csv"}, true}};
}

int run_json(std::vector<std::string> arguments, driver::MemoryEnvironment& environment) {
  if (arguments.front() != "export" && arguments.front() != "compile") arguments.emplace_back("--json");
  return run(arguments, environment);
}

// Without the times that differ from run to run.
std::string settled(const std::string& text) {
  auto json = nlohmann::json::parse(text, nullptr, false);
  if (json.is_discarded()) return text;
  json.erase("seconds");
  for (const char* list : {"obligations", "schedules", "history"}) {
    if (!json.contains(list)) continue;
    for (auto& each : json[list]) each.erase("seconds");
  }
  return json.dump();
}

std::string line_of(const Cut& command) {
  std::string line;
  for (const std::string& argument : command.arguments) line += " " + argument;
  return line;
}

// Whether the verdict was known, and said to be all that was: bounds and times beside it may be missing.
bool known_verdict(const std::string& output, const std::string& why) {
  const auto json = nlohmann::json::parse(output, nullptr, false);
  return !json.is_discarded() && json.value("verdict", "") == "holds" && json.contains("reason") &&
         json["reason"] == why;
}

// What was known before the end was heard of may be whole; else it says why it is not. Gives whether it is cut.
bool check_cut(const Cut& command, const driver::MemoryEnvironment& environment, int status, const std::string& why,
               const std::string& whole) {
  if (status == exit_done) {  // a search may have come to the same by other means
    CAPTURE(environment.output);
    const bool verdict = known_verdict(environment.output, why);
    CHECK((command.arguments.front() == "search" || verdict || settled(environment.output) == settled(whole)));
    return verdict;
  }
  INFO(environment.output << environment.errors);
  CHECK(status == exit_unknown);
  if (command.only_whole) {
    CHECK(environment.files.count("out.csv") == 0);
    return true;
  }
  const auto json = nlohmann::json::parse(environment.output, nullptr, false);
  REQUIRE_FALSE(json.is_discarded());
  if (json.contains("error")) {  // before there is a table or a question, nothing is known
    CHECK(json["error"][0]["code"] == why);
  } else {
    CHECK((environment.output.find(why) != std::string::npos || settled(environment.output) == settled(whole)));
  }
  return true;
}

TEST_CASE("a command that is interrupted says so, prints what is known by then, and has the status of the unknown") {
  for (const Cut& command : commands()) {
    CAPTURE(line_of(command));
    Interrupted whole(0);
    const int status = run_json(command.arguments, whole);
    REQUIRE((status == exit_done || status == exit_unknown));
    const std::uint64_t cuts = tests::long_run() ? 60 : tests::brief ? 4 : 12;
    const std::uint64_t step = std::max<std::uint64_t>(1, whole.looks() / cuts);
    int cut = 0;
    for (std::uint64_t at = 1; at <= whole.looks(); at += step) {
      CAPTURE(at);
      Interrupted environment(at);
      const int ended = run_json(command.arguments, environment);
      cut += check_cut(command, environment, ended, "cancelled", whole.output) ? 1 : 0;
    }
    CHECK((cut > 0 || command.only_whole || command.at_once));
  }
}

TEST_CASE("a command whose time runs out says so, and has the status of the unknown") {
  for (Cut command : commands()) {
    CAPTURE(line_of(command));
    Interrupted whole(0);
    run_json(command.arguments, whole);
    driver::MemoryEnvironment environment;  // its clock says that the machine has just been started
    environment.files = whole.files;
    environment.tick = std::chrono::milliseconds(1);
    command.arguments.insert(command.arguments.end(), {"--timeout", "0.001"});
    check_cut(command, environment, run_json(command.arguments, environment), "timeout", whole.output);
  }
}

TEST_CASE("a comparison that is interrupted keeps the rows that it has") {
  const std::vector<std::string> command{"compare", "--collective", "broadcast:root=0", "--on",
                                         "complete:4,ports=single"};
  Interrupted whole(0);
  REQUIRE(run(command, whole) == exit_done);
  Interrupted late(whole.looks() - 2);
  CHECK(run(command, late) == exit_unknown);
  CHECK(late.output.find("\nbroadcast_binomial") != std::string::npos);
  CHECK(late.output.ends_with("            interrupted before all that ships was measured\n"));
}

}  // namespace
}  // namespace quadrille::cli
